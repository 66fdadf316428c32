"""How surely a clause was read: what of its words no part of the reading accounts for."""

from collections.abc import Iterable, Iterator
from functools import cache

from app.domain.directive import Directive, Target
from app.reasoners.rules.parse import lexicon
from app.reasoners.rules.parse.spans import Span
from app.reasoners.rules.parse.wordlist import words
from app.text import patterns

PER_WORD = 0.15  # for each word that was left out of the reading
LEAST = 0.5  # a clause read in part is above one that was only seen to be something to do
JOINED = 0.7  # a name or value that holds what joins two of them
LOOSE = 0.6  # a thing found by a word that seldom says where it is: "flights to Rome"
COMPARED = 0.6  # what takes a comparison of all that is there: "the cheapest"
_LONGEST_NAME = 6  # words; a control's label is rarely longer
_WORD = patterns.compile(r"[^\W_]+")
_KEEPS_CLAUSE = frozenset({"do", "read", "verify", "press", "scroll", "wait", "drag", "login", "navigate",
                           "back", "reload", "logout"})  # fmt: skip
_LOOKING = frozenset({"find", "open"})
_COMPARISONS = frozenset(
    words(
        "cheapest|newest|oldest|largest|biggest|smallest|highest|lowest|longest|shortest|best|worst|"
        "nearest|closest|fastest|slowest|earliest|least|strongest|heaviest|lightest|"
        "latest|most|priciest|fewest|soonest|furthest|farthest|youngest|easiest|simplest|quickest|"
        "tallest|widest|funniest|top-rated|best-rated|best-selling"
    )
)
_JOINTS = patterns.compile(r",\s|\b(?:with|into|choose|select|then)\b\s(?![A-Z])")
_BESIDE = frozenset({"next", "close", "near", "adjacent", "left", "right"})
_SMALL = frozenset(
    words(
        "is|are|be|was|has|have|it|to|of|in|on|at|as|by|for|from|with|and|or|not|so|then|me|we|you|i|"
        "us|who|which|where|when|whose|into|onto|over|out|off|up|down|please|just|only|also|there|here|"
        "one|ones|new|another|number|no|page|called|using|via|s|named|set|thing|things|field|fields|"
        "say|saying|born|everything|corner|side|empty|blank|twice|once|times|time|through|under|than|more|following|should|value|values"
    )
)


def sureness(span: Span, made: Iterable[Directive]) -> float:
    """Between `LEAST` and 1 for the directives read from `span`, the words after the verb."""
    directives = list(made)
    doubts = [1.0, *(_of(directive, span) for directive in directives)]
    if not any(directive.verb in _KEEPS_CLAUSE for directive in directives):
        lost = _lost(span, directives)
        lost -= any(d.target is not None and d.target.within for d in directives)  # its kind
        doubts.append(max(LEAST, 1.0 - PER_WORD * max(0, lost)))
    return min(doubts)


def _lost(span: Span, directives: list[Directive]) -> int:
    known = _small() | {word for text in _texts(directives) for word in _WORD.findall(text.lower())}
    said = (token for token in span if token.kind != "mark" and token.kind != "break")
    return sum(
        1
        for token in said
        for word in _WORD.findall(token.text.lower())
        if word.isalpha() and word not in known and word.rstrip("s") not in known
    )


@cache
def _small() -> frozenset[str]:
    """Words that say how, which or what kind; a reading has them in its shape."""
    shapes = (*lexicon.ROLES, *lexicon.PLACES, *lexicon.ORDINALS, *lexicon.CARDINALS)
    phrases = (*lexicon.EXCEPTIONS, *lexicon.NEAR, *lexicon.WITHIN)
    flat = {part for shape in shapes for part in _WORD.findall(shape)}
    return frozenset(
        flat
        | {word for phrase in phrases for word in phrase}
        | _SMALL
        | lexicon.ARTICLES
        | lexicon.QUANTIFIERS
        | lexicon.PRONOUNS
        | lexicon.NAMING
        | lexicon.NAME_NOUNS
        | lexicon.VALUE_NOUNS
        | lexicon.POSITIONS.keys()
        | {word for phrase in lexicon.STOP_TAIL for word in phrase}
    )


def _texts(directives: list[Directive]) -> Iterator[str]:
    for directive in directives:
        yield directive.value or ""
        yield directive.condition or ""
        for field in directive.fields:
            yield f"{field.field} {field.value}"
        for target in (directive.target, directive.destination):
            if target is not None:
                yield from _said_in(target)


def _said_in(target: Target) -> Iterator[str]:
    yield from (target.phrase, target.within or "", target.near or "", target.color or "")
    yield from (target.position or "", *target.excluding)


def _of(directive: Directive, span: Span) -> float:
    target = directive.target or Target()
    if target.quoted:
        return 1.0
    names = [target.phrase, *(field.field for field in directive.fields)]
    if directive.verb == "select" and not _in_quotes(span):
        names.append(directive.value or "")
    values = [field.value for field in directive.fields if not field.quoted]
    if directive.verb in {"fill", "select"} and directive.value and not _in_quotes(span):
        values.append(directive.value)
    doubts = [1.0]
    if any(_JOINTS.search(name) or len(name.split()) > _LONGEST_NAME for name in names):
        doubts.append(JOINED)
    if any(_JOINTS.search(value) and len(value.split()) > 2 for value in values):
        doubts.append(JOINED)
    said = f"{target.phrase} {target.within or ''} {target.near or ''} {directive.value or ''}"
    if any(word in _COMPARISONS for word in said.split()):  # "Most popular" is a label
        doubts.append(COMPARED)
    if directive.verb in _LOOKING and target.within and _loose(span):
        doubts.append(LOOSE)
    return min(doubts)


def _loose(span: Span) -> bool:
    return any(
        token.low in {"to", "about"} and span.low(index - 1) not in _BESIDE
        for index, token in enumerate(span)
    )


def _in_quotes(span: Span) -> bool:
    return span.first(lambda token: token.quoted) is not None
