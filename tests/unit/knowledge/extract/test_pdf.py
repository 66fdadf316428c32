"""A PDF as Markdown: order, headings, lists, pages, what it says about itself."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, PageBreak, PageTemplate

from tests.unit.knowledge.extract.pdf_files import (
    extracted,
    flowing,
    listed,
    one_page,
    painted,
    text,
)

LONG = "The quick brown fox jumps over the lazy dog while the others look on. "


@pytest.fixture(scope="module")
def handbook(tmp_path_factory):
    story = [text("Handbook", "Title")]
    for number in range(1, 5):
        story += [text(f"Chapter {number}", "Heading1"), text(f"Of {number}. {LONG * 6}")]
        story += [text("Details", "Heading2"), listed("First item", "Second item")]
        story += [listed("One step", "Another step", kind="1"), text(LONG * 3), PageBreak()]
    folder = tmp_path_factory.mktemp("pdf")
    return extracted(flowing(folder / "handbook.pdf", story, title="The clinic's handbook"))


def test_headings_have_the_level_of_their_size(handbook):
    lines = handbook.markdown.splitlines()
    assert "# Chapter 1" in lines
    assert "## Details" in lines
    assert not any(line.startswith("#") and "fox" in line for line in lines)


def test_a_paragraph_is_one_line_of_whole_words(handbook):
    assert f"Of 2. {LONG * 6}".strip() in handbook.markdown.splitlines()


def test_lists_are_lists(handbook):
    assert "- First item\n- Second item" in handbook.markdown
    assert "1. One step\n2. Another step" in handbook.markdown


def test_running_heads_and_page_numbers_are_dropped(handbook):
    assert "Handbook of the clinic" not in handbook.markdown
    assert "Page 2" not in handbook.markdown


def test_each_page_says_where_it_begins(handbook):
    assert [page.number for page in handbook.pages][:4] == [1, 2, 3, 4]
    for page in handbook.pages[1:4]:
        assert handbook.markdown[page.start :].lstrip().startswith(f"# Chapter {page.number}")


def test_it_says_its_title_and_its_date(handbook):
    assert handbook.kind == "pdf"
    assert handbook.title == "The clinic's handbook"
    assert abs((datetime.now(UTC) - handbook.published_at).total_seconds()) < 120


def test_columns_are_read_one_after_the_other(tmp_path: Path):
    path = tmp_path / "paper.pdf"
    document = BaseDocTemplate(str(path), pagesize=A4)
    frames = [Frame(50, 700, 495, 90), Frame(50, 60, 240, 630), Frame(305, 60, 240, 630)]
    document.addPageTemplates([PageTemplate("two", frames=frames)])
    left = [text(f"Left {n}. {LONG * 2}", "BodyText") for n in range(6)]
    right = [text(f"Right {n}. {LONG * 2}", "BodyText") for n in range(6)]
    document.build([text("Over both", "Title"), FrameBreak(), *left, FrameBreak(), *right])
    found = extracted(path).markdown
    said = [
        line.partition(".")[0] for line in found.splitlines() if line.startswith(("Left", "Right"))
    ]
    assert said == [f"Left {n}" for n in range(6)] + [f"Right {n}" for n in range(6)]
    assert found.startswith("# Over both")


def test_a_word_broken_at_a_lines_end_is_whole_again(tmp_path: Path):
    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "The responsible person signs the agree-")
        canvas.drawString(72, 686, "ment before the visit.")

    found = extracted(painted(tmp_path / "broken.pdf", paint))
    assert found.markdown == "The responsible person signs the agreement before the visit."


def test_the_outline_says_what_is_a_heading(tmp_path: Path):
    def paint(canvas: Canvas) -> None:
        for number, title in enumerate(("Admission", "Discharge")):
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, level=number)
            canvas.drawString(72, 600, title)
            canvas.drawString(72, 560, f"What has to be done at {title.lower()}, step by step.")
            canvas.showPage()

    found = extracted(painted(tmp_path / "outline.pdf", paint))
    assert found.markdown.startswith("# Admission\n\nWhat has to be done at admission")
    assert "\n\n## Discharge\n\nWhat has" in found.markdown


def test_an_outline_that_leads_into_itself_ends(tmp_path: Path):
    catalog = b"/Outlines 6 0 R"
    path = one_page(tmp_path / "loop.pdf", b"BT /F1 12 Tf 72 600 Td (Some words) Tj ET", catalog)
    raw = path.read_bytes()
    path.write_bytes(
        raw.replace(b"xref\n0 6", b"6 0 obj\n<</First 6 0 R/Next 6 0 R>>\nendobj\nxref\n0 6", 1)
    )
    assert "Some words" in extracted(path).markdown


def test_a_page_that_lies_on_its_side_is_read_too(tmp_path: Path):
    def paint(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.drawString(100, -100, "The first line that runs upwards.")
        canvas.drawString(100, -114, "The second line below it.")

    assert extracted(painted(tmp_path / "side.pdf", paint)).markdown == (
        "The first line that runs upwards. The second line below it."
    )
