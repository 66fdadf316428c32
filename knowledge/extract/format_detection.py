"""The supported formats (docs/how-to/add-a-format.md), and detection of a file's format.

Its bytes decide; name and media type only distinguish text formats.
"""

import io
from pathlib import PurePosixPath
from typing import NamedTuple

import puremagic
from pydantic_core import from_json

from app.domain.base import Value
from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import media
from knowledge.extract.charset import decode_text, is_text, stays_text
from knowledge.extract.office.package import open_package
from knowledge.extract.port import Raw

# An HTML page, starting after whitespace, comments and an XML declaration.
_PAGE = patterns.compile(
    r"(?:\s|<!--(?:-?[^-]|--+[^->])*--+>|<\?xml[^>]*>)*(?:<(?:html|head|body)[\s>]|<!doctype\s+html(?:\W|$))",
    patterns.IGNORECASE | patterns.DOTALL,
)
_TAG = patterns.compile(r"<(?:/?[a-z][a-z0-9]*)(?:\s[^<>]*)?/?>", patterns.IGNORECASE)
_HEADER = patterns.compile(
    r"^(?:from|to|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to|"
    r"content-type|dkim-signature|x-[\w-]+):[ \t]*\S",
    patterns.IGNORECASE,
)
ENOUGH_HEADERS = 3  # a note may begin with "From: " and "Date: "
HEAD = 65_536  # bytes
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
PDF_WITHIN = 1_024  # bytes: PDF readers accept a header with garbage before it
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
_BINARY_OR_MARKED = {
    "pdf", "docx", "xlsx", "pptx", "doc", "xls", "ppt", "odt", "ods", "odp", "epub", "rtf", "msg",
    "html", "eml",
}  # fmt: skip


class Format(NamedTuple):
    """`reader` is `module:function`, imported on first use: PDF libraries take
    0.3 s. Suffixes and media types distinguish text formats; others are detected from their
    bytes.
    """

    reader: str
    suffixes: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()


FORMATS = {
    "pdf": Format("knowledge.extract.pdf.reader:read", (".pdf",)),
    "html": Format(
        "knowledge.html.reader:read",
        (".html", ".htm", ".xhtml"),
        ("text/html", "application/xhtml+xml"),
    ),
    "txt": Format("knowledge.extract.prose:read_text", (".txt", ".text", ".log", ".rst")),
    "md": Format(
        "knowledge.extract.prose:read_markdown", (".md", ".markdown", ".mdx"), ("text/markdown",)
    ),
    "csv": Format(
        "knowledge.extract.grids:read",
        (".csv", ".tsv", ".tab"),
        ("text/csv", "text/tab-separated-values"),
    ),
    "json": Format(
        "knowledge.extract.json_yaml:read_json",
        (".json", ".jsonl", ".ndjson"),
        ("application/json", "application/x-ndjson"),
    ),
    "yaml": Format(
        "knowledge.extract.json_yaml:read_yaml",
        (".yaml", ".yml"),
        ("application/yaml", "text/yaml", "application/x-yaml"),
    ),
    "xml": Format("knowledge.extract.xml_files:read", (".xml",), ("application/xml", "text/xml")),
    "eml": Format("knowledge.extract.mail:read", (".eml", ".mht", ".mhtml"), ("message/rfc822",)),
    "xlsx": Format(
        "knowledge.extract.office.spreadsheets:read", (".xlsx", ".xlsm", ".xlsb", ".xltx")
    ),
    "xls": Format("knowledge.extract.office.spreadsheets:read", (".xls",)),
    "ods": Format("knowledge.extract.office.spreadsheets:read", (".ods",)),
    "docx": Format("knowledge.extract.office.docx:read", (".docx", ".docm", ".dotx")),
    "pptx": Format("knowledge.extract.office.pptx:read", (".pptx", ".pptm", ".ppsx")),
    "odt": Format("knowledge.extract.office.opendocument:read", (".odt", ".ott")),
    "odp": Format("knowledge.extract.office.opendocument:read", (".odp",)),
    "epub": Format("knowledge.extract.office.epub:read", (".epub",)),
    "doc": Format("knowledge.extract.office.legacy:read", (".doc", ".dot")),
    "ppt": Format("knowledge.extract.office.legacy:read", (".ppt", ".pps")),
    "rtf": Format("knowledge.extract.office.legacy:read", (".rtf",)),
    "msg": Format("knowledge.extract.office.legacy:read", (".msg",)),
    "audio": Format("knowledge.extract.media:read"),
    "video": Format("knowledge.extract.media:read"),
}
BY_SUFFIX = {suffix: name for name, one in FORMATS.items() for suffix in one.suffixes}
BY_MEDIA_TYPE = {
    media_type: name for name, one in FORMATS.items() for media_type in one.media_types
}


def text_kind(head: bytes, raw: Raw) -> str:
    """The format of a text that starts with `head`; HTML and mail are recognized by content."""
    text = decode_text(head, raw.declared)[0].lstrip("\ufeff")
    if _PAGE.match(text):
        return "html"
    if _is_message(text):
        return "eml"
    by_name = BY_SUFFIX.get(PurePosixPath(raw.name.replace("\\", "/")).suffix.lower())
    media = (raw.declared or "").partition(";")[0].strip().lower()
    claimed = by_name or BY_MEDIA_TYPE.get(media) or _by_content(text)
    return claimed if _is_plausible(claimed, text) else _by_content(text)


def _is_plausible(kind: str, text: str) -> bool:
    """Whether a text may be of the format its name claims."""
    if kind == "html":
        return bool(_TAG.search(text))
    if kind == "xml":
        return text.lstrip()[:1] == "<"
    if kind == "eml":
        return ":" in text.partition("\n")[0]
    return True


