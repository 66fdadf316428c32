"""Reads a file of any format as Markdown. Runs synchronously in a worker process."""

from bisect import bisect_left
from collections.abc import Callable
from importlib import import_module

from app.errors import Unreadable
from app.text import patterns
from app.text.encodings import INVISIBLE
from app.text.language import detect_language
from knowledge.extract.format_detection import FORMATS, DetectedFormat, detect_format
from knowledge.extract.port import Extracted, Raw

Reader = Callable[[Raw], Extracted]
_UNPRINTABLE = patterns.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def read_document(raw: Raw) -> Extracted:
    """Detect the format of a file and read it. Raises `Unreadable` for bad input that a reader
    anticipates; the caller treats any other error as a damaged file.
    """
    detected = detect_format(raw)
    try:
        extracted = _reader(detected.format)(raw)
    except RecursionError:
        raise Unreadable("The document is nested too deeply.") from None
    except MemoryError:
        raise Unreadable(
            "Reading the document needs too much memory.", "DOCUMENT_TOO_LARGE"
        ) from None
    return _clean(extracted, detected)


def read_inner_page(data: bytes, declared: str | None = None) -> Extracted | None:
    """Read HTML inside a message or a book in full, without navigation; None if it has no text."""
    try:
        return _reader("html")(Raw(data=data, declared=declared or "text/html", phase="initial"))
    except Unreadable:
        return None


def _reader(name: str) -> Reader:
    module, _, function = FORMATS[name].reader.partition(":")
    reader: Reader = getattr(import_module(module), function)
    return reader


def _clean(extracted: Extracted, detected: DetectedFormat) -> Extracted:
    """Remove invisible characters and detect the language, which few formats declare. Characters
    that the store rejects are replaced one by one, which keeps offsets valid.
    """
    removed = [found.start() for found in INVISIBLE.finditer(extracted.markdown)]
    markdown = _printable(extracted.markdown)
    if not markdown.strip():
        raise Unreadable("The document has no text.", "DOCUMENT_EMPTY")

    def moved(offset: int) -> int:
        return offset - bisect_left(removed, offset)

    return extracted.model_copy(
        update={
            "markdown": markdown,
            "pages": tuple(
                one.model_copy(update={"start": moved(one.start)}) for one in extracted.pages
            ),
            "regions": tuple(
                one.model_copy(update={"start": moved(one.start), "end": moved(one.end)})
                for one in extracted.regions
            ),
            "language": detect_language(markdown, extracted.language),
            "title": " ".join(_printable(extracted.title).split()),
            "notes": (*detected.notes, *extracted.notes),
        }
    )


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub(
        lambda found: "\ufffd" if found[0] >= "\ud800" else " ", INVISIBLE.sub("", text)
    )
