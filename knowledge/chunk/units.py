"""Splits blocks that exceed one chunk into the units that chunks are packed from."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.domain.knowledge import ChunkKind
from app.text import patterns
from knowledge.chunk.blocks import LINE_END, Block, strip_marks
from knowledge.chunk.tokens import count_tokens, count_tokens_each, fit_sentences, split_span

_CELL = patterns.compile(r"(?<!\\)\|")
LONGEST_NAME = 80  # characters of a column or row name repeated with each value
LONGEST_LEAD = 160  # characters of the lead-in of an item or paragraph repeated below it
KINDS: dict[str, ChunkKind] = {"list": "list", "item": "list", "table": "table", "code": "code"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSizes:
    """Chunks are filled up to `target`; an indivisible block, such as a code listing, may take
    up to `most`. Chunks smaller than `least` are merged with a neighbor. When prose is split
    within a section, the next chunk repeats up to `overlap` tokens.
    """

    target: int = 220
    most: int = 400
    least: int = 60
    overlap: int = 32


class Lead(NamedTuple):
    """Context at `start`, such as a table header, that later chunks of its block repeat."""

    start: int
    text: str
    tokens: int


class Close(NamedTuple):
    """Text that closes a block at `end`, such as a fence; a chunk that ends earlier appends it."""

    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Unit:
    """`text` is set if it differs from the span; such a unit is a chunk of its own. `fresh`
    means that a chunk begins with this unit.
    """

    start: int
    end: int
    kind: ChunkKind
    tokens: int
    leads: tuple[Lead, ...] = ()
    close: Close | None = None
    text: str | None = None
    fresh: bool = False

    @property
    def repeated(self) -> int:
        """Tokens of context repeated if a chunk begins with this unit."""
        return sum(lead.tokens for lead in self.leads if lead.start < self.start)


class Cutter:
    """Splits the blocks of one text into units."""

    def __init__(self, text: str, limits: ChunkSizes) -> None:
        self._text = text
        self._limits = limits

    def units(
        self, block: Block, leads: tuple[Lead, ...] = (), *, start: int | None = None
    ) -> Iterator[Unit]:
        """Units of a block; `start` may precede the block, for example to include a bullet."""
        begin = block.start if start is None else start
        kind = KINDS.get(block.kind, "prose")
        tokens = count_tokens(self._text[begin : block.end])
        most = self._limits.most if block.kind == "code" else self._limits.target
        if tokens <= most - sum(lead.tokens for lead in leads if lead.start < begin):
            yield Unit(begin, block.end, kind, tokens, leads)
        elif block.kind == "table":
            yield from units_of_table(self._text, block, leads, self._limits)
        elif block.kind == "code":
            yield from self._lines(block, leads, begin)
        elif block.inner:
            yield from self._inner(block, leads, begin)
        else:
            yield from self._sentences(begin, block.end, kind, leads)

    def lead_in(self, block: Block) -> tuple[Lead, ...]:
        """The paragraph before a list as its lead-in, if it ends with a colon."""
        paragraph = self._text[block.start : block.end]
        if (
            block.kind != "prose"
            or not paragraph.endswith((":", "\uff1a"))
            or len(paragraph) > LONGEST_LEAD
        ):
            return ()
        return (Lead(block.start, paragraph, count_tokens(paragraph)),)

    def _inner(self, block: Block, leads: tuple[Lead, ...], begin: int) -> Iterator[Unit]:
        """Units of the blocks in a list, item or quote; blocks of an item repeat its first line."""
        repeated_leads = leads
        for at, inner in enumerate(block.inner):
            yield from self.units(inner, repeated_leads, start=begin if at == 0 else None)
            if at == 0 and block.kind == "item":
                repeated_leads = self._with_first_line(leads, begin, inner.end)
        last = block.inner[-1].end
        if last < block.end and self._text[last : block.end].strip():
            yield from self._sentences(last, block.end, "list", repeated_leads)

    def _with_first_line(self, leads: tuple[Lead, ...], begin: int, end: int) -> tuple[Lead, ...]:
        line = self._text[begin:end].strip("\n").partition("\n")[0].rstrip()
        short = line if len(line) <= LONGEST_LEAD else line[:LONGEST_LEAD].rsplit(" ", 1)[0] + " …"
        if not strip_marks(short):
            return leads
        extended = (*leads, Lead(begin, short, count_tokens(short)))
        return (
            extended if sum(lead.tokens for lead in extended) <= self._limits.target // 3 else leads
        )

    def _sentences(
        self, start: int, end: int, kind: ChunkKind, leads: tuple[Lead, ...]
    ) -> Iterator[Unit]:
        most = self._limits.target - sum(lead.tokens for lead in leads)
        for (begin, after), tokens in fit_sentences(self._text, start, end, max(most, 16)):
            yield Unit(begin, after, kind, tokens, leads)

    def _lines(self, block: Block, leads: tuple[Lead, ...], begin: int) -> Iterator[Unit]:
        """Units of a code listing; a fence is closed and reopened in each chunk."""
        text = self._text
        line = text[begin : block.end].partition("\n")[0]
        fence = line.lstrip(" \t>-*+0123456789.)")[:3]
        fenced = block.info is not None and fence in ("```", "~~~")
        indent = " " * (len(line) - len(line.lstrip(" ")))
        opening = f"{indent}{fence}{(block.info or '')[:40]}"
        repeated_leads = (
            (*leads, Lead(block.start, opening, count_tokens(opening))) if fenced else leads
        )
        close = Close(block.end, indent + fence) if fenced else None
        for unit in self._group_lines(begin, block.end, repeated_leads):
            yield replace(unit, close=close, fresh=unit.start == begin)

    def _group_lines(self, start: int, end: int, leads: tuple[Lead, ...]) -> Iterator[Unit]:
        """Split lines at blank lines if the parts are small enough, else line by line."""
        spans = list(_lines(self._text, start, end))
        for span, tokens in zip(
            spans, count_tokens_each(self._text[a:b] for a, b in spans), strict=True
        ):
            if tokens <= self._limits.target:
                yield Unit(*span, "code", tokens, leads)
                continue
            for (begin, after), part in fit_sentences(self._text, *span, self._limits.target):
                yield Unit(begin, after, "code", part, leads)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    while at < end:
        found = text.find("\n", at, end)
        after = end if found < 0 else found + 1
        yield at, after
        at = after


def units_of_table(
    text: str, block: Block, leads: tuple[Lead, ...], limits: ChunkSizes
) -> Iterator[Unit]:
    """A chunk that begins with a row repeats the header. A row too long to fit with its header,
    and every row of a table whose header fills half a chunk, is written as `column: value`.
    """
    spans = list(_rows(text, block))
    body = spans[2:] or spans
    head = text[spans[0][0] : spans[min(1, len(spans) - 1)][1]].strip("\r\n")
    lead = Lead(block.start, head, count_tokens(head))
    all_leads = (*leads, lead)
    room = limits.most - sum(one.tokens for one in all_leads)
    wide = lead.tokens > limits.target // 2
    repeated = sum(one.tokens for one in leads)
    for at, ((start, end), tokens) in enumerate(
        zip(body, count_tokens_each(text[a:b] for a, b in body), strict=True)
    ):
        first = block.start if at == 0 else start
        if wide or tokens > room:
            for words in _pairs(
                text[spans[0][0] : spans[0][1]], text[start:end], limits.target - repeated
            ):
                yield Unit(first, end, "table", count_tokens(words), leads, text=words)
            continue
        extra = lead.tokens if at == 0 else 0
        yield Unit(first, end, "table", tokens + extra, all_leads, fresh=at == 0)


def _rows(text: str, block: Block) -> Iterator[tuple[int, int]]:
    at = block.start
    for found in LINE_END.finditer(text[block.start : block.end]):
        end = block.start + found.end()
        yield at, end
        at = end
    if at < block.end:
        yield at, block.end


def cells(row: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(row.strip().removeprefix("|").removesuffix("|"))]


def _pairs(head: str, row: str, most: int) -> Iterator[str]:
    """A row as `column: value` lines, in texts of about `most` tokens that begin with its name."""
    names, values = cells(head), cells(row)
    names += [""] * (len(values) - len(names))
    pairs = [
        (name[:LONGEST_NAME], value) for name, value in zip(names, values, strict=False) if value
    ]
    if not pairs:
        return
    first = _line(pairs[0][0], pairs[0][1][:LONGEST_NAME])
    room = max(16, most - count_tokens(first))
    lines: list[str] = []
    filled = 0
    for name, value in pairs:
        for start, end in split_span(value, (0, len(value)), max(8, room - count_tokens(name))):
            line = _line(name, value[start:end])
            tokens = count_tokens(line)
            if lines and filled + tokens > room:
                yield "\n".join(lines)
                lines, filled = [first], 0
            lines.append(line)
            filled += tokens
    yield "\n".join(lines)


def _line(name: str, value: str) -> str:
    return f"{name}: {value.strip()}" if name else value.strip()
