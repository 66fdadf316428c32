"""What a person sees in Word, Excel, PowerPoint and LibreOffice is what is read."""

import datetime as dt
from typing import Any

import docx as word
import openpyxl
import pptx as powerpoint
from odfdo import Document, Header, List, Paragraph, Table
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from tests.unit.knowledge.extract.old_office import doc
from tests.unit.knowledge.extract.sample_files import Desk, made, zipped


def test_a_word_file_keeps_headings_lists_and_merged_tables(desk: Desk) -> None:
    document = word.Document()
    document.add_heading("Dosing guide", 0)
    document.add_heading("Adults", 1)
    document.add_paragraph("Daily | with water\n# no heading")
    document.add_paragraph("one", style="List Bullet")
    document.add_paragraph("deeper", style="List Bullet 2")
    document.add_paragraph("first", style="List Number")
    document.add_paragraph("second", style="List Number")
    table = document.add_table(rows=4, cols=3)
    for row, cells in enumerate(
        [["Drug", "Dose", ""], ["", "Adult", "Child"], ["A\nB|C", "1", ""], ["", "2", "3"]]
    ):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(2, 0).merge(table.cell(3, 0))
    found = desk.read("guide.docx", made(document.save))
    assert found.title == "Dosing guide"
    assert found.markdown.split("\n\n") == [
        "# Dosing guide",
        "# Adults",
        "Daily | with water\n\\# no heading",
        "- one\n    - deeper\n1. first\n2. second",
        "| Drug | Dose / Adult | Dose / Child |\n| --- | --- | --- |\n"
        "| A<br>B\\|C | 1 |  |\n| A<br>B\\|C | 2 | 3 |",
    ]


FORMATS = "http://schemas.openxmlformats.org"
TYPES = f"{FORMATS}/officeDocument/2006/relationships"
W = f'xmlns:w="{FORMATS}/wordprocessingml/2006/main" xmlns:r="{TYPES}"'
R = f'xmlns="{FORMATS}/package/2006/relationships"'


def by_hand(body: str, **parts: str) -> bytes:
    """A Word file of what no library writes."""
    related = "".join(
        f'<Relationship Id="{name}" Type="{TYPES}/{name}" Target="{name}.xml"/>' for name in parts
    )
    web = f'Type="{TYPES}/hyperlink" Target="https://x.example/a" TargetMode="External"'
    main = f'<Relationship Id="d" Type="{TYPES}/officeDocument" Target="word/document.xml"/>'
    return zipped(
        {
            "_rels/.rels": f"<Relationships {R}>{main}</Relationships>",
            "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
            "word/_rels/document.xml.rels": (
                f'<Relationships {R}>{related}<Relationship Id="web" {web}/></Relationships>'
            ),
            **{f"word/{name}.xml": text for name, text in parts.items()},
        }
    )


def test_numbered_headings_notes_links_and_what_was_struck_out(desk: Desk) -> None:
    """People say "see 2.1": the number that Word counts belongs to the heading."""

    def heading(depth: int, text: str) -> str:
        numbered = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="7"/></w:numPr>'
        outline = f'<w:outlineLvl w:val="{depth}"/>'
        return f"<w:p><w:pPr>{numbered}{outline}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"

    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, text in enumerate(("%1.", "%1.%2"))
    )
    body = heading(0, "Scope") + heading(0, "Terms") + heading(1, "Days")
    body += (
        "<w:p><w:r><w:t>Within </w:t></w:r><w:del><w:r><w:delText>thirty</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>ten</w:t></w:r></w:ins><w:r><w:t> days</w:t></w:r>"
        '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t>, see </w:t></w:r>'
        '<w:hyperlink r:id="web"><w:r><w:t>the list</w:t></w:r></w:hyperlink></w:p>'
    )
    found = desk.read(
        "terms.docx",
        by_hand(
            body,
            numbering=f'<w:numbering {W}><w:abstractNum w:abstractNumId="1">{levels}</w:abstractNum>'
            '<w:num w:numId="7"><w:abstractNumId w:val="1"/></w:num></w:numbering>',
            footnotes=f'<w:footnotes {W}><w:footnote w:id="2"><w:p><w:r><w:t>Working days.</w:t></w:r></w:p>'
            "</w:footnote></w:footnotes>",
        ),
    )
    assert found.markdown.split("\n\n") == [
        "# 1. Scope",
        "# 2. Terms",
        "## 2.1 Days",
        "Within ten days[^2], see [the list](https://x.example/a)",
        "[^2]: Working days.",
    ]


