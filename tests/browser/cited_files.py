"""Documents of every format, and the quote of each that is hard to find in it."""

import io
import wave
from dataclasses import dataclass

from docx import Document as Docx
from openpyxl import Workbook
from openpyxl.styles import Font
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

SHEET, RATES_ROW = "Rates 2026", 14
PDF_QUOTE = "The deposit is paid back within thirty days after the key was returned"
HEARD = {
    "title": "Call with the landlord",
    "language": "en",
    "passages": [
        {"time": "0:05", "speaker": "Ann", "text": "Good morning, this is about the garage."},
        {"time": "0:20", "speaker": "Bo", "text": "The garage is free from the first of May on."},
    ],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A file, the words that are cited as a model copies them, the words that are to be marked, and where
    they are said to stand.
    """

    name: str
    body: bytes
    quote: str
    marked: str
    where: str


def pdf() -> bytes:
    """A sentence that goes on over the end of a page, with a word that is parted at the end of a line."""
    made = io.BytesIO()
    canvas = Canvas(made, pagesize=A4)
    canvas.setTitle("Tenancy agreement")
    for number in range(1, 4):
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(72, 780, f"Part {number}")
        canvas.setFont("Helvetica", 11)
        lines = [
            f"What part {number} says in line {n} of the agreement is of no use here."
            for n in range(38)
        ]
        if number == 2:
            lines[-2:] = ["The deposit is paid", "back within thirty days after the key was re-"]
        for at, line in enumerate(lines):
            canvas.drawString(72, 750 - 18 * at, line)
        canvas.showPage()
        if number == 2:
            canvas.setFont("Helvetica", 11)
            canvas.drawString(72, 780, "turned, less what is owed. It bears no interest.")
            canvas.drawString(72, 762, "A part of it may be kept until the costs are known.")
            canvas.showPage()
    canvas.save()
    return made.getvalue()


def docx() -> bytes:
    """Words of which some are bold, and a table."""
    made, file = Docx(), io.BytesIO()
    made.core_properties.title = "House rules"
    made.add_heading("House rules", 1)
    made.add_heading("Quiet hours", 2)
    line = made.add_paragraph("Music is ")
    line.add_run("turned down").bold = True
    line.add_run(" after ").italic = True
    line.add_run("ten in the evening").bold = True
    line.add_run(", also on Saturdays.")
    made.add_heading("Laundry", 2)
    grid = made.add_table(rows=3, cols=2)
    for row, cells in zip(
        grid.rows,
        (("Day", "Floor"), ("Monday", "Ground\nleft, by the stairs"), ("Tuesday", "Attic")),
        strict=True,
    ):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    made.save(file)
    return file.getvalue()


def xlsx() -> bytes:
    """Two sheets; the cited row stands below rows that are empty."""
    book, file = Workbook(), io.BytesIO()
    first = book.active
    assert first is not None
    first.title = "Notes"
    first["A1"] = "Prices hold until they are changed in writing."
    sheet = book.create_sheet(SHEET)
    sheet["B2"] = "Rates of the guest house"
    for column, head in zip("BCD", ("Room", "Nights", "Price"), strict=True):
        sheet[f"{column}4"] = head
        sheet[f"{column}4"].font = Font(bold=True)
    rows = [(5, "Garden", 1, 70), (6, "Garden", 2, 65), (7, "Tower", 1, 95), (8, "Tower", 2, 90)]
    for number, *values in [*rows, (RATES_ROW, "Loft", 3, 120), (RATES_ROW + 1, "Cellar", 3, 40)]:
        for column, value in zip("BCD", values, strict=True):
            sheet[f"{column}{number}"] = value
    book.save(file)
    return file.getvalue()


def recording() -> bytes:
    """A second of silence."""
    made = io.BytesIO()
    with wave.open(made, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8_000)
        sound.writeframes(bytes(16_000))
    return made.getvalue()


HTML = """<html><head><title>Bicycles</title></head><body><main><h1>Bicycles</h1><h2>Cellar</h2>
<p>Bicycles are kept in the <em>cellar</em> and <a href="https://a.example/lock">never
<b>chained</b></a> to the &ldquo;rail&rdquo; of the stairs.</p>
<p>Whoever has two asks first.</p></main></body></html>"""
MARKDOWN = """# Waste

## Collection

| Kind | Day | Where it is put |
|---|---|---|
| Paper | Monday | at the gate |
| Glass | Friday | in the *yard* |

Bulky things are called for.
"""
TEXT = """Keys

Each flat has three keys.  A key that is
lost is told to the caretaker
on the same day. A new lock costs 240 euros.
"""

RULES = docx()  # made once: a second file would have another date, and be another version

CASES = {
    "pdf": Case(
        name="tenancy.pdf", body=pdf(), quote=PDF_QUOTE,
        marked=PDF_QUOTE.replace("returned", "re-turned"), where="pages 2\u20133",
    ),
    "docx": Case(
        name="rules.docx", body=RULES, quote="turned down after ten in the evening, also on Saturdays",
        marked="turned down after ten in the evening, also on Saturdays", where="Quiet hours",
    ),
    "cell": Case(
        name="rules.docx", body=RULES, quote="left, by the stairs", marked="left, by the stairs",
        where="Laundry",
    ),
    "xlsx": Case(
        name="rates.xlsx", body=xlsx(), quote="| Loft | 3 | 120 |", marked="Loft3120",
        where=f"{SHEET} · row {RATES_ROW}",
    ),
    "html": Case(
        name="bicycles.html", body=HTML.encode(),
        quote="[never **chained**](https://a.example/lock) to the \"rail\" of the stairs",
        marked="never chained to the \u201crail\u201d of the stairs", where="Cellar",
    ),
    "md": Case(
        name="waste.md", body=MARKDOWN.encode(), quote="| Glass | Friday | in the *yard* |",
        marked="GlassFridayin the yard", where="Collection",
    ),
    "txt": Case(
        name="keys.txt", body=TEXT.encode(),
        quote="A key that is lost is told to the caretaker on the same day.",
        marked="A key that is lost is told to the caretaker on the same day", where="version 1",
    ),
    "wav": Case(
        name="call.wav", body=recording(), quote="The garage is free from the first of May on",
        marked="The garage is free from the first of May on", where="version 1",
    ),
}  # fmt: skip
