"""What reads which kind of file. It runs in a worker process: a reader is plain and synchronous."""

from bisect import bisect_left
from collections.abc import Callable
from importlib import import_module

from app.errors import Unreadable
from app.text import patterns
from app.text.invisible import INVISIBLE
from app.text.language import detect_language
from knowledge.extract.format_detection import Sniffed, sniff
from knowledge.extract.port import Extracted, Raw


def read_bytes(data: bytes, name: str, declared: str | None = None) -> Extracted:
    """A document in a document, by what it is. Raises `Unreadable`."""
    return read(Raw(data=data, name=name, declared=declared))


def read_html(data: bytes, declared: str | None = None) -> Extracted | None:
    """A page that is known to be one; None where nothing is on it. All of it is kept: it has no menus."""
    try:
        return reader("html")(Raw(data=data, declared=declared or "text/html", phase="initial"))
    except Unreadable:
        return None


Reader = Callable[[Raw], Extracted]

READERS = {
    "pdf": "knowledge.extract.pdf.reader:read",
    "html": "knowledge.html.reader:read",
    "txt": "knowledge.extract.text.prose:read_text",
    "md": "knowledge.extract.text.prose:read_markdown",
    "csv": "knowledge.extract.text.delimited:read",
    "json": "knowledge.extract.text.structured:read_json",
    "yaml": "knowledge.extract.text.structured:read_yaml",
    "xml": "knowledge.extract.text.xml_records:read",
    "eml": "knowledge.extract.text.mail:read",
    "xlsx": "knowledge.extract.office.spreadsheets:read",
    "xls": "knowledge.extract.office.spreadsheets:read",
    "ods": "knowledge.extract.office.spreadsheets:read",
    "docx": "knowledge.extract.office.docx:read",
    "pptx": "knowledge.extract.office.pptx:read",
    "odt": "knowledge.extract.office.opendocument:read",
    "odp": "knowledge.extract.office.opendocument:read",
    "epub": "knowledge.extract.office.epub:read",
    "doc": "knowledge.extract.office.legacy:read",
    "ppt": "knowledge.extract.office.legacy:read",
    "rtf": "knowledge.extract.office.legacy:read",
    "msg": "knowledge.extract.office.legacy:read",
    "audio": "knowledge.extract.media:read",
    "video": "knowledge.extract.media:read",
}
"""Of each kind the module and its function. They are imported when one is needed: PDF libraries alone
take 0.3 s.
"""

_UNPRINTABLE = patterns.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def reader(kind: str) -> Reader:
    """What reads this kind of file."""
    module, _, name = READERS[kind].partition(":")
    found: Reader = getattr(import_module(module), name)
    return found


def read(raw: Raw) -> Extracted:
    """A file as Markdown, by what its bytes are. Raises `Unreadable`, and nothing else for bad input that a
    reader foresees; what else it raises is a damaged file to whoever runs it.
    """
    sniffed = sniff(raw)
    return finished(read_as(sniffed, raw), sniffed)


def read_as(sniffed: Sniffed, raw: Raw) -> Extracted:
    """A file of a kind that is known, with the errors of depth and memory said in words."""
    try:
        return reader(sniffed.kind)(raw)
    except RecursionError:
        raise Unreadable("Its parts lie in each other deeper than any document's.") from None
    except MemoryError:
        raise Unreadable("It takes more memory than there is.", "DOCUMENT_TOO_LARGE") from None


def finished(extracted: Extracted, sniffed: Sniffed) -> Extracted:
    """Without characters that show nothing, nor those that no store keeps; each of these gives its place to
    another. Its language is what the text is in, which few kinds of files say.
    """
    gone = [found.start() for found in INVISIBLE.finditer(extracted.markdown)]
    markdown = _UNPRINTABLE.sub(_in_its_place, INVISIBLE.sub("", extracted.markdown))

    def moved(place: int) -> int:
        return place - bisect_left(gone, place)

    pages = (one.model_copy(update={"start": moved(one.start)}) for one in extracted.pages)
    regions = (
        one.model_copy(update={"start": moved(one.start), "end": moved(one.end)})
        for one in extracted.regions
    )
    if not markdown.strip():
        raise Unreadable("There is no text in it.", "DOCUMENT_EMPTY")
    return extracted.model_copy(
        update={
            "markdown": markdown,
            "pages": tuple(pages),
            "regions": tuple(regions),
            "language": detect_language(markdown, extracted.language),
            "title": " ".join(
                _UNPRINTABLE.sub(_in_its_place, INVISIBLE.sub("", extracted.title)).split()
            ),
            "notes": (*sniffed.notes, *extracted.notes),
        }
    )


def _in_its_place(found: patterns.Match) -> str:
    return "\ufffd" if found[0] >= "\ud800" else " "
