"""Splits a document into chunks that can be read on their own and cited.

Units are packed up to the target size, by section, and never across containers of a page.
"""

import json
import textwrap
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import takewhile

from app.domain.base import Value
from app.domain.knowledge import ChunkKind
from knowledge.chunk.blocks import Block, parse_blocks
from knowledge.chunk.tokens import count_tokens, overlap_start, warm_cache
from knowledge.chunk.units import ChunkSizes, Cutter, Lead, Unit
from knowledge.extract import Extracted, PageStart, Region

LONGEST_HEADING = 200  # maximum characters of a heading in a path
OPENED = ("dialog", "menu", "listbox", "tabpanel", "details", "form")
"""Containers that change independently: their content never shares a chunk with content outside."""
SMALLEST_OWN = 200  # characters from which another container with an id gets its own chunks
MOST_NAMED = 12
MOST_INDENT = 400  # blanks before a line that are searched


@dataclass(slots=True)
class Section:
    """A heading, which the first section lacks, and the blocks below; `path` ends with it."""

    path: tuple[str, ...]
    heading: Block | None = None
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """`start` precedes the first unit if the chunk overlaps with the previous one or includes a
    heading.
    """

    section: Section
    path: tuple[str, ...]
    area: int
    units: list[Unit]
    start: int
    tokens: int

    @property
    def end(self) -> int:
        return self.units[-1].end

    @property
    def closed(self) -> bool:
        """Whether nothing can be joined to it, because its text differs from its span."""
        return any(unit.text is not None for unit in self.units)


def group_by_heading(blocks: list[Block]) -> list[Section]:
    found = [Section(())]
    above: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind != "heading":
            found[-1].blocks.append(block)
            continue
        above = [one for one in above if one[0] < block.level]
        above.append((block.level, block.title[:LONGEST_HEADING]))
        found.append(Section(tuple(title for _, title in above if title), block))
    return found


class Packer:
    """Packs sections into drafts, which never cross the `borders` between areas of the page."""

    def __init__(self, text: str, limits: ChunkSizes, borders: list[int]) -> None:
        self._text = text
        self._limits = limits
        self._borders = borders
        self._cutter = Cutter(text, limits)

    def drafts(self, found: list[Section]) -> list[Draft]:
        made: list[Draft] = []
        for at, section in enumerate(found):
            below = found[at + 1].path if at + 1 < len(found) else ()
            for draft in self._of(section, below):
                if not made or not self._merge(made[-1], draft):
                    made.append(draft)
        return made

    def _of(self, section: Section, below: tuple[str, ...]) -> Iterator[Draft]:
        draft: Draft | None = None
        for unit in self._units(section, below):
            if draft is not None and self._fits(draft, unit):
                draft.units.append(unit)
                draft.tokens += unit.tokens
                continue
            if draft is not None:
                yield draft
            draft = self._start_draft(section, unit, draft)
        if draft is not None:
            yield draft

    def _units(self, section: Section, below: tuple[str, ...]) -> Iterator[Unit]:
        leads: tuple[Lead, ...] = ()
        for block in section.blocks:
            yield from self._cutter.units(block, leads if block.kind in ("list", "table") else ())
            leads = self._cutter.lead_in(block)
        heading = section.heading
        alone = not section.blocks and below[: len(section.path)] != section.path
        if alone and heading is not None and heading.title:
            tokens = count_tokens(self._text[heading.start : heading.end])
            yield Unit(heading.start, heading.end, "prose", tokens)

    def _fits(self, draft: Draft, unit: Unit) -> bool:
        if unit.text is not None or draft.closed or draft.area != self._area(unit):
            return False
        together = draft.tokens + unit.tokens
        if draft.tokens < self._limits.least and together <= self._limits.most:
            return not unit.fresh or draft.tokens < self._limits.least // 2
        return together <= self._limits.target and not unit.fresh

    def _start_draft(self, section: Section, unit: Unit, before: Draft | None) -> Draft:
        start = unit.start
        tokens = unit.tokens + unit.repeated
        area = self._area(unit)
        path = section.path
        if section.heading is not None and unit.start == section.heading.start:
            path = path[:-1]
        elif before is not None and area == before.area and unit.kind == "prose":
            start, tokens = self._find_overlap(before, unit, tokens)
        return Draft(section, path, area, [unit], start, tokens)

    def _area(self, unit: Unit) -> int:
        return bisect_right(self._borders, unit.start)

    def _find_overlap(self, before: Draft, unit: Unit, tokens: int) -> tuple[int, int]:
        """Start and tokens of a draft that repeats the last sentences of prose before it."""
        last = before.units[-1]
        if last.kind != "prose" or before.closed or unit.leads or not self._limits.overlap:
            return unit.start, tokens
        start = overlap_start(self._text, before.start, last.end, self._limits.overlap)
        if start is None or start < last.start - 2_000:
            return unit.start, tokens
        more = count_tokens(self._text[start : unit.start])
        if tokens + more > self._limits.target:
            return unit.start, tokens
        return start, tokens + more

    def _merge(self, draft: Draft, following: Draft) -> bool:
        """Merge the smaller of two neighbors into the other if allowed; returns whether it did."""
        if draft.closed or following.closed or draft.area != following.area:
            return False
        if min(draft.tokens, following.tokens) >= self._limits.least:
            return False
        same = draft.section is following.section
        together = draft.tokens + following.tokens
        if together > (self._limits.most if same else self._limits.target):
            return False
        path = common_path(draft.path, following.path)
        if len(path) < min(len(draft.path), len(following.path)) - 1:
            return False
        if len(path) < len(draft.path) and draft.section.heading is not None:
            draft.start = min(draft.start, draft.section.heading.start)
        draft.path = path
        draft.units += following.units
        draft.tokens = together
        return True


