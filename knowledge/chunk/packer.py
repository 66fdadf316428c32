"""Packs units into chunks: up to the target size, by section, never across containers of a page."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from knowledge.chunk.blocks import Block
from knowledge.chunk.tokens import count_tokens, overlap_start
from knowledge.chunk.units import ChunkSizes, Cutter, Lead, Unit

LONGEST_HEADING = 200  # maximum characters of a heading in a path


@dataclass(slots=True)
class Section:
    """A heading and the blocks below it, up to the next heading; `path` ends with it. The first
    section has no heading.
    """

    path: tuple[str, ...]
    heading: Block | None = None
    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """A chunk under construction: consecutive units.

    `start` precedes the first unit if the chunk overlaps with the previous one or includes a
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
        """End offset, exclusive."""
        return self.units[-1].end

    @property
    def closed(self) -> bool:
        """Whether nothing can be joined to it, because its text differs from its span."""
        return any(unit.text is not None for unit in self.units)


def group_by_heading(blocks: list[Block]) -> list[Section]:
    """Group blocks into sections."""
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
    """Packs sections into drafts. `area` returns the number of the page area at an offset."""

    def __init__(self, text: str, limits: ChunkSizes, areas: "Areas") -> None:
        self._text = text
        self._limits = limits
        self._areas = areas
        self._cutter = Cutter(text, limits)

    def drafts(self, found: list[Section]) -> list[Draft]:
        """Pack all sections, merging small drafts with their neighbors."""
        made: list[Draft] = []
        for at, section in enumerate(found):
            below = found[at + 1].path if at + 1 < len(found) else ()
            for draft in self._of(section, below):
                if not made or not self._joined(made[-1], draft):
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
            draft = self._begun(section, unit, draft)
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
        if unit.text is not None or draft.closed or draft.area != self._areas.of(unit.start):
            return False
        together = draft.tokens + unit.tokens
        if draft.tokens < self._limits.least and together <= self._limits.most:
            return not unit.fresh or draft.tokens < self._limits.least // 2
        return together <= self._limits.target and not unit.fresh

    def _begun(self, section: Section, unit: Unit, before: Draft | None) -> Draft:
        start = unit.start
        tokens = unit.tokens + unit.repeated
        area = self._areas.of(unit.start)
        path = section.path
        if section.heading is not None and unit.start == section.heading.start:
            path = path[:-1]
        elif before is not None and area == before.area and unit.kind == "prose":
            start, tokens = self._overlapping(before, unit, tokens)
        return Draft(section, path, area, [unit], start, tokens)

    def _overlapping(self, before: Draft, unit: Unit, tokens: int) -> tuple[int, int]:
        """Start offset and tokens of a draft that repeats the last sentences of the previous one,
        if that ends with prose.
        """
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

    def _joined(self, draft: Draft, following: Draft) -> bool:
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


def common_path(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Common prefix of two paths."""
    length = 0
    while length < min(len(one), len(other)) and one[length] == other[length]:
        length += 1
    return one[:length]


class Areas:
    """Numbers the areas of a page: offsets with the same number may share a chunk."""

    def __init__(self, borders: list[int]) -> None:
        self._borders = sorted(set(borders))

    def of(self, place: int) -> int:
        return bisect_right(self._borders, place)
