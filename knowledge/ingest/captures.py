"""Loads and merges the stored captures of one page. Each document with the page's URL is a capture.

A chunk is parsed into statements: its lines, rows and sentences. Two chunks of the same area
conflict if an old statement that is gone and a new one have the same subject: the same label with
another value, the same row with another cell, or nearly the same words. The newer chunk then
supersedes the older one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Self

from app.domain.knowledge import Chunk, Document, Manifest, superseded_chunks
from app.store.knowledge import Documents
from app.text import patterns
from knowledge.chunk import Piece
from knowledge.ingest.document_builder import TICK

ALIKE = 0.6
"""Minimum share of common words for two statements to match: "Your request is pending" and "Your
request is approved" share three of five. Lower values match rows that only look alike.
"""
LEAST_WORDS = 3  # words compared per statement
DEEPEST = 6  # heading levels in Markdown
BROAD = frozenset({"", "main", "body", "html", "page"})  # containers of the whole page

_SPLIT = patterns.compile(r"\n+|(?<=[.!?;])\s+")
# Longer text before a colon is a sentence, not a label.
_LABEL = patterns.compile(r"^\W*([^:\uff1a|]{1,60}?)\s*[:\uff1a]\s+\S")
_RULE = patterns.compile(r"^[\s|:+=-]*$")
_MARKS = patterns.compile(r"[*_`#>\\]+")
_WORD = patterns.compile(r"\w+")


@dataclass(frozen=True)
class Statement:
    """`about` is its subject, a label or the row's first cell; `path` holds the headings above."""

    words: str
    path: tuple[str, ...] = ()
    about: str = ""
    row: bool = False
    heading: bool = False
    bag: frozenset[str] = field(default=frozenset(), compare=False)


