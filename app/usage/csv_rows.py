"""Tables as CSV, as RFC 4180 has it, that no spreadsheet takes for formulas."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal

from app.domain.money import NANO

Cell = str | int | float | bool | Decimal | datetime | None
# What a spreadsheet begins a formula with, their wide forms among them, and what it skips before one.
_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def line(cells: Iterable[Cell]) -> str:
    """One record with its line end. Text that would be a formula gets an apostrophe before it."""
    written = io.StringIO()
    csv.writer(written).writerow([_written(cell) for cell in cells])
    return written.getvalue()


def table(header: Sequence[str], rows: Iterable[Iterable[Cell]]) -> str:
    """The records below their header."""
    return line(header) + "".join(line(row) for row in rows)


def amount(nano: int) -> Decimal:
    """USD with all its digits, never as `1e-7`."""
    return Decimal(f"{Decimal(nano) / NANO:.9f}")


def _written(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case Decimal():
            return f"{cell:f}"
        case datetime():
            return cell.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        case int() | float():
            return str(cell)
    return f"'{cell}" if cell.lstrip(" ").startswith(_BEGINS) else cell
