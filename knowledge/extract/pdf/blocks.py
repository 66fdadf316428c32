"""Groups lines of a PDF page into blocks: paragraphs, list items, code, tables, candidate headings."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from app.text import patterns
from knowledge.extract.pdf.page import MARK, Line, Page, lines_of, reading_order
from knowledge.extract.pdf.tables import ruled_tables, unruled_tables

Kind = Literal["text", "item", "code", "table"]

LEADING = 0.3  # default line spacing, relative to the font size
EXTRA_LEADING = (
    0.25  # relative to the font size: a larger gap than the line spacing separates paragraphs
)
EDGE = 0.12  # of the page height, at the top and bottom: where headers and footers are
MOST_EDGES = 2  # maximum lines of a header or footer
MIN_GAP = 0.8  # relative to the font size: minimum gap between a header and the text
SHORT_LINE = 0.8  # of an area's width: a shorter line ends a paragraph
SOFT = "\u00ad"
_BULLET = patterns.compile(r"\(?\w+[.)]")
_NUMBERED = patterns.compile(r"\d{1,2}(\.\d{1,2}){0,4}\.?")


@dataclass(slots=True)
class Block:
    """`size`: font size in points. `edge`: vertical position in points of a line at the top or
    bottom of the page, which may be a running header or footer. `whole`: its last line is full,
    so the text may continue in the next block. `left`: left edge of a table.
    """

    kind: Kind
    text: str
    size: float = 0.0
    bold: bool = False
    lines: int = 1
    edge: int | None = None
    whole: bool = False
    left: float = 0.0


@dataclass(slots=True)
class Row:
    """A line with the features that show where a block ends."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool
    mono: bool
    table: str = ""


def page_blocks(page: Page) -> list[Block]:
    tables, words = ruled_tables(page.words, page.rules)
    lines = lines_of(words) + [[one] for one in tables]
    lines.sort(key=lambda line: (min(one.top for one in line), line[0].left))
    header, lines = _split_edge(lines, page.height)
    footer, lines = _split_edge(lines[::-1], page.height)
    areas = reading_order(unruled_tables(lines[::-1], over_columns=True), page.width)
    blocks = header + [
        block for area in areas for block in _blocks([_row(line) for line in unruled_tables(area)])
    ]
    blocks += footer[::-1]
    if page.aside:
        blocks.append(Block("text", " ".join(word.text for word in page.aside).replace(SOFT, "")))
    return blocks


def _row(line: Line) -> Row:
    words = [word for one in line for word in one.words]
    letters = sum(len(word.text) for word in words) or 1
    longest = max(line, key=lambda one: sum(len(word.text) for word in one.words))
    return Row(
        text="  ".join(one.text for one in line),
        left=line[0].left,
        top=min(one.top for one in line),
        right=line[-1].right,
        bottom=max(one.bottom for one in line),
        size=longest.size,
        bold=sum(len(word.text) for word in words if word.style.bold) > 0.8 * letters,
        mono=sum(len(word.text) for word in words if word.style.mono) > 0.9 * letters,
        table="\n\n".join(one.table for one in line if one.table),
    )


def _split_edge(lines: list[Line], height: float) -> tuple[list[Block], list[Line]]:
    """Split off the first lines if they are at the page's edge and apart from the rest."""
    blocks: list[Block] = []
    for number, line in enumerate(lines[:MOST_EDGES]):
        row, rest = _row(line), lines[number + 1 :]
        if row.table or EDGE * height < (row.top + row.bottom) / 2 < (1 - EDGE) * height:
            break
        if len(line) > 1 and rest and len(rest[0]) == len(line):
            break  # a table row
        blocks.append(
            Block("text", join_lines([row.text]), row.size, row.bold, edge=round(row.top))
        )
        if not rest:
            return blocks, rest
        following = _row(rest[0])
        if max(following.top - row.bottom, row.top - following.bottom) > MIN_GAP * row.size:
            return blocks, rest
    return [], lines


