"""Turns the best chunks into passages: without duplicates, and with neighbors joined."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.domain.knowledge import Chunk, Document
from app.text import patterns
from knowledge.chunk import common_path

SHINGLE = 5  # words
SIMILAR = 0.8  # minimum share of the shorter text's shingles in the longer one, for a duplicate
MOST_JOINED = 3  # chunks per passage
LEAST_OVERLAP = 12  # characters; a shorter overlap is a coincidence
_WORDS = patterns.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """`chunks`: their ids, best first. `ordinals`: first and last position in the document.
    `start`, `end`: characters. `headings`: those shared by all of its text.
    """

    chunk: Chunk
    document: Document
    text: str
    headings: tuple[str, ...]
    score: float
    chunks: tuple[str, ...]
    ordinals: tuple[int, int]
    start: int
    end: int
    page: int | None
    page_end: int | None


def drop_duplicates(passages: Iterable[Passage]) -> list[Passage]:
    distinct: list[Passage] = []
    seen: list[frozenset[int]] = []
    for passage in passages:
        hashes = shingles(passage.text)
        if not any(_are_similar(hashes, other) for other in seen):
            distinct.append(passage)
            seen.append(hashes)
    return distinct


def shingles(text: str) -> frozenset[int]:
    """Hashes of each run of `SHINGLE` words; of the whole text if it is shorter."""
    words = _WORDS.findall(text.lower())
    if len(words) < SHINGLE:
        return frozenset([hash(tuple(words))])
    return frozenset(map(hash, zip(*(words[at:] for at in range(SHINGLE)), strict=False)))


def _are_similar(hashes: frozenset[int], other: frozenset[int]) -> bool:
    """Whether two texts share most words; part of a longer text is no duplicate."""
    low, high = sorted((len(hashes), len(other)))
    return low * 2 >= high and len(hashes & other) >= SIMILAR * low


def join_neighbours(passages: Sequence[Passage]) -> list[Passage]:
    """Join adjacent passages of a document, at the position of the better one."""
    joined: list[Passage] = []
    for passage in passages:
        at = next((at for at, one in enumerate(joined) if _are_adjacent(one, passage)), None)
        if at is None:
            joined.append(passage)
        else:
            joined[at] = _join(joined[at], passage)
    return joined


def _are_adjacent(passage: Passage, other: Passage) -> bool:
    if passage.document.document_id != other.document.document_id:
        return False
    if len(passage.chunks) + len(other.chunks) > MOST_JOINED:
        return False
    return (
        passage.ordinals[1] + 1 == other.ordinals[0] or other.ordinals[1] + 1 == passage.ordinals[0]
    )


def _join(better: Passage, other: Passage) -> Passage:
    first, second = sorted((better, other), key=lambda one: one.ordinals)
    shared = common_path(first.headings, second.headings)
    continuation = _continuation(first, second)
    if second.headings != first.headings:
        continuation = "\n\n" + _own_headings(second, shared) + continuation.lstrip()
    return replace(
        better,
        text=_own_headings(first, shared) + first.text + continuation,
        headings=shared,
        chunks=better.chunks + other.chunks,
        ordinals=(first.ordinals[0], second.ordinals[1]),
        start=min(first.start, second.start),
        end=max(first.end, second.end),
        page=first.page,
        page_end=second.page_end,
    )


def _own_headings(passage: Passage, shared: tuple[str, ...]) -> str:
    """The headings of a passage that are not shared, as Markdown."""
    own = list(enumerate(passage.headings, 1))[len(shared) :]
    return "".join(f"{'#' * min(level, 6)} {heading}\n\n" for level, heading in own)


def _continuation(first: Passage, second: Passage) -> str:
    """The part of the second text after the first, without overlap and repeated table header."""
    text = second.text
    if second.start < first.end:
        for length in range(min(len(text), len(first.text)), LEAST_OVERLAP - 1, -1):
            if first.text.endswith(text[:length]):
                return text[length:]
    if first.chunk.kind == second.chunk.kind == "table":
        first_lines, lines = first.text.split("\n"), text.split("\n")
        repeated = 0
        while (
            repeated < min(2, len(lines), len(first_lines))
            and lines[repeated] == first_lines[repeated]
        ):
            repeated += 1
        return "\n" + "\n".join(lines[repeated:])
    return "\n\n" + text