def _by_content(text: str) -> str:
    start = text.lstrip()
    if start.startswith("<?xml"):
        return "xml"
    if start[:1] in ("{", "[") and _is_json(start):
        return "json"
    if start[:1] == "<" and len(_TAG.findall(text)) >= 3:
        return "html"
    return "txt"


def _is_json(start: str) -> bool:
    """Whether the text or its first line looks like JSON, judging by its beginning."""
    for part in (start, start.partition("\n")[0]):
        try:
            from_json(part)
        except ValueError as error:
            if not str(error).startswith("EOF"):
                continue
        return True
    return False


def _is_message(text: str) -> bool:
    headers = set()
    for line in text.split("\n", 60)[:60]:
        if not line.strip():
            break
        if line[0] in " \t":
            continue
        if not patterns.match(r"[\w-]+:", line):
            return False
        if _HEADER.match(line):
            headers.add(line.partition(":")[0].lower())
    return len(headers) >= ENOUGH_HEADERS and bool(
        headers & {"received", "message-id", "mime-version", "return-path", "delivered-to"}
    )


class DetectedFormat(Value):
    """A name in `FORMATS`, and notes for users."""

    format: str
    notes: tuple[str, ...] = ()


def detect_format(raw: Raw) -> DetectedFormat:
    """Detect the format of a file. Raises `Unreadable` if it is not supported.

    For a polyglot file, such as a PDF that is also a ZIP, the first bytes decide: content that only
    another program would find is not ingested. Text that turns into compressed bytes is rejected.
    """
    head = raw.data[:HEAD]
    if not head.strip(b"\x00 \t\r\n\f\v"):
        raise Unreadable("The file is empty.", "DOCUMENT_EMPTY")
    kind = _kind(raw, head)
    return DetectedFormat(format=kind, notes=_name_notes(kind, raw.name))


def _kind(raw: Raw, head: bytes) -> str:
    if head.startswith(b"%PDF-"):
        return "pdf"
    if head.startswith(ZIPS):
        return _zip_kind(raw.data)
    if head.startswith(OLE):
        return _ole_kind(raw.data)
    if head.lstrip().startswith(b"{\\rtf"):
        return "rtf"
    if media_type := media.detect_media_type(head):
        return media_type.partition("/")[0]
    if is_text(head):
        return _text_kind(raw, head)
    if b"%PDF-" in head[:PDF_WITHIN]:
        return "pdf"
    raise Unreadable(f"{_description(head)} is not supported.", "DOCUMENT_UNSUPPORTED")


def _text_kind(raw: Raw, head: bytes) -> str:
    kind = text_kind(head, raw)
    if kind == "eml":  # attachments may be binary
        return kind
    rest = (raw.data[at : at + HEAD] for at in range(len(head), len(raw.data), HEAD))
    if not stays_text(head, rest):
        raise Unreadable(
            "The file starts as text and continues as binary data.", "DOCUMENT_UNSUPPORTED"
        )
    return kind


def _zip_kind(data: bytes) -> str:
    with open_package(data) as package:
        names = set(package.names)
        for part, kind in OFFICE.items():
            if part in names:
                return kind
        media_type = package.read("mimetype", most=1_000).decode("ascii", "replace").strip()
        if kind := OPEN_TYPES.get(media_type.removesuffix("-template"), ""):
            return kind
        if "META-INF/container.xml" in names:
            return "epub"
        if "[Content_Types].xml" in names:
            return _by_content_types(package.read("[Content_Types].xml", most=1_000_000))
    raise Unreadable("ZIP archives are not supported: unpack it first.", "DOCUMENT_UNSUPPORTED")


def _by_content_types(types: bytes) -> str:
    """Find the main part by content type, since Office files may name it freely."""
    for sign, kind in (
        (b"wordprocessingml.document.main", "docx"),
        (b"wordprocessingml.template.main", "docx"),
        (b"spreadsheetml.sheet.main", "xlsx"),
        (b"presentationml.presentation.main", "pptx"),
    ):
        if sign in types:
            return kind
    raise Unreadable("This kind of Office file is not supported.", "DOCUMENT_UNSUPPORTED")


def _ole_kind(data: bytes) -> str:
    import olefile  # type: ignore[import-untyped]  # noqa: PLC0415 - only old Office files need it

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as ole:
            names = {"/".join(one).lower() for one in ole.listdir(streams=True)}
    except Exception:  # noqa: BLE001 - olefile raises anything for a broken list of streams
        raise Unreadable("The file is damaged or truncated.") from None
    if any(name in names for name in LOCKED):
        raise Unreadable("The file is password-protected.", "DOCUMENT_ENCRYPTED")
    for stream, kind in STREAMS.items():
        if stream in names:
            return kind
    raise Unreadable("This kind of old Office file is not supported.", "DOCUMENT_UNSUPPORTED")


def _description(head: bytes) -> str:
    """The name of an unsupported format, for users."""
    try:
        best = puremagic.magic_string(head[:4_096])[0]
    except (puremagic.PureError, ValueError, IndexError):
        return "This kind of file"
    if best.mime_type.startswith("image/"):
        return "An image"
    return f"This kind of file ({best.name})" if best.name else "This kind of file"


def _name_notes(kind: str, name: str) -> tuple[str, ...]:
    """A note if the name claims another format than detected."""
    suffix = patterns.sub(r"[^a-z0-9]", "", PurePosixPath(name.replace("\\", "/")).suffix.lower())
    claimed = BY_SUFFIX.get(f".{suffix}", "")
    if (
        claimed == kind
        or not ({claimed, kind} & _BINARY_OR_MARKED)
        or claimed not in _BINARY_OR_MARKED | {"txt", "md", "csv"}
    ):
        return ()
    return (f"The file is named .{suffix}, but was read as {kind}.",)
