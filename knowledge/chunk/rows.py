"""A large table as units: rows, each of which knows its head."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.text import patterns
from knowledge.chunk.blocks import LINE_END, Block
from knowledge.chunk.limits import Limits
from knowledge.chunk.sentences import shorter
from knowledge.chunk.tokens import count, counts

if TYPE_CHECKING:
    from knowledge.chunk.units import Lead, Unit

_CELL = patterns.compile(r"(?<!\\)\|")
LONGEST_NAME = 80  # characters of a column's or a row's name where it is said with each value


def units_of_table(
    text: str, block: Block, leads: "tuple[Lead, ...]", limits: Limits
) -> "Iterator[Unit]":
    """Its rows. A chunk that begins with one repeats the head; a row too long for a chunk with its head, and
    each row of a table whose head alone fills half of one, is said as `column: value`.
    """
    from knowledge.chunk.units import Lead, Unit  # noqa: PLC0415 - the two are one: units of a block

    spans = list(_rows(text, block))
    body = spans[2:] or spans
    head = text[spans[0][0] : spans[min(1, len(spans) - 1)][1]].strip("\r\n")
    lead = Lead(block.start, head, count(head))
    known = (*leads, lead)
    room = limits.most - sum(one.tokens for one in known)
    wide = lead.tokens > limits.target // 2
    said = sum(one.tokens for one in leads)
    for at, ((start, end), tokens) in enumerate(
        zip(body, counts(text[a:b] for a, b in body), strict=True)
    ):
        first = block.start if at == 0 else start
        if wide or tokens > room:
            for words in _pairs(
                text[spans[0][0] : spans[0][1]], text[start:end], limits.target - said
            ):
                yield Unit(first, end, "table", count(words), leads, text=words)
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
    room = max(16, most - count(first))
    lines: list[str] = []
    filled = 0
    for name, value in said:
        for start, end in shorter(value, (0, len(value)), max(8, room - count(name))):
            line = _line(name, value[start:end])
            tokens = count(line)
            if lines and filled + tokens > room:
                yield "\n".join(lines)
                lines, filled = [first], 0
            lines.append(line)
            filled += tokens
    yield "\n".join(lines)


def _line(name: str, value: str) -> str:
    return f"{name}: {value.strip()}" if name else value.strip()