@dataclass(frozen=True)
class CapturedChunk:
    """A chunk of one capture. `containers` are the parts of the page it came from."""

    chunk_id: str
    text: str
    path: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()

    @classmethod
    def of(cls, chunk: Chunk | Piece) -> Self:
        return cls(chunk.chunk_id, chunk.text, chunk.heading_path, chunk.containers)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Statements in order, with the last heading first, since it may hold the state."""
        headings = [(0, normalize_words(part)) for part in self.path]
        statements = [_statement(self.path[-1], headings[:-1], heading=True)] if self.path else []
        for line in _SPLIT.split(self.text):
            if _RULE.match(line):
                continue
            level = len(line) - len(line.lstrip("#"))
            if heading := 0 < level <= DEEPEST:
                headings = [one for one in headings if one[0] < level]
            statements.append(_statement(line, headings, heading=heading))
            if heading:
                headings.append((level, statements[-1].words))
        return tuple(dict.fromkeys(one for one in statements if one.words))

    @cached_property
    def plain(self) -> str:
        return normalize_words(self.text)


def _statement(line: str, headings: Sequence[tuple[int, str]], *, heading: bool) -> Statement:
    """Parse a line as `Label: value`, `| row | cell |` or words."""
    line, path = _MARKS.sub("", line).strip(), tuple(words for _, words in headings)
    words = normalize_words(line)
    bag = frozenset(_WORD.findall(words))
    if line.startswith("|"):
        cells = [normalize_words(cell) for cell in line.strip("|").split("|")]
        about = next((cell for cell in cells if cell), "")
        return Statement(words, path, about, row=True, bag=bag)
    label = _LABEL.match(line)
    about = normalize_words(label[1]) if label else ""
    return Statement(words, path, about, heading=heading, bag=bag)


def normalize_words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def find_superseded(
    new: Sequence[CapturedChunk], old: Iterable[CapturedChunk], container: str | None = None
) -> dict[str, str]:
    """Map the ids of superseded old chunks to the new chunks that supersede them. `container`
    is the part of the page that was captured, if it was not the whole page.
    """
    new_statements = _index_by_words(new)
    superseded_by: dict[str, str] = {}
    for old_chunk in old:
        areas = {other.chunk_id: _in_same_container(other, old_chunk, container) for other in new}
        missing = [
            statement
            for statement in old_chunk.statements
            if not _is_present(statement, new_statements.get(statement.words, ()), areas)
        ]
        candidates = [
            (weight, other.chunk_id)
            for other in new
            if (weight := _count_replaced(other, old_chunk, missing, areas[other.chunk_id]))
        ]
        if candidates:
            superseded_by[old_chunk.chunk_id] = max(candidates, key=lambda pair: pair[0])[1]
    return superseded_by


def is_repeated(
    chunk: CapturedChunk, others: Sequence[CapturedChunk], container: str | None = None
) -> bool:
    """Whether other chunks contain all of its statements in the same area."""
    other_statements = _index_by_words(others)
    areas = {other.chunk_id: _in_same_container(chunk, other, container) for other in others}
    return all(
        _is_present(statement, other_statements.get(statement.words, ()), areas)
        for statement in chunk.statements
    )


def _index_by_words(chunks: Iterable[CapturedChunk]) -> dict[str, list[tuple[str, Statement]]]:
    by_words: dict[str, list[tuple[str, Statement]]] = {}
    for chunk in chunks:
        for statement in chunk.statements:
            by_words.setdefault(statement.words, []).append((chunk.chunk_id, statement))
    return by_words


def _is_present(
    statement: Statement, same: Sequence[tuple[str, Statement]], areas: dict[str, bool | None]
) -> bool:
    """Whether one of the equal statements is in the same area."""
    return any(
        statement.heading or _same_area(statement, other, areas[chunk_id])
        for chunk_id, other in same
    )


def _count_replaced(
    new: CapturedChunk, old: CapturedChunk, missing: Sequence[Statement], shared: bool | None
) -> int:
    """Number of gone statements that the new chunk replaces; 1 if it contains all of the old chunk."""
    new_words, old_words = ({one.words for one in chunk.statements} for chunk in (new, old))
    if not missing:
        return int(old_words <= new_words)
    added = [one for one in new.statements if one.words not in old_words]
    return sum(
        any(_same_area(one, other, shared) and _have_same_subject(one, other) for other in added)
        for one in missing
    )


def _in_same_container(
    new: CapturedChunk, old: CapturedChunk, container: str | None
) -> bool | None:
    """Whether both are in the same part of the page; None if it is the whole page, or unknown."""
    shared = set(new.containers) | ({container} if container else set())
    shared &= set(old.containers)
    if shared - BROAD:
        return True
    return None if shared or not (new.containers and old.containers) else False


def _same_area(one: Statement, other: Statement, shared: bool | None) -> bool:
    """Whether both are in the same part of the page, or under the same headings if any."""
    if shared:
        return True
    if one.path and other.path:
        short = min(len(one.path), len(other.path))
        return one.path[-short:] == other.path[-short:]
    return shared is None or (one.heading and other.heading)


def _have_same_subject(one: Statement, other: Statement) -> bool:
    if one.row or other.row:
        return one.row and other.row and bool(one.about) and one.about == other.about
    if one.heading != other.heading:
        return False
    if one.about and other.about:
        return one.about == other.about
    if min(len(one.bag), len(other.bag)) < LEAST_WORDS:
        return False
    return len(one.bag & other.bag) / len(one.bag | other.bag) >= ALIKE


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A stored capture with its chunks."""

    document: Document
    manifest: Manifest
    chunks: tuple[CapturedChunk, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedCapture:
    """The result of a merge: ids of the chunks to `keep`, and the chunks they supersede (old id to
    new). `at` is later than all other captures, whatever the clocks say.
    """

    keep: frozenset[str]
    supersedes: dict[str, str]
    at: datetime


async def load_captures(documents: Documents, document: Document) -> list[Capture]:
    """The other captures of the same URL in the same set."""
    if document.url is None:
        return []
    others = [
        one
        for one in await documents.list_by_url(document.tenant, document.url)
        if one.document_id != document.document_id and one.set_name == document.set_name
    ]
    if not others:
        return []
    manifests = await documents.manifests(document.tenant, others)
    ids = [entry.chunk_id for one in manifests.values() for entry in one.entries]
    chunks = await documents.chunks(document.tenant, ids)
    return [
        Capture(
            document=one,
            manifest=manifest,
            chunks=tuple(
                CapturedChunk.of(chunk)
                for entry in manifest.entries
                if (chunk := chunks.get(entry.chunk_id))
            ),
        )
        for one in others
        if (manifest := manifests.get(one.document_id))
    ]


def merge_capture(
    document: Document, chunks: Sequence[CapturedChunk], captures: Sequence[Capture], now: datetime
) -> MergedCapture:
    """Merge a new capture with the older ones.

    A capture taken after an interaction keeps only chunks that no other capture contains. A capture
    of the loaded page is kept whole, and supersedes identical chunks of others.
    """
    if not captures:
        return MergedCapture(keep=frozenset(one.chunk_id for one in chunks), supersedes={}, at=now)
    others = [one for capture in captures for one in capture.chunks]
    superseded_by = find_superseded(chunks, others, document.container)
    keep = {one.chunk_id for one in chunks}
    if document.phase == "post-interaction":
        visible = _unsuperseded(captures)
        texts = {one.chunk_id: one.plain for one in chunks}
        rivals = {  # new chunks that supersede an old one with different text
            new
            for one in visible
            if (new := superseded_by.get(one.chunk_id)) is not None and texts[new] != one.plain
        }
        keep = {
            one.chunk_id
            for one in chunks
            if one.chunk_id in rivals or not is_repeated(one, visible, document.container)
        }
    at = max([now, *(capture.document.ingested_at + TICK for capture in captures)])
    supersedes = {old: new for old, new in superseded_by.items() if new in keep}
    return MergedCapture(keep=frozenset(keep), supersedes=supersedes, at=at)


def _unsuperseded(captures: Sequence[Capture]) -> list[CapturedChunk]:
    """The chunks that the captures do not supersede among themselves."""
    pairs = [(capture.document, capture.manifest) for capture in captures]
    visible: list[CapturedChunk] = []
    for capture in captures:
        hidden = superseded_chunks(capture.document, pairs)
        visible += [one for one in capture.chunks if one.chunk_id not in hidden]
    return visible
