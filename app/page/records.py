"""Finds the record a control belongs to and the one the person named."""

from collections.abc import Iterator
from functools import lru_cache

from rapidfuzz.distance import OSA

from app.domain.page import Node, Observation
from app.text import patterns
from app.text.lexicon import speaks_of, words
from app.text.value_words import COMMANDS, COMMON, GLUE

_OF_RECORD = frozenset({"row", "item"})
_OF_FORM = frozenset({"row", "item", "form"})
_NEAR = 4  # letters; shorter words are not matched with typing errors
_LEAST = 3  # letters of a distinctive word
_QUOTED = patterns.compile(
    "(?<!\\w)'(.{40,}?)'(?!\\w)|\"(.{40,}?)\"|\u201c(.{40,}?)\u201d|\u201e(.{40,}?)[\u201c\u201d]|\u00ab(.{40,}?)\u00bb",
    patterns.DOTALL,
)  # shorter quotations are control names and values
GENERIC = GLUE | COMMANDS


@lru_cache(maxsize=256)
def strip_quotations(said: str) -> str:
    """Remove long quotations, which someone else may have written."""
    return _QUOTED.sub(" ", said)


def is_only_quoted(value: str, said: str) -> bool:
    """Whether the value occurs only inside long quotations."""
    part, own = value.strip().casefold(), strip_quotations(said).casefold()
    if not part or part in own:
        return False
    quotes = (next(filter(None, found)) for found in _QUOTED.findall(said))
    return any(part in one.casefold() and part != one.strip().casefold() for one in quotes)


def distinctive_words(text: str) -> Iterator[str]:
    """Yield the words of a name that are not generic."""
    for word in words(text).split():
        if (len(word) >= _LEAST or not word.isascii()) and word not in GENERIC:
            yield word


def distinctive_tokens(text: str) -> frozenset[str]:
    """Return the words of a text that tell one thing from another."""
    return frozenset(word for word in words(text).split() if word not in COMMON)


def enclosing_record(node: Node) -> str | None:
    """Return the name of the row or item around the node."""
    return next((name for kind, name in reversed(node.groups) if kind in _OF_RECORD), None)


def fits_other_better(node: Node, page: Observation, said: str) -> bool:
    """Whether the person's words fit the record of another such control at least as well.

    Of two equal fits, the record with fewer unmatched words wins; a tie counts as ambiguous.
    Without a named record ("the oldest one") words cannot decide.
    """
    own = _stands_in(node)
    if own is None or speaks_of("totality", said):
        return False
    meant = distinctive_tokens(strip_quotations(said))
    others = {
        _stands_in(n)
        for n in page.tree
        if n.name == node.name and n.role == node.role and n != node
    } - {own, None}
    best = max((_fit(other, meant) for other in others if other), default=(0, 0))
    mine = _fit(own, meant)
    if best[0] != mine[0] or not best[0]:
        return best[0] > mine[0]
    return best[1] >= mine[1]


def _stands_in(node: Node) -> str | None:
    return next((name for kind, name in reversed(node.groups) if kind in _OF_FORM), None)


def _fit(record: str, meant: frozenset[str]) -> tuple[int, int]:
    """Rank a record by matched words, then by few unmatched ones."""
    own = frozenset(
        word for word in distinctive_tokens(record) if not word.isdigit() or word in meant
    )
    return len(own & meant), -len(own - meant)


def is_near_miss(record: str, told: str) -> bool:
    """Whether the record's name nearly matches, but is not, one that the person said."""
    said, own = set(words(told).split()), set(distinctive_words(record))
    if not said & own:
        return False
    return any(
        _is_near(word, other)
        for word in own - said
        for other in said - own
        if word.isalpha() and other.isalpha()
    )


def _is_near(one: str, other: str) -> bool:
    """Whether the words differ by one inserted, deleted, replaced or swapped letter."""
    if min(len(one), len(other)) < _NEAR or one[0] != other[0]:
        return False
    return OSA.distance(one, other, score_cutoff=1) <= 1
