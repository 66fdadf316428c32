"""Traces a value or an address to its source."""

from collections.abc import Iterable
from datetime import date, datetime
from urllib.parse import parse_qsl, unquote, urlsplit

from app.domain.action import Provenance
from app.domain.directive import names_secret
from app.domain.page import Node
from app.domain.reasoner import Situation
from app.domain.redaction import secrets_known
from app.grounding import is_secret_field
from app.page import ENTRIES
from app.provenance.sources import (
    GIVEN_ORIGINS,
    PERSON_ORIGINS,
    Source,
    given_sources,
    is_other_frame,
    list_sources,
)
from app.provenance.tokens import NONE, Scan, bare_address, fold, scan_text
from app.provenance.value_match import (
    Scanned,
    SearchedValue,
    contains_token,
    find_composed,
    find_places,
    find_value,
    is_fact,
    needles,
)
from app.text import patterns
from app.text.lexicon import pattern, speaks_of, words
from app.text.value_words import COMMON, GLUE, MONTHS
from app.text.vocabulary import stems, vocabulary

_COMMON_ENDINGS = frozenset({"com", "org", "net", "edu", "gov", "int"})
# Words before a site to visit; any other word of a goal may be someone's domain.
_VISIT_WORDS = vocabulary("addresses.going")
_SECOND_LEVEL = 3  # letters of "co", "com", "ac" before a country code
_MOST_WORDS = 4  # words of a site's name


def find_named_address(url: str, scans: Scanned) -> tuple[Source, str] | None:
    """Return the source that names the address: completely, or its site and every word of its path."""
    if (whole_match := find_whole_address(url, scans)) is not None:
        return whole_match
    host = _host(url)
    if not host or not _path_words(url) <= fold_scans(text for _, text in scans):
        return None
    excerpts = ((source, _names_host(host, text)) for source, text in scans)
    return next(((source, excerpt) for source, excerpt in excerpts if excerpt is not None), None)


def find_whole_address(url: str, scans: Scanned) -> tuple[Source, str] | None:
    bare = f"u:{bare_address(url)}"
    for source, text in scans:
        for at, token in enumerate(text.tokens):
            if bare in token.keys:
                return source, text.excerpt(at, at)
    return None


def mentions_host(hosts: Iterable[str], text: str) -> bool:
    """Whether the text names one of the hosts: "example.org", or "Example" for "example.com"."""
    scan = scan_text(text)
    return any(_names_host(host.removeprefix("www."), scan) is not None for host in hosts)


def may_mention_address(url: str, text: str) -> bool:
    """Whether the text has the site or a word of the path and is worth scanning."""
    site = (_host(url) or url.casefold()).partition(".")[0].replace("-", "")
    folded = fold(text)
    return site in patterns.sub(r"[\W_]", "", folded) or any(
        one in folded for one in _path_words(url)
    )


def fold_scans(scans: Iterable[Scan]) -> frozenset[str]:
    return frozenset(text.word(at) for text in scans for at in range(len(text.tokens)))


