"""Where a value came from."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from urllib.parse import unquote

from app.domain.background import Provenance
from app.domain.page import Node
from app.engines.planning.wording import secret
from app.engines.provenance.addresses import hints_of, may_name, named, same_site, whole, words_of
from app.engines.provenance.composing import composed
from app.engines.provenance.dates import Day
from app.engines.provenance.matching import Wanted, found, needles
from app.engines.provenance.sources import GIVEN, PERSONS, Source, given, is_elsewhere, sources
from app.engines.provenance.tokens import Scan, fold, normal, scan
from app.engines.provenance.vocabulary import COMMON
from app.engines.provenance.writing import is_asked_for, is_search, made_of, sought
from app.engines.reasoner import Situation
from app.engines.redaction import secrets_known
from app.engines.refinement.values import hidden
from app.engines.risk.lexicon import speaks_of
from app.text import patterns

LONGEST_EXCERPT = 160  # characters; kept with the action, so that a person can check it
_FIELDS = frozenset({"inp", "sel", "chk", "rad", "range", "file"})
_READS = patterns.compile(
    r"\b(copy|copied|shown|displayed|read|listed|same as|on the page|from the (page|text|table|list|row)|"
    r"word|code|result|answer|total|number of|kopier|angezeigt|affich|copie|copia|muestra|mostr|העתק|מוצג)",
    patterns.IGNORECASE,
)  # fmt: skip
# The person says that a value is to be taken over: the verb, or where from.
_SOURCES = (
    r"(?:page|text|table|list|row|record|e?-?mail|ticket|message|document|invoice|pdf|form|site|screen"
    r"|notice|letter|chat|order|card|profile|panel|section|line)"
)
_TAKES_OVER = patterns.compile(
    r"\b(?:cop(?:y|ies|ied)|shown|displayed|listed|transcribe|same as"
    r"|look(?:ed|ing|s)? (?:\w+ ){0,4}up|find out"
    r"|take (?:it|them|this|that|the \w+) (?:over|from)"
    rf"|(?:from|on|in|off|of) (?:the|this|that|her|his|their|its|my|our) (?:\w+ ){{0,2}}{_SOURCES}"
    r"|kopier\w*|angezeigt\w*|ubernimm|\u00fcbernimm|affich\w*|copie\w*|recopie\w*|copia\w*"
    r"|muestra\w*|mostrad\w*|summar\w*|overview|describ\w*|translat\w*|zusammenfass\w*"
    r"|r[e\u00e9]sum\w*|traduc\w*|traduz\w*)"
    r"|\u05d4\u05e2\u05ea\u05e7|\u05de\u05d5\u05e6\u05d2|\u05e1\u05db\u05dd|\u05ea\u05e8\u05d2\u05dd",
    patterns.IGNORECASE,
)
_FOLLOWS = patterns.compile(  # the person wants to go where something on the page leads
    r"\b(links?|web ?sites?|web ?pages?|urls?|site|adresse (?:web|internet)|enlaces?|liens?|sitio)\b"
    r"|קישור|אתר",
    patterns.IGNORECASE,
)
_BEFORE = "(?:^|(?<=[\\s\"'\u201c\u2018\u201e\u00ab:=(,`]))"
_AFTER = "(?=$|[\\s\"'\u201d\u2019\u00bb),.;`])"
_BESIDE = 40  # characters between a word for a password and the password
_ADDS = patterns.compile(r"(?<![\w.])(\d{1,6})\s*([-+\u2212*x\u00d7/\u00f7])\s*(\d{1,6})(?![\w.])")


def trace(
    value: str, situation: Situation, *, node: Node | None = None, today: Day | None = None
) -> Provenance | None:
    """The first source that holds the value, in whatever spelling; None where none does.

    `node` is the field it is meant for; `today` the day from which "tomorrow" counts, by default
    the situation's, else that of this machine. The excerpt is what was found and nothing around it:
    a sentence may hold a password beside a name. Of a password there is no excerpt.
    """
    if not value.strip():
        return Provenance(origin="goal")  # emptying a field invents nothing
    if node is not None and hidden(node):
        return _secret(value, node, situation)
    today = today or situation.today or datetime.now().astimezone().date()
    wanted = Wanted(
        text=value,
        scan=scan(normal(value)),
        label=_label(node),
        reads=_READS.search(situation.said) is not None,
    )
    for source in sources(situation, node, wanted.needles, whole=fold(value.strip())):
        if not wanted.reads and is_elsewhere(source, node):
            continue
        excerpt = _in(wanted, source, scan(source.text, today))
        if excerpt is not None:
            return _of(source, excerpt)
    scans = [(source, scan(source.text, today)) for source in _told(situation)]
    made = composed(wanted, scans, lambda: _labels(situation)) or _in_own_words(
        wanted, node, scans, situation, today
    )
    return _of(*made) if made is not None else _worked_out(value, situation)


def reads(situation: Situation) -> bool:
    """Whether the person wants something taken over from a page."""
    return _TAKES_OVER.search(situation.told) is not None


def is_answer(value: str, situation: Situation) -> bool:
    """Whether a search that was judged solved answers with this value."""
    wanted = Wanted(text=value, scan=scan(normal(value)), reads=True)
    answers = (one.answer for one in situation.background.searches if one.solved)
    return any(
        _in(wanted, Source("search", answer), scan(answer)) is not None for answer in answers
    )


def trace_address(url: str, situation: Situation) -> Provenance | None:
    """The source of an address to go to: who named it, or the site that is open already.

    A search's result is gone to as it stands, and so is an address that the page shows, where the
    person wants one followed. Else a page could send them anywhere, with what it knows of them. A
    secret is in no address but one that the person gave whole.
    """
    every = list(sources(situation))
    said = _scanned(source for source in every if source.origin not in ("page", "search"))
    if _carries_secret(url, situation) and whole(url, said) is None:
        return None
    listed = _scanned(source for source in every if source.origin == "search")
    telling = hints_of(url)
    shown = _scanned(s for s in every if s.origin == "page" and may_name(telling, s.text))
    followed = listed + shown if _FOLLOWS.search(situation.told) else listed
    if made := named(url, said) or whole(url, followed):
        return _of(*made)
    if same_site(url, situation.page.url, words_of(said + listed + shown)):
        return Provenance(origin="page", excerpt=situation.page.url[:LONGEST_EXCERPT])
    return None


def _carries_secret(url: str, situation: Situation) -> bool:
    address = unquote(url)
    return any(one in address for one in secrets_known(situation))


def _scanned(found: Iterable[Source]) -> list[tuple[Source, Scan]]:
    return [(source, scan(source.text)) for source in found]


def _of(source: Source, excerpt: str) -> Provenance:
    told = " ".join(excerpt.split())
    return Provenance(origin=source.origin, excerpt=told[:LONGEST_EXCERPT], ref=source.ref)


def _secret(value: str, node: Node, situation: Situation) -> Provenance | None:
    """A password is what the person gave for it, to the letter; no page may suggest one.

    In the goal it stands beside a word for it, or of the field's name, or the goal is about signing in.
    """
    named = _label(node)
    whole = patterns.compile(_BEFORE + patterns.escape(value) + _AFTER)
    for source in given(situation):
        if source.origin not in PERSONS:
            continue
        for match in whole.finditer(source.text):
            around = source.text[max(0, match.start() - _BESIDE) : match.end() + _BESIDE]
            signs_in = speaks_of("sign_in", source.text) or source.origin == "answer"
            beside = patterns.findall(r"\w+", around)
            if signs_in or secret(" ".join(beside)) or named & {fold(one) for one in beside}:
                return Provenance(origin=source.origin, ref=source.ref)
    return None


def _in(wanted: Wanted, source: Source, text: Scan) -> str | None:
    if wanted.scan.tokens:
        return found(wanted, source, text)
    marks = wanted.text.strip()  # signs only: nothing to be spelled otherwise
    return marks if patterns.search(rf"(?<!\w){patterns.escape(marks)}(?!\w)", text.text) else None


def _told(situation: Situation) -> list[Source]:
    """What was said to the agent: parts of one value may come from several of these."""
    memory = (
        Source("memory", m.content, m.role) for m in situation.background.memory if m.role == "user"
    )
    return [*given(situation), *memory]


def _label(node: Node | None) -> frozenset[str]:
    """The words a field goes by, but for those that tell nothing."""
    if node is None:
        return frozenset()
    words = words_of([(Source("page", node.name), scan(node.name))])
    return frozenset(word for word in words if len(word) > 2)


def _labels(situation: Situation) -> frozenset[str]:
    """The words of all fields' names on the page: in a sentence they part one value from another."""
    names = [scan(node.name) for node in situation.page.tree if node.role in _FIELDS]
    return words_of([(Source("page", text.text), text) for text in names]) - COMMON


