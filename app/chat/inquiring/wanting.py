"""What kind of answer a question wants, and how a sentence shows that it is one."""

from collections.abc import Callable

from app.chat.evidence import Sentence
from app.chat.evidence.naming import identifiers, names
from app.chat.evidence.values import values_of
from app.text import patterns

_HOW_TO = patterns.compile(
    r"^(?:\W*(?:please|so|and|ok|okay)\W+)*(?:how\s+(?:do|can|to|should|would|could|might|does\s+one|am|is\s+it"
    r"\s+possible)\b|(?:what|which)\s+(?:are\s+the\s+)?steps|steps\s+(?:to|for)|what\s+(?:do|should|must|can)\s+"
    r"(?:i|we|you|one)\s+(?:have\s+to\s+|need\s+to\s+)?do\b|wie\s+(?:kann|mache|richte|stelle)|comment\b)",
    patterns.IGNORECASE,
)
_COUNT = patterns.compile(
    r"\bhow\s+(?:many|much|long|often|far|old|big|large|high|fast|late|early|small|short)\b|\b(?:what|which)\s+"
    r"(?:is\s+|are\s+)?(?:the\s+)?(?:[^\W\d_]+\s+){0,2}(?:number|amount|percentage|rate|price|cost|fee|limit|size"
    r"|length|width|height|weight|maximum|minimum|age|port|version|default|score|total|deadline|budget|duration)\b"
    r"|\bwie\s*(?:viele?|lange|oft|hoch|teuer)\b|\bcombien\b|\bcuant[oa]s?\b",
    patterns.IGNORECASE,
)
_WHEN = patterns.compile(
    r"\b(?:when|(?:what|which)\s+(?:time|date|day|year|month|week)|until\s+when|by\s+when|wann|quand|cuando)\b",
    patterns.IGNORECASE,
)
_WHO = patterns.compile(
    r"\b(?:who|whom|whose|which\s+(?:person|team|department|role))\b|^wer\b|^qui\b|^quien\b",
    patterns.IGNORECASE,
)
_WHERE = patterns.compile(
    r"\b(?:where|which\s+(?:folder|directory|file|page|menu|path|place))\b|^wo\b",
    patterns.IGNORECASE,
)
_CODE = patterns.compile(
    r"\b(?:command|option|flag|setting|parameter|argument|variable|function|method|class|module|package|program"
    r"|tool|script|file|exception|decorator|attribute|key|field|syntax|code|config\w*|extension|directive)s?\b",
    patterns.IGNORECASE,
)
_WHY = patterns.compile(
    r"^\W*(?:why|warum|wieso|pourquoi|what(?:'s|\s+is)\s+the\s+reason)\b|\bhow\s+come\b",
    patterns.IGNORECASE,
)
_YES_NO = patterns.compile(
    r"^\W*(?:(?:so|and|but|ok)\W+)?(?:is|are|was|were|do|does|did|can|could|may|must|should|shall|will|would|has"
    r"|have|am|darf|kann|muss|ist|sind|gibt|est-ce)\b",
    patterns.IGNORECASE,
)
_DEFINE = patterns.compile(
    r"^\W*(?:what(?:'s|\s+is|\s+are|\s+does|\s+do)|define|explain|was\s+(?:ist|sind|bedeutet)|qu.est-ce)\s+(?:an?\s+"
    r"|the\s+)?(?P<what>[^?]{2,60}?)(?:\s+(?:mean|means|stand\s+for|do|for))?\s*\??\s*$",
    patterns.IGNORECASE,
)
_RULE = patterns.compile(
    r"\b(?:must|may|can|cannot|should|shall|not|never|always|only|allowed|permitted|required|forbidden|supported|"
    r"possible|entitled|optional|unless|except|no|yes|by\s+default)\b",
    patterns.IGNORECASE,
)
_BECAUSE = patterns.compile(
    r"\b(?:because|since|so\s+that|in\s+order\s+to|therefore|reason|due\s+to|otherwise|to\s+avoid|to\s+prevent"
    r"|this\s+means|weil|damit|parce\s+que|porque)\b",
    patterns.IGNORECASE,
)
_TIME = patterns.compile(
    r"\b(?:day|week|month|quarter|year|hour|minute|morning|noon|evening|midnight|daily|weekly|monthly|yearly"
    r"|annually|before|after|once|until|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april"
    r"|june|july|august|september|october|november|december)s?\b",
    patterns.IGNORECASE,
)
_DO = patterns.compile(
    r"^(?:to\s+[^\W\d_]+|(?:first|then|next|finally|now)\b|(?:click|select|choose|open|go|enter|type|run|use|add"
    r"|set|create|press|install|edit|call|pass|start|define|configure|you\s+can|you\s+(?:must|should|need))\b)",
    patterns.IGNORECASE,
)
_IS = patterns.compile(
    r"\b(?:is|are|means|refers|stands|denotes|describes|consists|called|ist|sind|est)\b",
    patterns.IGNORECASE,
)
_PLACE = patterns.compile(
    r"\b(?:in|under|at|on|from|into|inside|within)\b|/|\u2192|>", patterns.IGNORECASE
)

Shows = Callable[[Sentence], bool]


def how_to(question: str) -> bool:
    """Whether it asks what to do, so that steps answer it."""
    return _HOW_TO.search(question) is not None


def asks_for_code(question: str) -> bool:
    """Whether a command, an option or the like answers it."""
    return _CODE.search(question) is not None


def plain_yes_no(question: str) -> bool:
    """Whether yes or no would answer it: the rule that says so does."""
    return _YES_NO.search(question) is not None


def wanted(question: str) -> tuple[Shows, ...]:
    """What a sentence that answers has; several things may be asked for at once."""
    kinds: list[Shows] = []
    if _COUNT.search(question):
        kinds.append(lambda one: bool(values_of(one.text)))
    if _WHEN.search(question):
        kinds.append(lambda one: _dated(one.text))
    if _WHO.search(question):
        kinds.append(lambda one: bool(names(one.text)))
    if _WHERE.search(question):
        kinds.append(lambda one: bool(identifiers(one.text) or _PLACE.search(one.text)))
    if _WHY.search(question):
        kinds.append(lambda one: _BECAUSE.search(one.text) is not None)
    if _CODE.search(question):
        kinds.append(lambda one: one.kind == "code" or bool(identifiers(one.text)))
    if how_to(question):
        kinds.append(lambda one: bool(one.ordered or _DO.search(one.text)))
    elif plain_yes_no(question):
        kinds.append(lambda one: _RULE.search(one.text) is not None)
    elif (defined := _DEFINE.search(question)) and not kinds:
        kinds.append(lambda one: _defines(one.text, defined["what"]))
    return tuple(kinds)


def _dated(text: str) -> bool:
    typed = any(
        key.startswith(("d:", "md:", "my:", "t:")) for one in values_of(text) for key in one.keys
    )
    return typed or _TIME.search(text) is not None


def _defines(text: str, what: str) -> bool:
    at = text.casefold().find(what.casefold())
    return 0 <= at <= 40 and _IS.search(text, at) is not None
