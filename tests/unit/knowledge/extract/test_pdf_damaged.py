"""PDFs that cannot be read, or not wholly: each ends in words."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak

from app.errors import Unreadable
from tests.unit.knowledge.extract.pdf_files import (
    FONT,
    PAGE,
    by_hand,
    extracted,
    flowing,
    one_page,
    painted,
    text,
)


def scan(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("RGB", (60, 80), "grey")), 0, 0, 595, 842)
    canvas.showPage()


def locked(path: Path, password: str) -> Path:
    plain = painted(path, lambda canvas: canvas.drawString(72, 700, "Behind a lock."))
    writer = PdfWriter(clone_from=PdfReader(BytesIO(plain.read_bytes())))
    writer.encrypt(password, "the owner's", algorithm="AES-256")
    writer.write(path)
    return path


def code(path: Path) -> str:
    with pytest.raises(Unreadable) as error:
        extracted(path)
    assert error.value.detail.endswith(".")
    return error.value.code


def test_pictures_alone_are_said_to_be_pictures(tmp_path: Path):
    assert code(painted(tmp_path / "scans.pdf", scan)) == "DOCUMENT_PICTURES_ONLY"


def test_pages_of_pictures_are_named(tmp_path: Path):
    def paint(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "The first page has words.")
        canvas.showPage()
        scan(canvas)
        scan(canvas)

    found = extracted(painted(tmp_path / "mixed.pdf", paint))
    assert found.notes == ("2 pages (2, 3) hold only images, whose text is not read.",)


def test_a_password_is_asked_for_only_where_there_is_one(tmp_path: Path):
    assert code(locked(tmp_path / "locked.pdf", "secret")) == "DOCUMENT_ENCRYPTED"
    assert extracted(locked(tmp_path / "open.pdf", "")).markdown == "Behind a lock."


@pytest.mark.parametrize("content", [b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(range(256)) * 40])
def test_a_head_without_a_document_is_damage(tmp_path: Path, content: bytes):
    path = tmp_path / "bad.pdf"
    path.write_bytes(content)
    assert code(path) == "DOCUMENT_DAMAGED"


def test_what_is_left_of_a_file_that_was_cut_off_is_read(tmp_path: Path):
    story = [
        part for n in range(8) for part in (text(f"Chapter {n} says much. " * 20), PageBreak())
    ]
    path = flowing(tmp_path / "cut.pdf", story)
    # Its table of objects is at the end, and gone.
    whole = path.read_bytes()
    path.write_bytes(whole[: whole.rindex(b"xref\n")])
    assert "Chapter 7 says much." in extracted(path).markdown


def test_a_page_without_anything_is_empty(tmp_path: Path):
    assert code(one_page(tmp_path / "empty.pdf", b" ")) == "DOCUMENT_EMPTY"


def test_pages_that_are_their_own_parents_are_damage(tmp_path: Path):
    tree = b"<</Type/Pages/Count 5/Kids[2 0 R 2 0 R]>>"
    path = by_hand(tmp_path / "loop.pdf", b"<</Type/Catalog/Pages 2 0 R>>", tree)
    assert code(path) == "DOCUMENT_DAMAGED"


def test_more_pages_than_are_read_are_too_many(tmp_path: Path):
    tree = b"<</Type/Pages/Count 20001/Kids[%b]>>" % (b"3 0 R " * 20_001)
    content = b"<</Length 2>>\nstream\nBT\nendstream"
    catalog = b"<</Type/Catalog/Pages 2 0 R>>"
    path = by_hand(tmp_path / "many.pdf", catalog, tree, PAGE, content, FONT)
    assert code(path) == "DOCUMENT_TOO_LARGE"


def test_scripts_and_files_in_it_are_left_alone(tmp_path: Path):
    action = b"/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>"
    path = one_page(tmp_path / "script.pdf", b"BT /F1 12 Tf 72 600 Td (Some words) Tj ET", action)
    assert extracted(path).markdown == "Some words"
