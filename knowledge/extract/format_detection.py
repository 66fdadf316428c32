"""What a file is, by its bytes. Its name and what was declared only tell apart kinds of text."""

import io
from pathlib import PurePosixPath

import puremagic
from pydantic_core import from_json

from app.domain.base import Value
from app.errors import Unreadable
from app.text import patterns
from knowledge.extract import media
from knowledge.extract.encoding import decoded, is_text, stays_text
from knowledge.extract.office.package import opened
from knowledge.extract.port import Raw

SUFFIXES = {
    ".md": "md", ".markdown": "md", ".mdx": "md", ".html": "html", ".htm": "html", ".xhtml": "html",
    ".csv": "csv", ".tsv": "csv", ".tab": "csv", ".json": "json", ".jsonl": "json", ".ndjson": "json",
    ".yaml": "yaml", ".yml": "yaml", ".xml": "xml", ".eml": "eml", ".mht": "eml", ".mhtml": "eml",
    ".txt": "txt", ".text": "txt", ".log": "txt", ".rst": "txt",
}  # fmt: skip
DECLARED = {
    "text/markdown": "md", "text/html": "html", "application/xhtml+xml": "html", "text/csv": "csv",
    "text/tab-separated-values": "csv", "application/json": "json", "application/x-ndjson": "json",
    "application/yaml": "yaml", "text/yaml": "yaml", "application/x-yaml": "yaml",
    "application/xml": "xml", "text/xml": "xml", "message/rfc822": "eml",
}  # fmt: skip
_FIRST_TAGS = ("<html", "<head", "<body")
_TAG = patterns.compile(r"<(?:/?[a-z][a-z0-9]*)(?:\s[^<>]*)?/?>", patterns.IGNORECASE)
_HEADER = patterns.compile(
    r"^(?:from|to|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to|"
    r"content-type|dkim-signature|x-[\w-]+):[ \t]*\S",
    patterns.IGNORECASE,
)
ENOUGH_HEADERS = 3  # a note may begin with "From: " and "Date: "


def text_kind(head: bytes, raw: Raw) -> str:
    """`head` is a text's beginning. What is a page or a message is read as one, whatever it is called."""
    text = decoded(head, raw.declared)[0].lstrip("\ufeff")
    if _is_page(text):
        return "html"
    if _is_message(text):
        return "eml"
    named = SUFFIXES.get(PurePosixPath(raw.name.replace("\\", "/")).suffix.lower())
    media = (raw.declared or "").partition(";")[0].strip().lower()
    said = named or DECLARED.get(media) or _by_form(text)
    return said if _bears_out(said, text) else _by_form(text)


def _bears_out(kind: str, text: str) -> bool:
    """Whether a text called so may be of the kind."""
    if kind == "html":
        return bool(_TAG.search(text))
    if kind == "xml":
        return text.lstrip()[:1] == "<"
    if kind == "eml":
        return ":" in text.partition("\n")[0]
    return True


def _by_form(text: str) -> str:
    """For a text that nobody said anything of."""
    start = text.lstrip()
    if start.startswith("<?xml"):
        return "xml"
    if start[:1] in ("{", "[") and _is_json(start):
        return "json"
    if start[:1] == "<" and len(_TAG.findall(text)) >= 3:
        return "html"
    return "txt"


def _is_page(text: str) -> bool:
    """Whether it is HTML from its first tag on; only blanks, comments and an XML declaration come before."""
    at = _markup_start(text)
    if text[at : at + 5].lower() in _FIRST_TAGS:
        return text[at + 5 : at + 6].isspace() or text[at + 5 : at + 6] == ">"
    if text[at : at + 9].lower() != "<!doctype" or not text[at + 9 : at + 10].isspace():
        return False
    name = text[at + 9 :].lstrip()[:5].lower()
    return name[:4] == "html" and not (name[4:].isalnum() or name[4:] == "_")


def _markup_start(text: str) -> int:
    """Where the first tag may stand. A comment that does not end is where it begins."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text.startswith("<!--", at):
            end = text.find("-->", at + 4) + 2
        elif text[at : at + 5].lower() == "<?xml":
            end = text.find(">", at + 5)
        else:
            break
        if end < at + 5:
            break
        at = end + 1
    return at


def _is_json(start: str) -> bool:
    """Whether it, or the first line of it, is JSON; only its beginning is at hand."""
    for part in (start, start.partition("\n")[0]):
        try:
            from_json(part)
        except ValueError as error:
            if not str(error).startswith("EOF"):
                continue
        return True
    return False


def _is_message(text: str) -> bool:
    found = set()
    for line in text.split("\n", 60)[:60]:
        if not line.strip():
            break
        if line[0] in " \t":
            continue
        if not patterns.match(r"[\w-]+:", line):
            return False
        if _HEADER.match(line):
            found.add(line.partition(":")[0].lower())
    return len(found) >= ENOUGH_HEADERS and bool(
        found & {"received", "message-id", "mime-version", "return-path", "delivered-to"}
    )


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
