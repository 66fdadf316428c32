"""A block as the units that chunks are filled with: what is cut only where it is too large for one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.domain.knowledge import ChunkKind
from app.text import patterns
from knowledge.chunk.blocks import LINE_END, Block, strip_marks
from knowledge.chunk.tokens import count_tokens, count_tokens_each, fit_sentences, split_span


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSizes:
    """Sizes in tokens. Chunks are filled up to `target`; only what is one thing, as a listing of code,
    may be larger, up to `most`. What is smaller than `least` is joined with what stands beside it. Where
    prose of a section is cut, the next chunk begins with up to `overlap` of what the last one ended with.
    """

    target: int = 220
    most: int = 400
    least: int = 60
    overlap: int = 32


_CELL = patterns.compile(r"(?<!\\)\|")
LONGEST_NAME = 80  # characters of a column's or a row's name where it is said with each value


LONGEST_LEAD = 160  # characters of what an item or a paragraph says above what is cut from it
KINDS: dict[str, ChunkKind] = {"list": "list", "item": "list", "table": "table", "code": "code"}


class Lead(NamedTuple):
    """What is said once at `start` and holds for all that follows in its block, as the head of a table: a
    chunk that begins behind it repeats it.
    """

    start: int
    text: str
    tokens: int


class Close(NamedTuple):
    """What ends a block at `end`; a chunk that ends before it says it too."""

    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Unit:
    """Characters `start` to `end` that stay together. `text` is given where it is not what stands there;
    such a unit is a chunk of its own. `fresh`: a chunk begins with it.
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
        """The tokens that it brings along if a chunk begins with it."""
        return sum(lead.tokens for lead in self.leads if lead.start < self.start)


class Cutter:
    """Cuts the blocks of one text."""

    def __init__(self, text: str, limits: ChunkSizes) -> None:
        self._text = text
        self._limits = limits

    def units(
        self, block: Block, leads: tuple[Lead, ...] = (), *, start: int | None = None
    ) -> Iterator[Unit]:
        """The units of a block, which may be said to begin a little earlier, as with its bullet."""
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
        """What a paragraph says of the list below it: it ends with a colon."""
        said = self._text[block.start : block.end]
        if block.kind != "prose" or not said.endswith((":", "\uff1a")) or len(said) > LONGEST_LEAD:
            return ()
        return (Lead(block.start, said, count_tokens(said)),)

    def _inner(self, block: Block, leads: tuple[Lead, ...], begin: int) -> Iterator[Unit]:
        """The blocks that a list, an item or a quote is made of; below an item's first all know its line."""
        known = leads
        for at, inner in enumerate(block.inner):
            yield from self.units(inner, known, start=begin if at == 0 else None)
            if at == 0 and block.kind == "item":
                known = self._known(leads, begin, inner.end)
        last = block.inner[-1].end
        if last < block.end and self._text[last : block.end].strip():
            yield from self._sentences(last, block.end, "list", known)

    def _known(self, leads: tuple[Lead, ...], begin: int, end: int) -> tuple[Lead, ...]:
        line = self._text[begin:end].strip("\n").partition("\n")[0].rstrip()
        short = line if len(line) <= LONGEST_LEAD else line[:LONGEST_LEAD].rsplit(" ", 1)[0] + " …"
        if not strip_marks(short):
            return leads
        kept = (*leads, Lead(begin, short, count_tokens(short)))
        return kept if sum(lead.tokens for lead in kept) <= self._limits.target // 3 else leads

    def _sentences(
        self, start: int, end: int, kind: ChunkKind, leads: tuple[Lead, ...]
    ) -> Iterator[Unit]:
        most = self._limits.target - sum(lead.tokens for lead in leads)
        for (begin, after), tokens in fit_sentences(self._text, start, end, max(most, 16)):
            yield Unit(begin, after, kind, tokens, leads)

    def _lines(self, block: Block, leads: tuple[Lead, ...], begin: int) -> Iterator[Unit]:
        """A listing's lines; a fenced one is opened and closed anew in each of its chunks."""
        text = self._text
        line = text[begin : block.end].partition("\n")[0]
        fence = line.lstrip(" \t>-*+0123456789.)")[:3]
        fenced = block.info is not None and fence in ("```", "~~~")
        indent = " " * (len(line) - len(line.lstrip(" ")))
        opened = f"{indent}{fence}{(block.info or '')[:40]}"
        known = (*leads, Lead(block.start, opened, count_tokens(opened))) if fenced else leads
        close = Close(block.end, indent + fence) if fenced else None
        for unit in self._grouped(begin, block.end, known):
            yield replace(unit, close=close, fresh=unit.start == begin)

    def _grouped(self, start: int, end: int, leads: tuple[Lead, ...]) -> Iterator[Unit]:
        """Lines by the blank lines between them where these parts are small enough, else one by one."""
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
    """Its rows. A chunk that begins with one repeats the head; a row too long for a chunk with its head, and
    each row of a table whose head alone fills half of one, is said as `column: value`.
    """
    spans = list(_rows(text, block))
    body = spans[2:] or spans
    head = text[spans[0][0] : spans[min(1, len(spans) - 1)][1]].strip("\r\n")
    lead = Lead(block.start, head, count_tokens(head))
    known = (*leads, lead)
    room = limits.most - sum(one.tokens for one in known)
    wide = lead.tokens > limits.target // 2
    said = sum(one.tokens for one in leads)
    for at, ((start, end), tokens) in enumerate(
        zip(body, count_tokens_each(text[a:b] for a, b in body), strict=True)
    ):
        first = block.start if at == 0 else start
        if wide or tokens > room:
            for words in _pairs(
                text[spans[0][0] : spans[0][1]], text[start:end], limits.target - said
            ):
                yield Unit(first, end, "table", count_tokens(words), leads, text=words)
            continue
        extra = lead.tokens if at == 0 else 0
        yield Unit(first, end, "table", tokens + extra, known, fresh=at == 0)


def _rows(text: str, block: Block) -> Iterator[tuple[int, int]]:
    at = block.start
    for found in LINE_END.finditer(text[block.start : block.end]):
        end = block.start + found.end()
        yield at, end
        at = end
    if at < block.end:
        yield at, block.end


def cells(row: str) -> list[str]:
    """What stands in the cells of a line of a table."""
    return [cell.strip() for cell in _CELL.split(row.strip().removeprefix("|").removesuffix("|"))]


def _pairs(head: str, row: str, most: int) -> Iterator[str]:
    """A row as lines `column: value`, in texts of at most about `most` tokens which all begin with the first
    of its cells that says something: mostly its name.
    """
    names, values = cells(head), cells(row)
    names += [""] * (len(values) - len(names))
    said = [
        (name[:LONGEST_NAME], value) for name, value in zip(names, values, strict=False) if value
    ]
    if not said:
        return
    first = _line(said[0][0], said[0][1][:LONGEST_NAME])
    room = max(16, most - count_tokens(first))
    lines: list[str] = []
    filled = 0
    for name, value in said:
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
