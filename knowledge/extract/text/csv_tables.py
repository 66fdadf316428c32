"""Reads CSV and TSV with any separator."""

import csv
import io
import itertools
import statistics
from typing import Literal

from knowledge.extract.grids import MOST_ROWS, grid_markdown
from knowledge.extract.port import Extracted, Raw
from knowledge.extract.text.prose import decode_file

SEPARATORS = (",", ";", "\t", "|")
LOOKED_AT = 50  # rows
MOST_FIELD = 100_000  # characters
MOST_LINES = 20  # of the file's last field: a longer one means an unterminated quote


def read(raw: Raw) -> Extracted:
    """Read the file as one table."""
    text, notes = decode_file(raw)
    text = text.replace("\x00", "")
    separator, text = _said(text)
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
    unended = rows and any(cell.count("\n") > MOST_LINES for cell in rows[-1])
    return None if quoting == csv.QUOTE_MINIMAL and unended else rows


def _said(text: str) -> tuple[str, str]:
    """Parse Excel's `sep=;` line; returns the separator and the rest."""
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first) == 5:
        return first[4], rest
    return "", text


def _separator(text: str) -> str:
    """The separator that splits the first rows into the most consistent number of fields."""
    sample = text[:100_000].split("\n")[: LOOKED_AT * 4]

    def fit(separator: str) -> tuple[float, int]:
        rows = itertools.islice(csv.reader(sample, delimiter=separator), LOOKED_AT)
        try:
            counts = [len(row) for row in rows if row]
        except csv.Error:
            return 0.0, 0
        usual = statistics.mode(counts) if counts else 1
        if usual < 2:
            return 0.0, 0
        return counts.count(usual) / len(counts), usual

    return max(SEPARATORS, key=fit)
