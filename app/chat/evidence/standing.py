"""Where in a passage the words of a quote stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.chat.evidence.reading import Unit, units_of, unmarked
from app.text import patterns

_REMEMBERED = 1_024  # passages
# Words, numbers and the signs that change what is said; marks, bars, quotes and other signs are none.
_TOKEN = patterns.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+|[%€$£¥°+=<>±§#@&]|(?<=[\s(])[-\u2212](?=\d)")
_CUT = patterns.compile(
    r"\s*(?:\[\s*(?:\u2026|\.\.\.)\s*\]|\(\s*(?:\u2026|\.\.\.)\s*\)|\u2026|\.{3,})\s*"
)
_SHORTEST_PART = 3  # words beside an ellipsis: single words could be put together to say anything
_FURTHEST = 60  # words that an ellipsis may stand for


@dataclass(frozen=True, slots=True)
class Passage:
    """The units of a passage; `tokens` of all of them in a row, and of which unit each is."""

    units: tuple[Unit, ...]
    tokens: tuple[str, ...]
    owner: tuple[int, ...]


@lru_cache(maxsize=_REMEMBERED)
def passage_of(text: str) -> Passage:
    """The passage, read once."""
    units = units_of(text)
    tokens: list[str] = []
    owner: list[int] = []
    for at, unit in enumerate(units):
        found = tokens_of(unit.quote)
        tokens += found
        owner += [at] * len(found)
    return Passage(units, tuple(tokens), tuple(owner))


def tokens_of(text: str) -> tuple[str, ...]:
    """What two texts are compared by, word for word."""
    return tuple(one.casefold() for one in _TOKEN.findall(f" {text}"))


def standing(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """The units (first, last) that the quote stands in, for each place where it does."""
    passage = passage_of(text)
    parts = [tokens_of(unmarked(part)) for part in _CUT.split(quote)]
    parts = [part for part in parts if part]
    if not parts or (len(parts) > 1 and min(map(len, parts)) < _SHORTEST_PART):
        return
    for start in _places(parts[0], passage.tokens):
        end = _followed(parts, start, passage.tokens)
        if end is not None:
            yield passage.owner[start], passage.owner[end]
    if len(parts) == 1:
        for at, unit in enumerate(passage.units):
            if (
                unit.kind == "row"
                and next(_places(parts[0], tokens_of(unit.text)), None) is not None
            ):
                yield at, at


def _followed(parts: Sequence[tuple[str, ...]], start: int, tokens: tuple[str, ...]) -> int | None:
    """Where the last of the parts ends, each after the one before it."""
    end = start + len(parts[0]) - 1
    for part in parts[1:]:
        nearest = next(_places(part, tokens, end + 1), None)
        if nearest is None or nearest - end > _FURTHEST:
            return None
        end = nearest + len(part) - 1
    return end


def _places(part: tuple[str, ...], tokens: tuple[str, ...], first: int = 0) -> Iterator[int]:
    length = len(part)
    for at in range(first, len(tokens) - length + 1):
        if tokens[at] == part[0] and tokens[at : at + length] == part:
            yield at