def test_a_workbook_shows_dates_and_numbers_as_people_write_them(desk: Desk) -> None:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Prices"
    sheet["B2"] = "Price list 2026"
    sheet.merge_cells("B2:E2")
    moment = dt.datetime(2026, 1, 2, 3, 4)  # noqa: DTZ001 - a spreadsheet's dates have no zone
    for row in (
        ["Item", "Price", "Since", "Sold"],
        ["Bolt", 1.5, moment.date(), True],
        ["Nut", 0.1 + 0.2, moment, None],
    ):
        sheet.append([None, *row])
    season = book.create_sheet("Seasons")
    for row in (["Region", "Spring", None], [None, "Plan", "Actual"], ["North", 1, 2]):
        season.append(row)
    for cells in ("A1:A2", "B1:C1"):
        season.merge_cells(cells)
    season.insert_rows(1, 3)
    season.merged_cells.ranges.clear()
    for cells in ("A4:A5", "B4:C4"):
        season.merge_cells(cells)
    found = desk.read("prices.xlsx", made(book.save))
    rows = {one.start: (one.number, one.lines) for one in found.rows}
    lines = {
        "Price list": (2, 1),
        "| Item": (3, 1),
        "| Bolt": (4, 2),
        "| Reg": (4, 1),
        "| No": (6, 1),
    }
    assert rows == {found.markdown.index(line): of for line, of in lines.items()}
    assert found.markdown.split("\n\n") == [
        "## Prices",
        "Price list 2026",
        "| Item | Price | Since | Sold |\n| --- | --- | --- | --- |\n"
        "| Bolt | 1.5 | 2026-01-02 | yes |\n| Nut | 0.3 | 2026-01-02 03:04 |  |",
        "## Seasons",
        "| Region | Spring / Plan | Spring / Actual |\n| --- | --- | --- |\n| North | 1 | 2 |",
    ]


def test_two_tables_on_a_sheet_are_two(desk: Desk) -> None:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in (
        ["Part", "Price"],
        ["bolt", 3],
        [None],
        ["nut", 4],
        [None],
        ["Site", "Count"],
        ["Leeds", 9],
    ):
        sheet.append(row)
    tables = desk.read("two.xlsx", made(book.save)).markdown.split("\n\n")[1:]
    assert [one.split("\n")[0] for one in tables] == ["| Part | Price |", "| Site | Count |"]
    assert "| nut | 4 |" in tables[0]


def test_slides_are_pages_with_their_tables_charts_and_notes(desk: Desk) -> None:
    deck = powerpoint.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Rollout"
    slide.placeholders[1].text_frame.text = "In May\nIn June"
    slide.notes_slide.notes_text_frame.text = "Ask Ann."
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    data = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Sales", (1.5, 2))
    size = [Inches(n) for n in (1, 1, 4, 3)]
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *size, data)
    found = desk.read("rollout.pptx", made(deck.save))
    assert found.title == "Rollout"
    assert found.markdown.split("\n\n") == [
        "## Rollout",
        "- In May\n- In June",
        "Notes: Ask Ann.",
        "## Slide 2",
        "|  | Sales |\n| --- | --- |\n| East | 1.5 |\n| West | 2 |",
    ]
    assert [found.markdown[one.start :][:10] for one in found.pages] == ["## Rollout", "## Slide 2"]


def test_a_deck_of_pictures_says_so(desk: Desk) -> None:
    deck = powerpoint.Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    assert desk.refused("photos.pptx", made(deck.save)) == "DOCUMENT_PICTURES_ONLY"


def test_opendocument_texts(desk: Desk) -> None:
    document = Document("text")
    document.body.clear()
    table = Table("T", width=2, height=2)
    for row, cells in enumerate((["Part", "Price"], ["Bolt", "3"])):
        for column, text in enumerate(cells):
            table.set_value((column, row), text)
    for part in (Header(1, "Manual"), Paragraph("Use with  care"), List(["oil", "water"]), table):
        document.body.append(part)
    assert desk.read("manual.odt", made(document.save)).markdown.split("\n\n") == [
        "# Manual",
        "Use with care",
        "- oil\n- water",
        "| Part | Price |\n| --- | --- |\n| Bolt | 3 |",
    ]


def test_word_97_and_rich_text_are_read_too(desk: Desk) -> None:
    words = "Opening hours\rThe café opens at nine.\r"
    assert desk.read("hours.doc", doc(words)).markdown == "Opening hours\n\nThe café opens at nine."
    head = rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Hours}}"
    text = head + rb"Caf\'e9 from \u8364?9\par Closed\par}"
    found = desk.read("hours.rtf", text)
    assert (found.title, found.markdown) == ("Hours", "Café from €9\n\nClosed")
