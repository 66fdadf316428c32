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
ISOLATED = ("dialog", "menu", "listbox", "tabpanel", "details", "form")
"""Containers that change independently of the page: no chunk crosses their borders."""
MIN_ISOLATED = 200  # minimum characters of any other container with an id to be isolated too
MAX_CONTAINERS = 12
MOST_INDENT = 400  # characters before a chunk searched for the indentation of its first line


@dataclass(slots=True)
class Section:
    """A heading and the blocks below it. `path` ends with the heading; the first section has none."""

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
        """Whether no unit can be appended, because the text differs from the span."""
        return any(unit.text is not None for unit in self.units)


def group_by_heading(blocks: list[Block]) -> list[Section]:
    sections = [Section(())]
    above: list[tuple[int, str]] = []
    for block in blocks:
        if block.kind != "heading":
            sections[-1].blocks.append(block)
            continue
        above = [one for one in above if one[0] < block.level]
        above.append((block.level, block.title[:LONGEST_HEADING]))
        sections.append(Section(tuple(title for _, title in above if title), block))
    return sections


class Packer:
    """Packs sections into drafts, which never cross the `borders` between areas of the page."""

    def __init__(self, text: str, limits: ChunkSizes, borders: list[int]) -> None:
        self._text = text
        self._limits = limits
        self._borders = borders
        self._cutter = Cutter(text, limits)

    def drafts(self, sections: list[Section]) -> list[Draft]:
        drafts: list[Draft] = []
        for index, section in enumerate(sections):
            below = sections[index + 1].path if index + 1 < len(sections) else ()
            for draft in self._section_drafts(section, below):
                if not drafts or not self._merge(drafts[-1], draft):
                    drafts.append(draft)
        return drafts

    def _section_drafts(self, section: Section, below: tuple[str, ...]) -> Iterator[Draft]:
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
        total = draft.tokens + unit.tokens
        if draft.tokens < self._limits.least and total <= self._limits.most:
            return not unit.fresh or draft.tokens < self._limits.least // 2
        return total <= self._limits.target and not unit.fresh

    def _start_draft(self, section: Section, unit: Unit, previous: Draft | None) -> Draft:
        start = unit.start
        tokens = unit.tokens + unit.repeated
        area = self._area(unit)
        path = section.path
        if section.heading is not None and unit.start == section.heading.start:
            path = path[:-1]
        elif previous is not None and area == previous.area and unit.kind == "prose":
            start, tokens = self._find_overlap(previous, unit, tokens)
        return Draft(section, path, area, [unit], start, tokens)

    def _area(self, unit: Unit) -> int:
        return bisect_right(self._borders, unit.start)

    def _find_overlap(self, previous: Draft, unit: Unit, tokens: int) -> tuple[int, int]:
        """Start and token count of a draft that repeats the last sentences of the previous one."""
        last = previous.units[-1]
        if last.kind != "prose" or previous.closed or unit.leads or not self._limits.overlap:
            return unit.start, tokens
        start = overlap_start(self._text, previous.start, last.end, self._limits.overlap)
        if start is None or start < last.start - 2_000:
            return unit.start, tokens
        added = count_tokens(self._text[start : unit.start])
        if tokens + added > self._limits.target:
            return unit.start, tokens
        return start, tokens + added

    def _merge(self, draft: Draft, following: Draft) -> bool:
        """Merge the smaller of two neighbors into the other if allowed; returns whether it did."""
        if draft.closed or following.closed or draft.area != following.area:
            return False
        if min(draft.tokens, following.tokens) >= self._limits.least:
            return False
        same_section = draft.section is following.section
        total = draft.tokens + following.tokens
        if total > (self._limits.most if same_section else self._limits.target):
            return False
        path = common_path(draft.path, following.path)
        if len(path) < min(len(draft.path), len(following.path)) - 1:
            return False
        if len(path) < len(draft.path) and draft.section.heading is not None:
            draft.start = min(draft.start, draft.section.heading.start)
        draft.path = path
        draft.units += following.units
        draft.tokens = total
        return True


