"""Hostile files end in a clear failure with advice, and none of their text is found."""

import io
from collections.abc import Iterator

import openpyxl
import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.integration.knowledge.documents_desk import DocumentsDesk, temporary_desk
from tests.unit.knowledge.extract.old_office import compound
from tests.unit.knowledge.extract.sample_files import locked as locked_docx
from tests.unit.knowledge.extract.sample_files import made, word, zipped
from tests.unit.knowledge.extract.test_pdf_damaged import locked as locked_pdf
from tests.unit.knowledge.extract.test_pdf_damaged import scan

ROWS = 100_000


@pytest.fixture(scope="module")
def desk(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocumentsDesk]:
    with temporary_desk(store_uri, tmp_path_factory.mktemp("hostile")) as opened:
        yield opened


def body(words: str) -> str:
    return (
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:body></w:document>"
    )


def paper(words: str) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.drawString(72, 700, words)
    canvas.save()
    return out.getvalue()


def scans() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for _ in range(3):
        scan(canvas)
    canvas.save()
    return out.getvalue()


def test_what_cannot_be_read_says_what_it_is_and_what_to_do(
    desk: DocumentsDesk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    manual = word(body("Marmots sleep in the east wing."))
    secret = locked_pdf(tmp_path_factory.mktemp("pdf") / "l.pdf", "secret").read_bytes()
    hostile = {
        "empty.pdf": (b"", "DOCUMENT_EMPTY", "empty"),
        "blank.txt": (b" \r\n\t\n", "DOCUMENT_EMPTY", "empty"),
        "locked.pdf": (secret, "DOCUMENT_ENCRYPTED", "password"),
        "locked.docx": (locked_docx(), "DOCUMENT_ENCRYPTED", "password"),
        "locked.xlsx": (
            compound({"EncryptionInfo": b"", "EncryptedPackage": b""}),
            "DOCUMENT_ENCRYPTED",
            "password",
        ),
        "cut.docx": (manual[: len(manual) // 2], "DOCUMENT_DAMAGED", "truncated"),
        "cut.pdf": (paper("Marmots")[:40], "DOCUMENT_DAMAGED", "truncated"),
        "program.txt": (
            b"\x7fELF\x02\x01\x01" + bytes(200),
            "DOCUMENT_UNSUPPORTED",
            "not supported",
        ),
        "archive.docx": (zipped({"marmot.txt": "Marmots"}), "DOCUMENT_UNSUPPORTED", "unpack"),
        "bomb.docx": (word(bytes(60_000_000)), "DOCUMENT_TOO_LARGE", ""),
        "scans.pdf": (scans(), "DOCUMENT_PICTURES_ONLY", "images"),
        "deep.json": (b"[" * 50_000 + b"]" * 50_000, "DOCUMENT_DAMAGED", "nested"),
        "film.mp4": (b"\0\0\0\x18ftypmp42" + bytes(64), "DOCUMENT_NOT_AVAILABLE", ""),
    }
    jobs = desk.uploads([(name, data) for name, (data, _, _) in hostile.items()])
    for (name, (_, code, words)), job in zip(hostile.items(), jobs, strict=True):
        (error,) = job["errors"]
        assert (job["status"], error["code"]) == ("failed", code), (name, error)
        assert words in error["reason"], (name, error)
        assert job["reason"] == error["reason"]
        assert error["advice"].endswith("."), name
        assert job["documents"] == []
    assert desk.documents() == []
    assert desk.found("Where do marmots sleep?") == []


def test_renamed_two_faced_and_oddly_spelled_files_are_read_as_what_they_are(
    desk: DocumentsDesk,
) -> None:
    french = "Les écureuils sont nourris à l'étage, près de la fenêtre où ça chauffe."
    two_faced = paper("Otters swim in basin nine.") + zipped({"x/secret.txt": "Otters at home"})
    files = [
        ("renamed.pdf", word(body("Badgers dig under the old chapel."))),
        ("two.docx", two_faced),
        ("french.txt", french.encode("cp1252")),
        ("wide.txt", "Hedgehogs rest beneath the hornbeam.".encode("utf-16")),
        ("liar.html", f"<meta charset=utf-8><p>{french}".encode("latin-1")),
        ("torn.txt", b"Beavers gnaw \xff\xfe\x80 the footbridge in April."),
    ]
    jobs = dict(zip((name for name, _ in files), desk.uploads(files), strict=True))
    assert {name: (job["status"], job["errors"]) for name, job in jobs.items()} == {
        name: ("completed", []) for name, _ in files
    }
    kinds = {one["source"]: one["type"] for one in desk.documents()}
    assert (kinds["renamed.pdf"], kinds["two.docx"]) == ("docx", "pdf")
    assert "old chapel" in desk.found("Where do badgers dig?")[0]["content"]
    assert "basin nine" in desk.found("Where do otters swim?")[0]["content"]
    assert not any("at home" in one["content"] for one in desk.found("otters at home"))
    assert "hornbeam" in desk.found("Where do hedgehogs rest?")[0]["content"]
    assert "footbridge" in desk.found("What do beavers gnaw?")[0]["content"]
    spelled = [
        part["text"]
        for name in ("french.txt", "liar.html")
        for part in desk.http.get(f"/api/knowledge/documents/{jobs[name]['documents'][0]}").json()[
            "parts"
        ]
    ]
    assert all("écureuils" in one and "fenêtre" in one for one in spelled), spelled


def test_a_sheet_of_many_rows_ends_in_time(desk: DocumentsDesk) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Stock")
    sheet.append(["Article", "Shelf", "Pieces"])
    for row in range(ROWS // 20):
        sheet.append([f"article {row}", f"shelf {row % 97}", row])
    job = desk.upload("stock.xlsx", made(book.save))
    assert job["status"] in ("completed", "failed")
    assert bool(job["errors"]) == (job["status"] == "failed")
    listed = [one for one in desk.documents() if one["source"] == "stock.xlsx"]
    assert len(listed) == (job["status"] == "completed")


def test_a_new_version_that_cannot_be_read_leaves_the_old_one(desk: DocumentsDesk) -> None:
    first = desk.upload("plan.md", b"# Plan\n\nThe heron walk opens in the spring.")
    second = desk.upload("plan.md", b"\x7fELF\x02\x01\x01" + bytes(64))
    assert (first["status"], second["status"]) == ("completed", "failed")
    assert "heron walk" in desk.found("When does the heron walk open?")[0]["content"]


HOSTILE_QUERIES = (
    "a" * 1_000,
    "\u202e\u200f\u2066marmot\u2069",
    "the of and to",
    ".*(?=x)[[[ ^$ \\",
    "**bold** `code` | table |\n# heading",
    'AND OR NOT "+-=&|<>!(){}[]^~*?:/',
    "{$ne: null} '; drop table --",
    "\t\r\n\x0b",
    "𝔪𝔞𝔯𝔪𝔬𝔱 ﷽ 🦫" * 20,
)


def test_whatever_is_asked_is_answered_or_refused(desk: DocumentsDesk) -> None:
    for query in HOSTILE_QUERIES:
        asked = desk.http.get("/api/knowledge/resolve", params={"query": query})
        assert asked.status_code in (200, 422), (query[:40], asked.status_code, asked.text)
        listed = desk.http.get("/api/knowledge/documents", params={"q": query})
        assert listed.status_code in (200, 422), (query[:40], listed.status_code, listed.text)
    for given in ("a%00b", "x" * 60_000, "%ED%A0%80", "%"):
        asked = desk.http.get(f"/api/knowledge/resolve?query={given}")
        assert asked.status_code in (200, 400, 414, 422, 431), (given[:9], asked.status_code)
    for cursor in ("x", "0", "=" * 40, "eyJhIjoxfQ==", "9" * 300, "2026-01-01T00:00:00Z,zz", "\0"):
        asked = desk.http.get("/api/knowledge/documents", params={"cursor": cursor})
        assert asked.status_code == 422, (cursor, asked.status_code)


def test_a_filter_is_text_and_no_pattern(desk: DocumentsDesk) -> None:
    desk.upload("50% (final) [v2].md", b"# Prices\n\nWe give half off in May.")
    for wanted in ("50% (", "[v2]", "(FINAL)"):
        assert [one["source"] for one in desk.documents(q=wanted)] == ["50% (final) [v2].md"]
    for pattern in (".*", "^50", "v[0-9]", "(a+)+$"):
        assert desk.documents(q=pattern) == []