def _blocks(rows: list[Row]) -> Iterator[Block]:
    right = max((row.right for row in rows), default=0.0)
    left = min((row.left for row in rows), default=0.0)
    full_width = (right - left) * SHORT_LINE
    leading = _leading(rows)
    pending: list[Row] = []
    for row in rows:
        if pending and not _continues_block(pending, row, left + full_width, leading):
            yield _block(pending, left, left + full_width)
            pending = []
        pending.append(row)
    if pending:
        yield _block(pending, left, left + full_width)


def _continues_block(pending: list[Row], row: Row, full_right: float, leading: float) -> bool:
    last = pending[-1]
    if row.table or last.table or row.mono != last.mono:
        return False
    if abs(row.size - last.size) > 0.08 * last.size or row.bold != last.bold:
        return False
    gap = row.top - last.bottom
    if row.mono:
        return -row.size < gap < 1.6 * row.size
    if gap > (leading + EXTRA_LEADING) * row.size or gap < -0.8 * row.size or _is_item(row.text):
        return False
    # A short line followed by the start of a sentence: a new paragraph without a gap.
    ends_paragraph = last.right < full_right and last.text.endswith((".", ":", "!", "?"))
    return not (ends_paragraph and row.left >= pending[0].left - 1 and row.text[:1].isupper())


def _leading(rows: list[Row]) -> float:
    """Median line spacing, relative to the font size."""
    gaps = sorted(
        (row.top - last.bottom) / row.size
        for last, row in itertools.pairwise(rows)
        if row.size == last.size > 0 and -0.5 < (row.top - last.bottom) / row.size < 1.5
    )
    return gaps[len(gaps) // 3] if len(gaps) >= 4 else LEADING


def _is_item(text: str) -> bool:
    mark, _, rest = text.partition(" ")
    # A number without a period is a label only if it is set apart.
    is_set_apart = mark.isdecimal() and len(mark) < 4 and rest.startswith(" ")
    return bool(rest) and (is_set_apart or bool(MARK.fullmatch(mark)))


def _block(rows: list[Row], left: float, full_right: float) -> Block:
    first = rows[0]
    if first.table:
        return Block("table", first.table, left=first.left)
    if first.mono and (len(rows) > 1 or first.left > left + first.size):
        return Block("code", _code(rows), first.size, lines=len(rows))
    text = join_lines(row.text for row in rows)
    numbered = first.bold and _NUMBERED.fullmatch(first.text.partition(" ")[0])
    kind: Kind = "item" if _is_item(first.text) and not numbered else "text"
    return Block(
        kind,
        _item(text) if kind == "item" else text,
        first.size,
        first.bold,
        len(rows),
        whole=rows[-1].right >= full_right,
    )


def _item(text: str) -> str:
    """A list item in Markdown; letters and roman numerals are kept."""
    mark, rest = text.split(maxsplit=1)
    if mark.strip("().").isdecimal():
        return f"{mark.strip('().')}. {rest}"
    return f"- {text}" if _BULLET.fullmatch(mark) else f"- {rest}"


def _code(rows: list[Row]) -> str:
    widths = Counter(
        round((row.right - row.left) / len(row.text), 1) for row in rows if len(row.text) > 3
    )
    letter = (widths.most_common(1)[0][0] if widths else rows[0].size * 0.6) or 1.0
    left = min(row.left for row in rows)
    lines = [" " * round((row.left - left) / letter) + row.text.replace(SOFT, "-") for row in rows]
    return "```\n" + "\n".join(lines).replace("```", "'''") + "\n```"


def join_lines(lines: Iterable[str]) -> str:
    """Join lines to running text and rejoin hyphenated words."""
    text = ""
    for line in lines:
        if text.endswith(SOFT):
            text = text[:-1] + ("" if line[:1].islower() else "-") + line
        elif text.endswith("-") and text[-2:-1].isalpha() and line[:1].islower():
            text = text[:-1] + line
        else:
            text = f"{text} {line}" if text else line
    # Remaining marks are within a line, where they are hyphens.
    return text[:-1].replace(SOFT, "-") + text[-1:]
