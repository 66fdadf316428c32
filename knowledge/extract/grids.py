"""Converts sheets of cells, such as CSV files, to Markdown: where tables begin, and their header rows."""

import csv
import io
import itertools
import statistics
from collections.abc import Iterator, Sequence
from typing import Literal

from app.text import patterns
from knowledge.extract.markdown import escape_cell, pipe_table
from knowledge.extract.port import Extracted, Raw, Rows
from knowledge.extract.prose import decode_file

MOST_ROWS = 200_000  # per sheet; 100,000 rows of ten columns are 10 MB of Markdown
HEAD_WITHIN = 15  # rows: notes and titles may precede a header, but hardly ever more
_NUMBER = patterns.compile(
    r"[-+(]?\s*[$€£¥]?\s*\d[\d.,'\s]*\s*[%$€£¥]?\)?|\d{4}-\d\d-\d\d(?:[ T].*)?|\d\d?[./]\d\d?[./]\d{2,4}"
)
SAMPLED_BELOW = 20  # rows sampled to decide whether a column is numeric
Row = Sequence[str]

SEPARATORS = (",", ";", "\t", "|")
SAMPLED_ROWS = 50  # rows
MOST_FIELD = 100_000  # characters
MOST_LINES = 20  # in the file's last field; more mean an unterminated quote


def grid_markdown(
    rows: Sequence[Row], heads: dict[int, int] | None = None
) -> tuple[str, tuple[Rows, ...]]:
    """Convert a sheet to paragraphs and tables; also returns which rows their lines are.
    `heads`: the number of header rows, by the row at which a merged header begins.
    """
    text, run_end = "", -1
    runs: list[list[int]] = []  # in the form of `Rows`
    for begin, end in _spans(rows):
        for block, numbers in _blocks(rows[begin:end], begin, heads or {}):
            text += "\n\n" if text else ""
            offset = len(text)
            for line, index in zip(block.split("\n"), numbers, strict=True):
                number = None if index is None else index + 1
                if number is None:
                    pass
                elif offset == run_end and number == runs[-1][0] + runs[-1][2]:
                    runs[-1][2] += 1
                else:
                    runs.append([number, offset, 1])
                offset += len(line) + 1
                run_end = offset if number is not None else run_end
            text += block
    return text, tuple(Rows(number=one[0], start=one[1], lines=one[2]) for one in runs)


def is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell.strip()))


def _blocks(
    rows: Sequence[Row], offset: int, heads: dict[int, int]
) -> Iterator[tuple[str, list[int | None]]]:
    """Yield the text above a table's header, and the table, each with the row index of every line."""
    header_index = _header_index(rows)
    for index, row in enumerate(rows[:header_index], offset):
        if any(cell.strip() for cell in row):
            yield " ".join(escape_cell(cell) for cell in row if cell.strip()), [index]
    table = rows[header_index:]
    if _width(table) < 2:
        for index, row in enumerate(table, offset + header_index):
            for cell in filter(str.strip, row):
                yield escape_cell(cell), [index]
        return
    lines: list[int | None] = [offset + header_index, None]  # the delimiter line is not a row
    if _lacks_header(table):
        letters = [_letters(column) for column in range(max(map(len, table)))]
        table, header_rows, lines[0] = [letters, *table], 1, None
        first_row = offset + header_index - 1
    else:
        header_rows, first_row = heads.get(offset + header_index, 1), offset + header_index
    body = enumerate(table[header_rows:], first_row + header_rows)
    yield (
        pipe_table(table, header_rows),
        [*lines, *(index for index, row in body if any(map(str.strip, row)))],
    )


