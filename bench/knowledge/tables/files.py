"""Write the same tables as HTML, DOCX, XLSX and PDF, each with a library."""

import io
from collections.abc import Iterator, Sequence
from html import escape

import docx as word
import openpyxl
from reportlab.lib import colors
from reportlab.lib.pagesizes import A3, A4, landscape
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table, TableStyle

from bench.knowledge.tables.specs import Cell, Spec

Placed = tuple[int, int, Cell]


def place_cells(spec: Spec) -> Iterator[Placed]:
    """Each cell with its row and column."""
    taken: set[tuple[int, int]] = set()
    for r, row in enumerate(spec.rows):
        column = 0
        for cell in row:
            while (r, column) in taken:
                column += 1
            taken |= {
                (r + down, column + across)
                for down in range(cell.down)
                for across in range(cell.across)
            }
            yield r, column, cell
            column += cell.across


def width(spec: Spec) -> int:
    """The number of columns."""
    return max(column + cell.across for _, column, cell in place_cells(spec))


def html(specs: Sequence[Spec]) -> bytes:
    """A page with prose and a heading above each table."""
    parts = []
    for spec in specs:
        rows = []
        for r, row in enumerate(spec.rows):
            tag = "th" if r < spec.heads else "td"
            cells = (
                f"<{tag}{_spans(cell)}>{escape(cell.text).replace(chr(10), '<br>')}</{tag}>"
                for cell in row
            )
            rows.append(f"<tr>{''.join(cells)}</tr>")
        parts.append(f"<h2>{spec.title}</h2><p>{_words(spec)}</p><table>{''.join(rows)}</table>")
    page = (
        f"<html><head><title>Tables</title></head><body><main>{''.join(parts)}</main></body></html>"
    )
    return page.encode()


def _spans(cell: Cell) -> str:
    across = f' colspan="{cell.across}"' if cell.across > 1 else ""
    return across + (f' rowspan="{cell.down}"' if cell.down > 1 else "")


def _words(spec: Spec) -> str:
    return f"This section says what is known of {spec.title.lower()}, as it was last checked."


def docx(specs: Sequence[Spec]) -> bytes:
    """Made with python-docx; headers are not marked."""
    document = word.Document()
    for spec in specs:
        document.add_heading(spec.title, 1)
        document.add_paragraph(_words(spec))
        table = document.add_table(rows=len(spec.rows), cols=width(spec))
        grid = [list(row.cells) for row in table.rows]  # reading them one by one takes minutes
        for r, column, cell in place_cells(spec):
            first = grid[r][column]
            if cell.across > 1 or cell.down > 1:
                first = first.merge(grid[r + cell.down - 1][column + cell.across - 1])
            first.text = cell.text
    return _bytes(document.save)


def xlsx(specs: Sequence[Spec]) -> bytes:
    """Made with openpyxl: one sheet per table, with a title above; numbers are numeric."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for spec in specs:
        sheet = book.create_sheet(spec.title[:31])
        sheet.cell(1, 1, _words(spec))
        for r, column, cell in place_cells(spec):
            value = int(cell.text) if cell.text.isdecimal() else cell.text or None
            sheet.cell(r + 3, column + 1, value)
            if cell.across > 1 or cell.down > 1:
                sheet.merge_cells(
                    start_row=r + 3,
                    start_column=column + 1,
                    end_row=r + 2 + cell.down,
                    end_column=column + cell.across,
                )
    return _bytes(book.save)


def pdf(specs: Sequence[Spec]) -> bytes:
    """Made with reportlab; long tables span pages and repeat their header, every third has only the line
    below its header.
    """
    styles = getSampleStyleSheet()
    story = []
    for number, spec in enumerate(specs):
        grid = [[""] * width(spec) for _ in spec.rows]
        lines = ("GRID", (0, 0), (-1, -1)) if number % 3 else ("LINEBELOW", (0, 0), (-1, 0))
        rules = [(*lines, 0.5, colors.black), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        rules.append(("FONTSIZE", (0, 0), (-1, -1), 6 if width(spec) > 12 else 9))
        for r, column, cell in place_cells(spec):
            grid[r][column] = cell.text
            if cell.across > 1 or cell.down > 1:
                end = (column + cell.across - 1, r + cell.down - 1)
                rules.append(("SPAN", (column, r), end))
        table = Table(grid, repeatRows=spec.heads, style=TableStyle(rules))
        story += [
            Paragraph(spec.title, styles["Heading1"]),
            Paragraph(_words(spec), styles["BodyText"]),
            table,
        ]
    wide = any(width(spec) > 12 for spec in specs)
    size = landscape(A3) if wide else A4
    return _bytes(lambda out: SimpleDocTemplate(out, pagesize=size, title="Tables").build(story))


MAKERS = {"html": html, "docx": docx, "xlsx": xlsx, "pdf": pdf}


def _bytes(save: object) -> bytes:
    out = io.BytesIO()
    save(out)  # type: ignore[operator]
    return out.getvalue()
