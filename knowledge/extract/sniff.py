"""What a file is, by its bytes. Its name and what was declared only tell apart kinds of text."""

import io
from pathlib import PurePosixPath

import puremagic

from app.domain.base import Value
from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import media
from knowledge.extract.packages import opened
from knowledge.extract.port import Raw
from knowledge.extract.text_kinds import text_kind
from knowledge.extract.texts import is_text, stays_text

HEAD = 65_536  # bytes
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
PDF_WITHIN = 1_024  # bytes: readers have always taken a header that has rubbish before it
OFFICE = {
    "word/document.xml": "docx",
    "xl/workbook.xml": "xlsx",
    "xl/workbook.bin": "xlsx",
    "ppt/presentation.xml": "pptx",
}
OPEN_TYPES = {
    "application/epub+zip": "epub",
    "application/vnd.oasis.opendocument.text": "odt",
    "application/vnd.oasis.opendocument.presentation": "odp",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
}
STREAMS = {
    "worddocument": "doc",
    "workbook": "xls",
    "book": "xls",
    "powerpoint document": "ppt",
    "__properties_version1.0": "msg",
}
LOCKED = ("encryptedpackage", "encryptioninfo")


class Sniffed(Value):
    """A kind of `kinds.READERS`, and what a person should know of how it was told."""

    kind: str
    notes: tuple[str, ...] = ()


def sniff(raw: Raw) -> Sniffed:
    """What the file is. Raises `Unreadable` where it is nothing that is read.

    Of a file that is two things at once (a PDF that is a ZIP, too) the first bytes decide, and it is read
    as that alone: what only another program would find in it is not ingested. Text that turns into
    packed bytes further on is nothing that is read.
    """
    head = raw.data[:HEAD]
    if not head.strip(b"\x00 \t\r\n\f\v"):
        raise Unreadable("The file is empty.", "DOCUMENT_EMPTY")
    kind = _kind(raw, head)
    return Sniffed(kind=kind, notes=_renamed(kind, raw.name))


def _kind(raw: Raw, head: bytes) -> str:
    if head.startswith(b"%PDF-"):
        return "pdf"
    if head.startswith(ZIPS):
        return _zip_kind(raw.data)
    if head.startswith(OLE):
        return _ole_kind(raw.data)
    if head.lstrip().startswith(b"{\\rtf"):
        return "rtf"
    if found := media.media_type(head):
        return found.partition("/")[0]
    if is_text(head):
        return _text_kind(raw, head)
    if b"%PDF-" in head[:PDF_WITHIN]:
        return "pdf"
    raise Unreadable(f"{_called(head)} is not read.", "DOCUMENT_UNSUPPORTED")


def _text_kind(raw: Raw, head: bytes) -> str:
    kind = text_kind(head, raw)
    if kind == "eml":  # what is attached may stand in it as it is
        return kind
    rest = (raw.data[at : at + HEAD] for at in range(len(head), len(raw.data), HEAD))
    if not stays_text(head, rest):
        raise Unreadable(
            "It begins as a text and goes on as another kind of file.", "DOCUMENT_UNSUPPORTED"
        )
    return kind


def _zip_kind(data: bytes) -> str:
    with opened(data) as package:
        names = set(package.names)
        for part, kind in OFFICE.items():
            if part in names:
                return kind
        said = package.read("mimetype", most=1_000).decode("ascii", "replace").strip()
        if kind := OPEN_TYPES.get(said.removesuffix("-template"), ""):
            return kind
        if "META-INF/container.xml" in names:
            return "epub"
        if "[Content_Types].xml" in names:
            return _by_content_types(package.read("[Content_Types].xml", most=1_000_000))
    raise Unreadable("A ZIP archive is not read: unpack it first.", "DOCUMENT_UNSUPPORTED")


def _by_content_types(types: bytes) -> str:
    """Office lets the main part have any name."""
    for sign, kind in (
        (b"wordprocessingml.document.main", "docx"),
        (b"wordprocessingml.template.main", "docx"),
        (b"spreadsheetml.sheet.main", "xlsx"),
        (b"presentationml.presentation.main", "pptx"),
    ):
        if sign in types:
            return kind
    raise Unreadable("This kind of Office file is not read.", "DOCUMENT_UNSUPPORTED")


def _ole_kind(data: bytes) -> str:
    import olefile  # type: ignore[import-untyped]  # noqa: PLC0415 - old Office files alone need it

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            names = {"/".join(one).lower() for one in ole.listdir(streams=True)}
    except Exception:  # noqa: BLE001 - whatever it trips over, the list of streams is broken
        raise Unreadable("The file is damaged or was cut off.") from None
    if any(name in names for name in LOCKED):
        raise Unreadable("The file is protected by a password.", "DOCUMENT_ENCRYPTED")
    for stream, kind in STREAMS.items():
        if stream in names:
            return kind
    raise Unreadable("This kind of old Office file is not read.", "DOCUMENT_UNSUPPORTED")


def _called(head: bytes) -> str:
    """What to call a kind that is not read, to a person."""
    try:
        best = puremagic.magic_string(head[:4_096])[0]
    except (puremagic.PureError, ValueError, IndexError):
        return "This kind of file"
    if best.mime_type.startswith("image/"):
        return "A picture"
    return f"This kind of file ({best.name})" if best.name else "This kind of file"


_SAME = {
    "htm": "html", "xhtml": "html", "markdown": "md", "yml": "yaml", "tsv": "csv", "docm": "docx",
    "dotx": "docx", "xlsm": "xlsx", "xlsb": "xlsx", "xltx": "xlsx", "pptm": "pptx", "ppsx": "pptx",
    "jsonl": "json", "ndjson": "json", "dot": "doc", "pps": "ppt", "ott": "odt", "mht": "eml",
    "mhtml": "eml",
}  # fmt: skip
_FIRM = {
    "pdf", "docx", "xlsx", "pptx", "doc", "xls", "ppt", "odt", "ods", "odp", "epub", "rtf", "msg",
    "html", "eml",
}  # fmt: skip


def _renamed(kind: str, name: str) -> tuple[str, ...]:
    """A note where the name says another kind than the bytes."""
    suffix = patterns.sub(r"[^a-z0-9]", "", PurePosixPath(name.replace("\\", "/")).suffix.lower())
    said = _SAME.get(suffix, suffix)
    if said == kind or not ({said, kind} & _FIRM) or said not in _FIRM | {"txt", "md", "csv"}:
        return ()
    return (f"The file is called .{suffix}, and was read as what it is: {kind}.",)
