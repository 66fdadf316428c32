"""Packages made to harm or to hide, each refused in a sentence."""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

from tests.unit.knowledge.extract.old_office import compound
from tests.unit.knowledge.extract.sample_files import RELATED, Desk, locked, made, word, zipped

EPUB, ODT = "application/epub+zip", "application/vnd.oasis.opendocument.text"
LOCK = "<m><encryption-data/></m>"
DEEP = "<w:p>" * 5_000 + "</w:p>" * 5_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: word(bytes(60_000_000)), "DOCUMENT_TOO_LARGE"),
        (lambda: word("<!DOCTYPE d [<!ENTITY a 'ha'>]><d>&a;</d>"), "DOCUMENT_DAMAGED"),
        (lambda: word(f"<document><body>{DEEP}</body></document>"), "DOCUMENT_DAMAGED"),
        (lambda: word("<document><body>cut"), "DOCUMENT_DAMAGED"),
        (lambda: word("<document><body/></document>"), "DOCUMENT_EMPTY"),
        (lambda: zipped({"word/document.xml": "<document/>"}), "DOCUMENT_DAMAGED"),
        (lambda: zipped({f"p{n}": "" for n in range(20_001)}), "DOCUMENT_TOO_LARGE"),
        (locked, "DOCUMENT_ENCRYPTED"),
        (lambda: compound({"EncryptionInfo": b"", "EncryptedPackage": b""}), "DOCUMENT_ENCRYPTED"),
        (lambda: compound({"Workbook": b"cut"}), "DOCUMENT_DAMAGED"),
        (lambda: compound({"Sound": b"x"}), "DOCUMENT_UNSUPPORTED"),
        (lambda: zipped({"mimetype": ODT, "META-INF/manifest.xml": LOCK}), "DOCUMENT_ENCRYPTED"),
        (lambda: zipped({"mimetype": EPUB, "META-INF/container.xml": "<c/>"}), "DOCUMENT_DAMAGED"),
    ],
)  # fmt: skip
def test_a_hostile_package_is_refused(desk: Desk, data: Callable[[], bytes], code: str) -> None:
    assert desk.refused("upload.docx", data()) == code


def test_a_part_that_says_less_than_it_holds_is_not_unpacked_further(desk: Desk) -> None:
    """The sizes are the package's own word: a smaller one must bound what is read."""
    data = bytearray(word(f"<document><body>{'<p/>' * 500_000}</body></document>"))
    entry = data.rfind(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (1_000).to_bytes(4, "little")
    assert desk.refused("upload.docx", bytes(data)) == "DOCUMENT_DAMAGED"


def test_what_leads_out_of_a_package_is_not_followed(desk: Desk) -> None:
    related = RELATED.format("../../../etc/passwd")
    assert (
        desk.refused("a.docx", zipped({"_rels/.rels": related, "word/document.xml": "<d/>"}))
        == "DOCUMENT_DAMAGED"
    )


def test_a_sheet_with_one_far_cell_takes_no_memory(desk: Desk) -> None:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet["A1"], sheet["XFD1048576"] = 1, 2
    assert desk.refused("far.xlsx", made(book.save)) == "DOCUMENT_TOO_LARGE"


def test_a_book_is_read_chapter_by_chapter_and_its_shop_s_lock_is_said(desk: Desk) -> None:
    parts = {
        "mimetype": EPUB,
        "META-INF/container.xml": '<c><rootfile full-path="O/b.opf"/></c>',
        "O/b.opf": "<package><metadata><title>Care</title><language>en-GB</language></metadata><manifest>"
        '<item id="two" href="2.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="one" href="c%201.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="one"/><itemref idref="two"/><itemref idref="gone"/></spine></package>',
        "O/c 1.xhtml": "<html><body><h1>First</h1><p>Rinse it.</p></body></html>",
        "O/2.xhtml": "<html><body><h1>Then</h1><p>Dry it.</p></body></html>",
    }
    found = desk.read("care.epub", zipped(parts))
    assert (found.title, found.language) == ("Care", "en")
    assert found.markdown == "# First\n\nRinse it.\n\n# Then\n\nDry it."
    lock = '<e><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></e>'
    assert (
        desk.refused("care.epub", zipped(parts | {"META-INF/encryption.xml": lock}))
        == "DOCUMENT_ENCRYPTED"
    )


def test_a_package_of_packages_is_not_opened_again(desk: Desk) -> None:
    inner = word("<document><body>x</body></document>")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("inner.docx", inner)
    assert desk.refused("outer.zip", out.getvalue()) == "DOCUMENT_UNSUPPORTED"