def _host(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _path_words(url: str) -> frozenset[str]:
    parts = urlsplit(url)
    text = " ".join((parts.path, *(value for _, value in parse_qsl(parts.query)), parts.fragment))
    return frozenset(patterns.findall(r"[^\W_]+", fold(unquote(text))))


def _names_host(host: str, text: Scan) -> str | None:
    """Return the text that names the host: "example.org", or "Example" for "www.example.com"."""
    for at, token in enumerate(text.tokens):
        rest = patterns.match(r"(?:[.-][\w-]+)*", text.text[token.end :])
        written = text.text[token.start : token.end + (rest.end() if rest else 0)]
        address = text.excerpt(at, at)
        if fold(written).removeprefix("www.") == host:
            return written
        if token.kind == "url" and _host(f"//{bare_address(address)}") == host:
            return address
    *site, ending = host.split(".")
    if len(site) > 1 and len(ending) == 2 and len(site[-1]) <= _SECOND_LEVEL:
        site.pop()
    if len(site) != 1 or not (ending in _COMMON_ENDINGS or len(ending) == 2):
        return None
    for first in range(len(text.tokens)):
        if first and text.word(first - 1) not in _VISIT_WORDS:
            continue
        joined = ""
        for last in range(first, min(first + _MOST_WORDS, len(text.tokens))):
            joined += patterns.sub(r"\W", "", text.word(last))
            if joined == site[0].replace("-", ""):
                return text.excerpt(first, last)
    return None


LONGEST_EXCERPT = 160  # characters, stored with the action for review
_FOLLOW_WORDS = pattern(stems("addresses.followed"))
_WRITE_WORDS = pattern(stems("writing.asked"))
_TEXT_FIELD = pattern(stems("writing.fields"))
_SHORTEST_TEXT = 4  # words; a shorter text is a value
_BEFORE = "(?:^|(?<=[\\s\"'\u201c\u2018\u201e\u00ab:=(,`]))"
_AFTER = "(?=$|[\\s\"'\u201d\u2019\u00bb),.;`])"
_BESIDE = 40  # characters between a word for "password" and the password


def trace_value(
    value: str, situation: Situation, *, node: Node | None = None, today: date | None = None
) -> Provenance | None:
    """Return the first source that has the value in any format; None if there is none.

    `node` is the field for the value. `today` is the reference for "tomorrow", by default the
    situation's day, else this machine's. The excerpt is only the match, since the sentence may
    contain a password; secrets have no excerpt.
    """
    if not value.strip():
        return Provenance(origin="goal")  # clearing a field needs no source
    if node is not None and is_secret_field(node):
        return _trace_secret(value, node, situation)
    today = today or situation.today or datetime.now().astimezone().date()
    searched = SearchedValue(value, scan_text(value), _label_words(node))
    needle_letters = needles(searched.scan, range(len(searched.scan.tokens)))
    for source in list_sources(situation, node, needle_letters, value):
        if is_other_frame(source, node):
            continue
        excerpt = find_value(searched, source, scan_text(source.text, today))
        if excerpt is not None:
            return _provenance_of(source, excerpt)
    users = (line for line in situation.background.memory if line.role == "user")
    stated_sources = (
        *given_sources(situation),
        *(Source("memory", line.content, line.role) for line in users),
    )
    scanned = [(source, scan_text(source.text, today)) for source in stated_sources]
    freely = node is not None and (node.input_type == "search" or speaks_of("search", node.name))
    match = None
    if len(searched.scan.tokens) > 1 and not searched.is_common:
        fields = (node for node in situation.page.tree if node.role in ENTRIES)
        labels = fold_scans(scan_text(node.name) for node in fields)  # these separate values
        match = find_composed(searched.scan, scanned, labels, freely=freely)
    match = match or _trace_written_text(searched.scan, node, situation, today)
    return _provenance_of(*match) if match is not None else None


def is_answer(value: str, situation: Situation) -> bool:
    tokens = scan_text(value).tokens
    answers = (scan_text(one.answer) for one in situation.background.searches if one.solved)
    return any(True for answer in answers for _ in find_places(tokens, answer, NONE))


def trace_address(url: str, situation: Situation) -> Provenance | None:
    """Return the source of an address: a text that names it, or the site that is already open.

    Search results, and addresses on the page if the person asked to follow one, must be used
    exactly; otherwise a page could send the person anywhere with data in the address. An address
    with a secret must be given completely by the person.
    """
    page_url, sources = situation.page.url, list(list_sources(situation, value=url))
    stated = _scan_sources(source for source in sources if source.origin not in ("page", "search"))
    address = unquote(url)
    if (
        any(one in address for one in secrets_known(situation))
        and find_whole_address(url, stated) is None
    ):
        return None
    listed = _scan_sources(source for source in sources if source.origin == "search")
    on_page = _scan_sources(
        one for one in sources if one.origin == "page" and may_mention_address(url, one.text)
    )
    followed = listed + on_page if _FOLLOW_WORDS.search(words(situation.stated_text)) else listed
    if match := find_named_address(url, stated) or find_whole_address(url, followed):
        return _provenance_of(*match)
    known_words = fold_scans(text for _, text in stated + listed + on_page) | _path_words(page_url)
    if _host(url) and _host(url) == _host(page_url) and _path_words(url) <= known_words:
        return Provenance(origin="page", excerpt=page_url[:LONGEST_EXCERPT])
    return None


def _scan_sources(sources: Iterable[Source]) -> list[tuple[Source, Scan]]:
    return [(source, scan_text(source.text)) for source in sources]


def _provenance_of(source: Source, excerpt: str) -> Provenance:
    line = " ".join(excerpt.split())
    return Provenance(origin=source.origin, excerpt=line[:LONGEST_EXCERPT], ref=source.ref)


def _trace_secret(value: str, node: Node, situation: Situation) -> Provenance | None:
    """Trace a secret: exactly what the person gave, never a text of a page.

    In the goal it must be beside a word for secrets or of the field's name, or the goal must be
    about signing in.
    """
    to_the_letter = patterns.compile(_BEFORE + patterns.escape(value) + _AFTER)
    for source in given_sources(situation):
        if source.origin not in PERSON_ORIGINS:
            continue
        signs_in = source.origin == "answer" or speaks_of("sign_in", source.text)
        for match in to_the_letter.finditer(source.text):
            around = source.text[max(0, match.start() - _BESIDE) : match.end() + _BESIDE]
            nearby_words = [fold(word) for word in patterns.findall(r"\w+", around)]
            if (
                signs_in
                or names_secret(" ".join(nearby_words))
                or _label_words(node) & set(nearby_words)
            ):
                return Provenance(origin=source.origin, ref=source.ref)
    return None


def _label_words(node: Node | None) -> frozenset[str]:
    label_words = fold_scans([scan_text(node.name)]) if node is not None else ()
    return frozenset(word for word in label_words if len(word) > 2)


def _trace_written_text(
    text_scan: Scan, node: Node | None, situation: Situation, today: date
) -> tuple[Source, str] | None:
    """Trace a text that the agent was asked to write; a fact from the page makes it the page's."""
    if node is None or node.role not in ("inp", "el") or len(text_scan.tokens) < _SHORTEST_TEXT:
        return None
    takes_text = node.input_type == "textarea" or _TEXT_FIELD.search(words(node.name)) is not None
    if not takes_text or not _WRITE_WORDS.search(words(situation.stated_text)):
        return None
    borrowed = None
    for at in range(len(text_scan.tokens)):
        if is_fact(text_scan, at) or _is_name(text_scan, at):
            source = find_holder(text_scan, at, situation, node=node, today=today)
            if source is None:
                return None
            if source.origin not in (*GIVEN_ORIGINS, "knowledge"):
                borrowed = borrowed or source
    source = borrowed or Source("goal", situation.stated_goal)
    return source, source.text


def _is_name(text: Scan, at: int) -> bool:
    """Whether the token is capitalized within a sentence and not a common writing word."""
    start, word = text.tokens[at].start, text.word(at)
    preceding = text.text[:start].rstrip(" \t\"'(\u201c\u2018")
    if not preceding or preceding[-1] in ".!?\n:\u2026\u2014-" or not text.text[start].isupper():
        return False
    if word in GLUE or word == "i":
        return False
    return word not in COMMON or any(word in line for line in MONTHS)


def find_holder(
    text: Scan,
    at: int,
    situation: Situation,
    *,
    node: Node | None = None,
    today: date | None = None,
) -> Source | None:
    for source in list_sources(situation, node, needles(text, (at,)), text.word(at)):
        if not is_other_frame(source, node) and contains_token(
            text, at, scan_text(source.text, today)
        ):
            return source
    return None