def common_path(*paths: tuple[str, ...]) -> tuple[str, ...]:
    levels = takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False))
    return tuple(level[0] for level in levels)


def chunk_borders(regions: Sequence[Region]) -> list[int]:
    found: list[int] = []
    for region in regions:
        own = region.container.startswith("#") and region.end - region.start >= SMALLEST_OWN
        if own or region.container.partition("[")[0] in OPENED:
            found += [region.start, region.end]
    return sorted(found)


def containers_of(regions: Sequence[Region], start: int, end: int) -> tuple[str, ...]:
    """Containers that hold more than half of a span, innermost last."""
    held = [
        region
        for region in regions
        if 2 * (min(end, region.end) - max(start, region.start)) > end - start
    ]
    held.sort(key=lambda region: region.end - region.start, reverse=True)
    return tuple(dict.fromkeys(region.container for region in held))[-MOST_NAMED:]


class Piece(Value):
    """A chunk before it is stored: its text and its span in the document's Markdown.

    A table's piece repeats the column headers, so `text` may hold more than `start` to `end`. Spans
    are in characters; `tokens` counts `text`.
    """

    chunk_id: str
    text: str
    heading_path: tuple[str, ...] = ()
    kind: ChunkKind = "prose"
    tokens: int = 0
    start: int = 0
    end: int = 0
    page: int | None = None
    page_end: int | None = None
    marks: tuple[tuple[int, int], ...] = ()
    containers: tuple[str, ...] = ()


def chunk_document(
    extracted: Extracted, *, document_id: str, limits: ChunkSizes | None = None
) -> list[Piece]:
    """Split a document into chunks along its headings, lists, tables and code, in order.

    The text of a chunk is `start` to `end` without indentation, preceded by the context it repeats:
    the table header, the list's lead-in, the code fence. `heading_path` applies to the whole chunk;
    headings inside it are part of its text. Takes about 10 ms per 100 kB.
    """
    text = extracted.markdown
    size = limits or ChunkSizes()
    warm_cache(text)
    packer = Packer(text, size, chunk_borders(extracted.regions))
    marks = _marks(extracted)
    seen: Counter[str] = Counter()
    pieces: list[Piece] = []
    for draft in packer.drafts(group_by_heading(parse_blocks(text))):
        words = _words(text, draft)
        if not words:
            continue
        key = json.dumps([list(draft.path), words], ensure_ascii=True)
        name = f"{document_id}\n{key}\n{seen[key]}".encode("utf-8", "surrogatepass")
        chunk_id = sha256(name).hexdigest()[:24]
        pieces.append(_piece(extracted, draft, words, chunk_id, marks))
        seen[key] += 1
    return pieces


def _marks(extracted: Extracted) -> list[tuple[int, int]]:
    """Offset and number of each page and each sheet row."""
    made = [(one.start, one.number) for one in extracted.pages]
    for run in extracted.rows:
        at = run.start
        for number in range(run.number, run.number + run.lines):
            made.append((at, number))
            at = extracted.markdown.find("\n", at) + 1
    return made


def _within(
    text: str, draft: Draft, words: str, marks: list[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Marks within a chunk, relative to its own text and after the repeated context."""
    first = bisect_left(marks, (draft.start, 0))
    held = marks[first : bisect_left(marks, (draft.end, 0))]
    whole = text[draft.start : draft.end]
    content = whole.strip("\r\n").rstrip()
    at = words.find(content)
    if not held or at < 0:
        return tuple((0, number) for _, number in held[:1])
    at -= draft.start + len(whole) - len(whole.lstrip("\r\n"))
    return tuple((max(0, start + at), number) for start, number in held)


def _piece(
    extracted: Extracted, draft: Draft, words: str, chunk_id: str, marks: list[tuple[int, int]]
) -> Piece:
    start, end = draft.start, draft.end
    return Piece(
        chunk_id=chunk_id,
        text=words,
        heading_path=draft.path,
        kind=_kind(draft),
        tokens=count_tokens(words),
        start=start,
        end=end,
        page=_page(extracted.pages, start),
        page_end=_page(extracted.pages, max(start, end - 1)),
        marks=_within(extracted.markdown, draft, words, marks),
        containers=containers_of(extracted.regions, start, end),
    )


def _words(text: str, draft: Draft) -> str:
    first, last = draft.units[0], draft.units[-1]
    if first.text is not None:
        return "\n".join([*(lead.text.strip() for lead in first.leads), first.text])
    before = text[max(0, draft.start - MOST_INDENT) : draft.start]
    indent = before[before.rfind("\n") + 1 :]
    content = text[draft.start : draft.end].strip("\r\n").rstrip()
    if not content.strip():
        return ""
    leads = [lead.text for lead in first.leads if lead.start < draft.start]
    ends = [last.close.text] if last.close is not None and draft.end < last.close.end else []
    return textwrap.dedent(
        "\n".join([*leads, content if indent.strip() else indent + content, *ends])
    )


def _kind(draft: Draft) -> ChunkKind:
    sizes: Counter[ChunkKind] = Counter()
    for unit in draft.units:
        sizes[unit.kind] += unit.tokens
    return sizes.most_common(1)[0][0]


def _page(pages: Sequence[PageStart], place: int) -> int | None:
    at = bisect_right(pages, place, key=lambda page: page.start)
    return pages[max(0, at - 1)].number if pages else None