def _spans(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Spans of the tables: a new one begins after an empty row, or at a text row above numbers."""
    start, after_empty, has_numbers = 0, False, False
    for number, row in enumerate(rows):
        filled = [cell for cell in row if cell.strip()]
        if not filled:
            after_empty = True
            continue
        if after_empty and number > start and has_numbers and _starts_table(rows, number):
            yield start, number
            start, has_numbers = number, False
        has_numbers = has_numbers or any(map(is_number, filled))
        after_empty = False
    yield start, len(rows)


def _starts_table(rows: Sequence[Row], number: int) -> bool:
    """Whether a table begins here: a title alone in its row, or a header above a row with a number."""
    filled = [cell for cell in rows[number] if cell.strip()]
    if any(map(is_number, filled)):
        return False
    if len(filled) == 1:
        return number + 1 < len(rows) and not any(map(is_number, rows[number + 1]))
    below = next((row for row in rows[number + 1 : number + 3] if any(map(str.strip, row))), ())
    return any(map(is_number, below))


def _header_index(rows: Sequence[Row]) -> int:
    """Index of the first row that fills at least half of the table's columns, and at least two."""
    width = _width(rows)
    if width < 2:
        return 0
    for number, row in enumerate(rows[:HEAD_WITHIN]):
        if sum(1 for cell in row if cell.strip()) >= max(2, width / 2):
            return number
    return 0


def _width(rows: Sequence[Row]) -> int:
    used: set[int] = set()
    for row in rows:
        used.update(column for column, cell in enumerate(row) if cell.strip())
    return len(used)


def _lacks_header(rows: Sequence[Row]) -> bool:
    """Whether there is no header: the first row has numbers in the same columns as the rows below."""
    numeric_columns = [column for column, cell in enumerate(rows[0]) if is_number(cell)]
    below = rows[1:SAMPLED_BELOW]
    if (
        not numeric_columns
        or not below
        or _are_increasing([rows[0][column] for column in numeric_columns])
    ):
        return False
    return any(
        all(column < len(row) and is_number(row[column]) for row in below)
        for column in numeric_columns
    )


def _are_increasing(cells: Sequence[str]) -> bool:
    """Whether whole numbers increase along the row, such as days or years in a header."""
    if len(cells) < 2 or not all(cell.strip().isdecimal() for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return all(one < other for one, other in itertools.pairwise(numbers))


def _letters(column: int) -> str:
    """Column letters as in spreadsheets: A, B, … Z, AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


def read(raw: Raw) -> Extracted:
    text, notes = decode_file(raw)
    text = text.replace("\x00", "")
    separator, text = _split_separator_line(text)
    separator = separator or _separator(text)
    rows = _rows(text, separator, csv.QUOTE_MINIMAL)
    if rows is None:
        rows = _rows(text, separator, csv.QUOTE_NONE) or []
        notes = (*notes, "A quote never ends, so quotes were read literally.")
    if len(rows) > MOST_ROWS:
        rows.pop()
        notes = (*notes, f"Only the first {MOST_ROWS:,} rows were read.")
    markdown, places = grid_markdown(rows)
    return Extracted(markdown=markdown, kind="csv", rows=places, notes=notes)


def _rows(text: str, separator: str, quoting: Literal[0, 3]) -> list[list[str]] | None:
    """Parse rows; None if a quote is never closed."""
    csv.field_size_limit(MOST_FIELD)
    # Keep line endings as they are: `StringIO` would translate them.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=quoting)
    try:
        rows = list(itertools.islice(reader, MOST_ROWS + 1))
    except csv.Error:
        return None
    is_unterminated = rows and any(cell.count("\n") > MOST_LINES for cell in rows[-1])
    return None if quoting == csv.QUOTE_MINIMAL and is_unterminated else rows


def _split_separator_line(text: str) -> tuple[str, str]:
    """Parse Excel's `sep=;` line; returns the separator and the rest."""
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first) == 5:
        return first[4], rest
    return "", text


def _separator(text: str) -> str:
    """The separator that splits the first rows into the most consistent number of fields."""
    sample = text[:100_000].split("\n")[: SAMPLED_ROWS * 4]

    def fit(separator: str) -> tuple[float, int]:
        rows = itertools.islice(csv.reader(sample, delimiter=separator), SAMPLED_ROWS)
        try:
            counts = [len(row) for row in rows if row]
        except csv.Error:
            return 0.0, 0
        width = statistics.mode(counts) if counts else 1
        if width < 2:
            return 0.0, 0
        return counts.count(width) / len(counts), width

    return max(SEPARATORS, key=fit)
