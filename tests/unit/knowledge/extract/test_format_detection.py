"""What a file is, whatever it is called."""

import random

import docx as word
import pytest

from tests.unit.knowledge.extract.sample_files import Desk, made, zipped

PAGE = "<!DOCTYPE html><html><body><p>Opening hours are nine to five.</p></body></html>"
MESSAGE = "From: a@x.example\nTo: b@x.example\nSubject: Hours\nMIME-Version: 1.0\n\nNine to five.\n"
CSV = "name,hours\nAnn,3\nBob,4\n"


def docx() -> bytes:
    document = word.Document()
    document.add_paragraph("Opening hours are nine to five.")
    return made(document.save)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("hours.txt", PAGE, "html"),
        ("hours.md", "# Hours\n\n<b>nine</b>", "md"),
        ("hours.txt", MESSAGE, "eml"),
        ("hours", CSV, "txt"),
        ("hours.csv", CSV, "csv"),
        ("hours.json", '{"a": 1}', "json"),
        ("hours", '{"a": 1}', "json"),
        ("links", "[[picture: A logo]](https://a.example)\n\n# Guide", "txt"),
        ("notes", "[1] Smith, On leave. 2019.", "txt"),
        ("hours.html", "no markup at all", "txt"),
        ("hours.yaml", "a: 1", "yaml"),
        ("hours", "<?xml version='1.0'?><hours><from>9</from></hours>", "xml"),
        ("hours.xml", "<html><body>nine</body></html>", "html"),
        ("hours.xml", " <?xml version='1.0'?>\n<!-- a > b --><!doctype\nHTML>nine", "html"),
        ("hours.txt", "<!doctype htmlx>nine", "txt"),
        ("hours.txt", "<!-- <html> nine", "txt"),
        ("hours.txt", "<htmlx>nine", "txt"),
        ("hours.txt", "<!---->" * 60 + "nine", "txt"),
        ("hours.txt", "<!---->" * 60 + "<html><p>nine", "html"),
    ],
)
def test_kinds_of_text(desk: Desk, name: str, data: str, kind: str) -> None:
    assert desk.read(name, data).kind == kind


def test_a_declared_type_tells_texts_apart_that_have_no_name(desk: Desk) -> None:
    assert desk.read("", CSV, "text/csv; charset=utf-8").kind == "csv"
    assert desk.read("", docx(), "text/csv").kind == "docx"


@pytest.mark.parametrize("name", ["hours.pdf", "hours.txt", "hours", "hours.zip"])
def test_a_renamed_file_is_read_as_what_it_is(desk: Desk, name: str) -> None:
    found = desk.read(name, docx())
    assert found.kind == "docx"
    assert "nine to five" in found.markdown
    assert bool(found.notes) == (name in {"hours.pdf", "hours.txt"})


def test_a_text_that_goes_on_as_a_package_is_not_ingested(desk: Desk) -> None:
    packed = zipped({"notes.bin": random.Random(1).randbytes(40_000)})
    text = b"Opening hours are nine to five. " * 3_000
    assert desk.refused("notes.txt", text + packed) == "DOCUMENT_UNSUPPORTED"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "cp932", "iso-2022-jp"])
def test_a_long_text_is_read_in_any_encoding(desk: Desk, encoding: str) -> None:
    text = "The hours are nine to five. 受付は九時からです。\n" * 4_000
    assert desk.read("hours.txt", text.encode(encoding)).kind == "txt"


def test_of_two_kinds_at_once_the_first_bytes_decide(desk: Desk) -> None:
    """What only another program would find in a file is not ingested."""
    assert desk.refused("both.docx", PAGE.encode() + docx()) == "DOCUMENT_UNSUPPORTED"
    assert desk.refused("both.docx", b"%PDF-1.7 nothing of a PDF" + docx()) == "DOCUMENT_DAMAGED"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "DOCUMENT_EMPTY"),
        (b" \n\x00\x00", "DOCUMENT_EMPTY"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), "DOCUMENT_UNSUPPORTED"),
        (b"\x7fELF" + bytes(range(256)) * 4, "DOCUMENT_UNSUPPORTED"),
        (b"RIFF\x24\0\0\0WAVEfmt " + bytes(100), "DOCUMENT_NOT_AVAILABLE"),
        (zipped({"a.txt": "text"}), "DOCUMENT_UNSUPPORTED"),
        (docx()[:3_000], "DOCUMENT_DAMAGED"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2_000), "DOCUMENT_DAMAGED"),
    ],
)
def test_what_is_not_read_says_why(desk: Desk, data: bytes, code: str) -> None:
    assert desk.refused("upload.docx", data) == code
