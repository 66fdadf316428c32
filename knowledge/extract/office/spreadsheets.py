"""Reads XLSX, XLS and ODS: each sheet becomes a heading with its tables."""

import datetime as dt
import io
import zipfile

import python_calamine as calamine

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract.grids import MOST_ROWS, grid_markdown
from knowledge.extract.office.package import Package, open_package
from knowledge.extract.port import Extracted, Raw, Rows

MOST_SHEETS = 500
MOST_AREA = 10_000_000  # cells in the bounding rectangle of a sheet's values, 32 bytes each
MOST_COLUMNS = 1_000
SLICE, LONGEST_CELL = 1_000_000, 200  # bytes scanned at once; bytes of a cell's opening tag
_VALUED = patterns.compile(
    r'<(?:\w+:)?c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"[^>]*[^/]>', patterns.ASCII
)


def read(raw: Raw) -> Extracted:
    """Read a workbook with hidden sheets, whose values formulas show. Raises `Unreadable`."""
    kind = "xls"
    if zipfile.is_zipfile(io.BytesIO(raw.data)):
        with open_package(raw.data) as package:
            kind = "ods" if "content.xml" in package else "xlsx"
            if kind == "xlsx":
                _check_areas(package)
    text = ""
    places: list[Rows] = []
    notes: list[str] = []
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(raw.data))
        names = book.sheet_names
        for name in names[:MOST_SHEETS]:
            body, rows = _sheet(book, name, notes)
            if body:
                text += "\n\n" if text else ""
                text += f"## {' '.join(name.split())}\n\n"
                places += [one.model_copy(update={"start": one.start + len(text)}) for one in rows]
                text += body
        book.close()
    except calamine.PasswordError:
        raise Unreadable("The file is password-protected.", "DOCUMENT_ENCRYPTED") from None
    except calamine.CalamineError:
        raise Unreadable("The workbook is damaged or truncated.") from None
    if not names:
        raise Unreadable("The workbook is damaged: it has no sheets.")
    if len(names) > MOST_SHEETS:
        notes.append(f"Only the first {MOST_SHEETS} of {len(names)} sheets were read.")
    return Extracted(markdown=text, kind=kind, rows=tuple(places), notes=tuple(notes))


def _sheet(
    book: calamine.CalamineWorkbook, name: str, notes: list[str]
) -> tuple[str, tuple[Rows, ...]]:
    try:
        sheet = book.get_sheet_by_name(name)
    except calamine.WorksheetNotFound:
        return "", ()  # a chart sheet
    rows: list[list[str]] = []
    for row in sheet.iter_rows():
        if len(rows) >= MOST_ROWS:
            notes.append(f"Only the first {MOST_ROWS:,} rows of the sheet “{name}” were read.")
            break
        rows.append([format_cell(cell) for cell in row[:MOST_COLUMNS]])
    if rows and sheet.width > MOST_COLUMNS:
        notes.append(f"Only the first {MOST_COLUMNS} columns of the sheet “{name}” were read.")
    return grid_markdown(rows, _fill(rows, sheet))


def format_cell(value: object) -> str:
    """Format a cell for people: dates without midnight, numbers without binary noise."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.15g}"  # a spreadsheet itself keeps 15 digits: 0.1 + 0.2 is 0.3
        case dt.datetime():
            midnight = value.time() == dt.time()
            return value.strftime("%Y-%m-%d" if midnight else "%Y-%m-%d %H:%M").lstrip()
        case dt.time():
            return value.strftime("%H:%M:%S" if value.second else "%H:%M")
    return str(value)


def _fill(rows: list[list[str]], sheet: calamine.CalamineSheet) -> dict[int, int]:
    """Copy the value of a merged cell into all cells it covers, in place; a title merged over
    the full width is kept once. Returns the number of header rows by the row at which a merged
    header begins.
    """
    heads: dict[int, int] = {}
    _, left = sheet.start or (0, 0)  # rows start at the sheet's first used row, columns do not
    for (first_row, first), (last_row, last) in sheet.merged_cell_ranges or ():
        upper, lower = first_row, min(last_row, len(rows) - 1)
        begin, end = first - left, last - left
        if upper < 0 or begin < 0 or upper >= len(rows) or begin >= len(rows[upper]):
            continue
        value = rows[upper][begin]
        others = [c for at, c in enumerate(rows[upper]) if not begin <= at <= end and c.strip()]
        if not value.strip() or (end > begin and not others):
            continue
        for row in rows[upper : lower + 1]:
            row[begin : end + 1] = [value] * (min(end + 1, len(row)) - begin)
        below = lower - upper + 1 + (1 if end > begin else 0)
        heads[upper] = max(heads.get(upper, 1), min(below, 4))
    return heads


def _check_areas(package: Package) -> None:
    """Reject huge bounding rectangles, which a single distant cell can cause. Raises `Unreadable`."""
    for name in package.names:
        if not patterns.match(r"xl/worksheets/[^/]+\.xml$", name, patterns.IGNORECASE):
            continue
        part = package.read(name)
        letters: set[str] = set()
        numbers: set[str] = set()
        for start in range(0, len(part), SLICE):  # all matches at once would take 10x the memory
            cells = _VALUED.findall(part[start : start + SLICE + LONGEST_CELL].decode("latin-1"))
            letters.update(column for column, _ in cells)
            numbers.update(row for _, row in cells)
        if not letters:
            continue
        rows, columns = list(map(int, numbers)), list(map(_number, letters))
        area = (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)
        if area > MOST_AREA:
            raise Unreadable(
                f"A sheet spans {area // 1_000_000} million cells, too many to read.",
                "DOCUMENT_TOO_LARGE",
            )


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
