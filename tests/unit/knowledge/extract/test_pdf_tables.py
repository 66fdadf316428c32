"""Tables in a PDF: each cell is found by its row and its column."""

from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.platypus import Table, TableStyle

from tests.unit.knowledge.extract.pdf_files import GRID, extracted, flowing, text

ROWS = [["Ward", "Beds", "Head nurse", "Telephone"]] + [
    [f"Ward {letter}", str(10 + number), f"Nurse {letter * 3}", f"555-01{number:02}"]
    for number, letter in enumerate("ABCDEFGH")
]
PROSE = "The wards of the house and who can be called there at night, as of this month. " * 3
UNDERLINED = [("LINEBELOW", (0, 0), (-1, 0), 1, colors.black)]
SHADED = [("ROWBACKGROUNDS", (0, 0), (-1, -1), [colors.white, colors.lightgrey])]


def table_in(markdown: str) -> list[list[str]]:
    """The cells of the pipe table, without the line below its head."""
    lines = [line.strip("| ").split(" | ") for line in markdown.splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in line] for line in lines[:1] + lines[2:]]


@pytest.mark.parametrize(
    "style", [GRID, UNDERLINED, SHADED, []], ids=["ruled", "underlined", "shaded", "bare"]
)
def test_each_cell_is_in_its_row_and_column(tmp_path: Path, style: list[tuple[object, ...]]):
    story = [text(PROSE), Table(ROWS, style=TableStyle(style)), text(PROSE)]
    found = extracted(flowing(tmp_path / "table.pdf", story)).markdown
    assert table_in(found) == ROWS
    before, _, after = found.partition("| Ward |")
    assert before.count("wards of the house") == after.count("wards of the house") == 3


def test_a_cell_of_several_lines_is_one_cell(tmp_path: Path):
    rows = [
        ["Rule", "Why"],
        [text("Wash hands " * 6), text("Germs travel " * 8)],
        ["Lock", "Theft"],
    ]
    story = [text(PROSE), Table(rows, colWidths=[120, 160], style=GRID)]
    found = table_in(extracted(flowing(tmp_path / "table.pdf", story)).markdown)
    assert found[1] == [("Wash hands " * 6).strip(), ("Germs travel " * 8).strip()]
    assert found[2] == ["Lock", "Theft"]


def test_merged_cells_say_their_text_in_each_column_and_row(tmp_path: Path):
    rows = [["Ward", "Beds", ""], ["", "full", "free"], ["A", "8", "2"], ["B", "9", "1"]]
    spans = [("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0))]
    story = [text(PROSE), Table(rows, style=GRID + spans)]
    found = table_in(extracted(flowing(tmp_path / "table.pdf", story)).markdown)
    assert found == [["Ward", "Beds / full", "Beds / free"], ["A", "8", "2"], ["B", "9", "1"]]


@pytest.mark.parametrize("repeated", [0, 1])
def test_a_table_over_several_pages_is_one(tmp_path: Path, repeated: int):
    rows = [["Article", "Price"], *([f"Article {n}", str(1000 + n)] for n in range(120))]
    story = [text(PROSE), Table(rows, style=GRID, repeatRows=repeated), text(PROSE)]
    found = extracted(flowing(tmp_path / "long.pdf", story))
    assert table_in(found.markdown) == rows
    assert [page.number for page in found.pages] == [1, 2, 3, 4]
    assert found.markdown[found.pages[1].start :].startswith("| Article ")


def test_a_frame_around_a_paragraph_is_no_table(tmp_path: Path):
    story = [
        Table([[text(PROSE)]], colWidths=[300], style=[("BOX", (0, 0), (-1, -1), 1, colors.black)])
    ]
    found = extracted(flowing(tmp_path / "frame.pdf", story)).markdown
    assert "|" not in found
    assert "who can be called" in found