def _in_own_words(
    wanted: Wanted,
    node: Node | None,
    scans: Sequence[tuple[Source, Scan]],
    situation: Situation,
    today: Day,
) -> tuple[Source, str] | None:
    """A search in other order, or a text that the person asked to have written."""
    if node is not None and is_search(node) and (made := sought(wanted, scans)):
        return made
    if node is None or not is_asked_for(situation, node):
        return None

    borrowed: list[Source] = []

    def knows(at: int) -> bool:
        found = holder(wanted.scan, at, situation, node=node, today=today)
        if found is not None and found.origin not in (*GIVEN, "knowledge"):
            borrowed.append(found)
        return found is not None

    if not made_of(wanted, knows):
        return None
    # A text is the writer's own, but a fact in it that only the page tells is the page's.
    source = borrowed[0] if borrowed else scans[0][0]
    return source, scan(source.text).text


def holder(
    text: Scan, at: int, situation: Situation, *, node: Node | None = None, today: Day | None = None
) -> Source | None:
    """The first source that holds one token of a text, wherever it stands."""
    keys = text.tokens[at].keys
    for source in sources(situation, node, needles(text, (at,)), whole=text.word(at)):
        if is_elsewhere(source, node):
            continue
        found = scan(source.text, today)
        if any(keys & (token.keys | token.parts) for token in found.tokens):
            return source
        if any(keys & more for _, _, more in found.spans):
            return source
    return None


def _worked_out(value: str, situation: Situation) -> Provenance | None:
    """The result of a sum that the goal or the page shows: "3 + 4 =" gives 7."""
    number = value.strip()
    if not patterns.fullmatch(r"-?\d{1,12}", number):
        return None
    for source in sources(situation):
        for one, sign, other in (
            _ADDS.findall(source.text) if source.origin in ("goal", "page") else ()
        ):
            if _result(int(one), sign, int(other)) == int(number):
                return _of(source, f"{one} {sign} {other}")
    return None


def _result(one: int, sign: str, other: int) -> int | None:
    if sign == "+":
        return one + other
    if sign in "-\u2212":
        return one - other
    if sign in "*x\u00d7":
        return one * other
    return one // other if other and one % other == 0 else None
