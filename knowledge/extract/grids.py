"""Sheets of cells, where nobody said which row is the head and where a table ends."""

import itertools
from collections.abc import Iterator, Sequence

from app.text import patterns
from knowledge.extract.tables import escaped, table

MOST_ROWS = 200_000  # of one sheet; 100,000 rows of ten columns are 10 MB of Markdown
HEAD_WITHIN = 15  # rows: notes and titles stand above a head, hardly ever more of them
_NUMBER = patterns.compile(
    r"[-+(]?\s*[$€£¥]?\s*\d[\d.,'\s]*\s*[%$€£¥]?\)?|\d{4}-\d\d-\d\d(?:[ T].*)?|\d\d?[./]\d\d?[./]\d{2,4}"
)
LOOKED_BELOW = 20  # rows that tell whether a column holds numbers
Row = Sequence[str]


def as_markdown(rows: Sequence[Row], heads: dict[int, int] | None = None) -> str:
    """A sheet as paragraphs and tables. `heads`: of rows that begin a merged head, how many it has."""
    blocks = [
        _block(rows[start:end], start, heads or {}) for start, end in _spans(rows, heads or {})
    ]
    return "\n\n".join(block for block in blocks if block)


def is_number(cell: str) -> bool:
    """Whether a cell holds a number or a date rather than words."""
    return bool(_NUMBER.fullmatch(cell.strip()))


def _block(rows: Sequence[Row], offset: int, heads: dict[int, int]) -> str:
    """One table, with the lines that stand above its head."""
    above = _head_row(rows)
    lines = [
        " ".join(escaped(cell) for cell in row if cell.strip())
        for row in rows[:above]
        if any(cell.strip() for cell in row)
    ]
    rest = rows[above:]
    if _width(rest) < 2:
        lines += [escaped(cell) for row in rest for cell in row if cell.strip()]
        return "\n\n".join(lines)
    if _headless(rest):
        letters = [_letters(column) for column in range(max(map(len, rest)))]
        drawn = table([letters, *rest])
    else:
        drawn = table(rest, heads.get(offset + above, 1))
    return "\n\n".join([*lines, drawn])


def _spans(rows: Sequence[Row], heads: dict[int, int]) -> Iterator[tuple[int, int]]:
    """Where each table is: after an empty row, a row of words over numbers begins another."""
    start, empty, numbers = 0, False, False
    for number, row in enumerate(rows):
        full = [cell for cell in row if cell.strip()]
        if not full:
            empty = True
            continue
        if empty and number > start and numbers and _begins(rows, number):
            yield start, number
            start, numbers = number, False
        numbers = numbers or any(map(is_number, full))
        empty = False
    yield start, len(rows)


def _begins(rows: Sequence[Row], number: int) -> bool:
    """Whether a new table begins here: its title alone in a row, or a head over a row with a number."""
    full = [cell for cell in rows[number] if cell.strip()]
    if any(map(is_number, full)):
        return False
    if len(full) == 1:
        return number + 1 < len(rows) and not any(map(is_number, rows[number + 1]))
    below = next((row for row in rows[number + 1 : number + 3] if any(map(str.strip, row))), ())
    return any(map(is_number, below))


def _head_row(rows: Sequence[Row]) -> int:
    """The first row that fills at least half of the columns that the table has, and two."""
    width = _width(rows)
    if width < 2:
        return 0
    for number, row in enumerate(rows[:HEAD_WITHIN]):
        if sum(1 for cell in row if cell.strip()) >= max(2, width / 2):
            return number
    return 0


def _width(rows: Sequence[Row]) -> int:
    """Columns with anything in them."""
    used: set[int] = set()
    for row in rows:
        used.update(column for column, cell in enumerate(row) if cell.strip())
    return len(used)


def _headless(rows: Sequence[Row]) -> bool:
    """Whether the first row is like those below it: numbers where they have numbers."""
    numbered = [column for column, cell in enumerate(rows[0]) if is_number(cell)]
    below = rows[1:LOOKED_BELOW]
    if not numbered or not below or _counts_up([rows[0][column] for column in numbered]):
        return False
    return any(
        all(column < len(row) and is_number(row[column]) for row in below) for column in numbered
    )


def _counts_up(cells: Sequence[str]) -> bool:
    """Days or years as heads: several whole numbers, each larger than the one before."""
    if len(cells) < 2 or not all(cell.strip().isdecimal() for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return all(one < other for one, other in itertools.pairwise(numbers))


def _letters(column: int) -> str:
    """As spreadsheets call columns: A, B, … Z, AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name