def common_path(*paths: tuple[str, ...]) -> tuple[str, ...]:
    levels = takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False))
    return tuple(level[0] for level in levels)


def chunk_borders(regions: Sequence[Region]) -> list[int]:
    borders: list[int] = []
    for region in regions:
        has_own_chunks = (
            region.container.startswith("#") and region.end - region.start >= MIN_ISOLATED
        )
        if has_own_chunks or region.container.partition("[")[0] in ISOLATED:
            borders += [region.start, region.end]
    return sorted(borders)


def containers_of(regions: Sequence[Region], start: int, end: int) -> tuple[str, ...]:
    """Containers that hold more than half of a span, innermost last."""
    covering = [
        region
        for region in regions
        if 2 * (min(end, region.end) - max(start, region.start)) > end - start
    ]
    covering.sort(key=lambda region: region.end - region.start, reverse=True)
    return tuple(dict.fromkeys(region.container for region in covering))[-MAX_CONTAINERS:]


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
    sizes = limits or ChunkSizes()
    warm_cache(text)
    packer = Packer(text, sizes, chunk_borders(extracted.regions))
    marks = _page_and_row_marks(extracted)
    seen: Counter[str] = Counter()
    pieces: list[Piece] = []
    for draft in packer.drafts(group_by_heading(parse_blocks(text))):
        words = _chunk_text(text, draft)
        if not words:
            continue
        key = json.dumps([list(draft.path), words], ensure_ascii=True)
        identity = f"{document_id}\n{key}\n{seen[key]}".encode("utf-8", "surrogatepass")
        chunk_id = sha256(identity).hexdigest()[:24]
        pieces.append(_piece(extracted, draft, words, chunk_id, marks))
        seen[key] += 1
    return pieces


def _page_and_row_marks(extracted: Extracted) -> list[tuple[int, int]]:
    """Offset and number of each page and each sheet row."""
    marks = [(one.start, one.number) for one in extracted.pages]
    for rows in extracted.rows:
        at = rows.start
        for number in range(rows.number, rows.number + rows.lines):
            marks.append((at, number))
            at = extracted.markdown.find("\n", at) + 1
    return marks


def _marks_within(
    text: str, draft: Draft, words: str, marks: list[tuple[int, int]]
) -> tuple[tuple[int, int], ...]:
    """Marks within a chunk, relative to its own text and after the repeated context."""
    first = bisect_left(marks, (draft.start, 0))
    inside = marks[first : bisect_left(marks, (draft.end, 0))]
    whole = text[draft.start : draft.end]
    content = whole.strip("\r\n").rstrip()
    offset = words.find(content)
    if not inside or offset < 0:
        return tuple((0, number) for _, number in inside[:1])
    offset -= draft.start + len(whole) - len(whole.lstrip("\r\n"))
    return tuple((max(0, start + offset), number) for start, number in inside)


def _piece(
    extracted: Extracted, draft: Draft, words: str, chunk_id: str, marks: list[tuple[int, int]]
) -> Piece:
    start, end = draft.start, draft.end
    return Piece(
        chunk_id=chunk_id,
        text=words,
        heading_path=draft.path,
        kind=_main_kind(draft),
        tokens=count_tokens(words),
        start=start,
        end=end,
        page=_page_at(extracted.pages, start),
        page_end=_page_at(extracted.pages, max(start, end - 1)),
        marks=_marks_within(extracted.markdown, draft, words, marks),
        containers=containers_of(extracted.regions, start, end),
    )


def _chunk_text(text: str, draft: Draft) -> str:
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


def _main_kind(draft: Draft) -> ChunkKind:
    sizes: Counter[ChunkKind] = Counter()
    for unit in draft.units:
        sizes[unit.kind] += unit.tokens
    return sizes.most_common(1)[0][0]


def _page_at(pages: Sequence[PageStart], offset: int) -> int | None:
    index = bisect_right(pages, offset, key=lambda page: page.start)
    return pages[max(0, index - 1)].number if pages else None
