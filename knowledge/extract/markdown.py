"""Builds Markdown from text; escapes what would otherwise be parsed as a heading, table or fence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.bounds import bounds, cut
from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import markdown as md
from knowledge.extract.port import Extracted, PageStart

MOST_SPAN = 1_000  # columns or rows spanned by one cell: HTML's limit for columns
MOST_CELLS = 5_000_000  # per table, after spans are filled
MOST_HEADS = 4  # header rows
DEEPEST_HEADING = 6
_LINES = patterns.compile(r"\s*\n\s*")
_BLOCK = patterns.compile(
    r"^(?=#{1,6}(?:\s|$)|\||```|~~~|(?:=+|-{2,}|_{3,}|\*{3,})[ \t]*$)", patterns.MULTILINE
)
_SPACES = patterns.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with its column and row span."""

    text: str
    across: int = 1
    down: int = 1


def fill_spans(rows: Sequence[Sequence[Cell]]) -> tuple[list[list[str]], int]:
    """Copy spanning cells into all positions they cover; returns the grid and its number of
    header rows. A cell that spans a whole row (a heading inside the table) is kept once. Rows
    may differ in length.
    """
    grid: list[dict[int, str]] = [{} for _ in rows]
    size = 0
    for number, row in enumerate(rows):
        column = 0
        for cell in row:
            while column in grid[number]:
                column += 1
            across = max(1, min(cell.across, MOST_SPAN))
            down = max(1, min(cell.down, MOST_SPAN, len(rows) - number))
            size += across * down
            if size > MOST_CELLS:
                break
            alone = len(row) == 1 and not grid[number]
            for row_index in range(number, number + down):
                for column_index in range(column, column + across):
                    grid[row_index][column_index] = (
                        "" if alone and column_index > column else cell.text
                    )
            column += across
    width = max((max(row, default=-1) + 1 for row in grid), default=0)
    return [[row.get(column, "") for column in range(width)] for row in grid], _heads(rows)


def _heads(rows: Sequence[Sequence[Cell]]) -> int:
    """Number of header rows: a header with merged columns has another header row below."""
    heads = 1
    for number, row in enumerate(rows[:MOST_HEADS]):
        if number >= heads:
            break
        # If all cells of a row span equally many rows, it is one tall row.
        deepest = max((cell.down for cell in row), default=1)
        shallow = min((cell.down for cell in row), default=1)
        if deepest > shallow:
            heads = max(heads, number + deepest)
        if len(row) > 1 and any(cell.across > 1 and cell.text.strip() for cell in row):
            heads = max(heads, number + 2)
    return min(heads, MOST_HEADS, max(1, len(rows) - 1))


def pipe_table(rows: Iterable[Sequence[str]], heads: int = 1) -> str:
    """Build a pipe table; the first `heads` rows become its header, joined by ` / `. Empty rows
    and columns are dropped. Returns "" if nothing is left.
    """
    filled = [list(row) for row in rows]
    width = max((len(row) for row in filled), default=0)
    filled = [row + [""] * (width - len(row)) for row in filled]
    used = [column for column in range(width) if any(row[column].strip() for row in filled)]
    head = [
        " / ".join(dict.fromkeys(filter(None, (row[column].strip() for row in filled[:heads]))))
        for column in used
    ]
    body = [[row[column] for column in used] for row in filled[heads:]]
    lines = [table_row(row) for row in body if any(cell.strip() for cell in row)]
    if not any(head) and not lines:
        return ""
    return "\n".join([table_row(head), table_row(["---"] * len(head)), *lines])


def table_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(escape_cell(cell) for cell in cells)} |"


def escape_cell(cell: str) -> str:
    """Escape a cell's text to one line of limited length; line breaks become `<br>`."""
    cell = cut(cell, bounds().cell)
    if "|" in cell:
        cell = cell.replace("\\|", "|").replace("|", "\\|")
    if "\n" in cell or "\r" in cell:
        cell = _LINES.sub("<br>", cell.replace("\r", "\n").strip())
    return cell.strip()


def paragraph(text: str) -> str:
    """A paragraph; line breaks are kept."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return _BLOCK.sub(r"\\", "\n".join(line for line in lines if line))


def heading_line(level: int, text: str) -> str:
    """A heading of level 1 to 6; "" if the text is empty."""
    words = " ".join(text.split())
    return f"{'#' * max(1, min(level, DEEPEST_HEADING))} {words}" if words else ""


def section_heading(level: int, text: str) -> str:
    """A heading of any level; below level 6, which Markdown lacks, bold text."""
    words = " ".join(text.split())
    return heading_line(level, words) if level <= DEEPEST_HEADING else f"**{words}**"


def item(text: str, depth: int = 0, number: int | None = None) -> str:
    """A list item, nested `depth` levels deep."""
    mark = "-" if number is None else f"{number}."
    indent = "    " * min(depth, 8)
    lines = paragraph(text).split("\n")
    return "\n".join([f"{indent}{mark} {lines[0]}", *(f"{indent}    {line}" for line in lines[1:])])


def code(text: str) -> str:
    """A fenced code block, with a fence longer than any inside."""
    longest = max((len(run) for run in patterns.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"


def web_link(text: str, address: str) -> str:
    """A link; only its text if the target is not on the web or equals the text."""
    if not patterns.match(r"https?://\S+$", address) or not text.strip() or text.strip() == address:
        return text
    return f"[{text}]({address.replace(')', '%29')})"


@dataclass(slots=True)
class SlideDeck:
    """Collects slides, each with a heading, and their offsets."""

    first_heading: str = ""
    _parts: list[str] = field(default_factory=list)
    _starts: list[PageStart] = field(default_factory=list)
    _length: int = 0
    _words: bool = False

    def add(self, number: int, title: str, blocks: list[str]) -> None:
        self.first_heading = self.first_heading or " ".join(title.split())
        full = [block for block in blocks if block]
        self._words = self._words or bool(full or title.strip())
        text = "\n\n".join([md.heading_line(2, title) or f"## Slide {number}", *full])
        if self._parts:
            self._length += 2
        self._starts.append(PageStart(number=number, start=self._length))
        self._parts.append(text)
        self._length += len(text)

    def extracted(self, kind: str, title: str, notes: tuple[str, ...] = ()) -> Extracted:
        """Build the document. Raises `Unreadable` if no slide has text."""
        if not self._words:
            raise Unreadable("The slides have only images and no text.", "DOCUMENT_PICTURES_ONLY")
        return Extracted(
            markdown="\n\n".join(self._parts),
            kind=kind,
            title=title,
            pages=tuple(self._starts),
            notes=notes,
        )
