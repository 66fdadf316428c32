"""Reads PDF as Markdown: text in reading order, headings, lists, tables and page starts."""

import ctypes
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

import pypdfium2 as pdfium
import pypdfium2.raw as c
from pypdfium2 import PdfDocument

from app.errors import Unreadable
from app.text import patterns
from knowledge.extract.pdf.blocks import Block, page_blocks
from knowledge.extract.pdf.markdown import Bookmark, document_markdown, title_in
from knowledge.extract.pdf.objects import Handle
from knowledge.extract.pdf.words import read_pdf_page
from knowledge.extract.port import Extracted, Raw

MOST_BOOKMARKS = 20_000
DEEPEST = 12  # outline entries
LONGEST_TITLE = 300  # characters
_DATE = patterns.compile(
    r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?'?|Z)?"
)
_LANGUAGE = patterns.compile(r"([A-Za-z]{2,3})\b")
_PROGRAMS = patterns.compile(
    r"(?i)^(microsoft (word|powerpoint|excel)\b.*|untitled.*|unknown|none"
    r"|.*\.(docx?|pptx?|xlsx?|tex|dvi|indd|odt|rtf|pdf))$"
)
"""Titles set by a program rather than an author."""
_WIDE = c.FPDFCatalog_GetLanguage.argtypes[1]
MOST_PAGES = 20_000
MOST_TEXT = 20_000_000  # characters
LISTED = 12  # page numbers listed in a note


def document_title(document: PdfDocument) -> str:
    """Title in the document information; "" if a program set it."""
    title = " ".join(str(document.get_metadata_value("Title")).split())[:LONGEST_TITLE]
    return "" if _PROGRAMS.match(title) else title


def language_of(document: PdfDocument) -> str | None:
    """Language code of two or three letters."""
    size = c.FPDFCatalog_GetLanguage(document.raw, None, 0)
    if not 2 < size < 100:
        return None
    buffer = ctypes.create_string_buffer(size)
    c.FPDFCatalog_GetLanguage(document.raw, ctypes.cast(buffer, _WIDE), size)
    found = _LANGUAGE.match(buffer.raw.decode("utf-16-le", "replace"))
    return found[1].lower() if found else None


def made_at(document: PdfDocument) -> datetime | None:
    """Creation date, else modification date (PDF 32000-1, 7.9.4)."""
    for name in ("CreationDate", "ModDate"):
        match = _DATE.match(str(document.get_metadata_value(name)).strip())
        if match:
            with suppress(ValueError, OverflowError):
                return _date(match)
    return None


def _date(match: patterns.Match) -> datetime:
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    zone = UTC
    if match[7]:
        offset = timedelta(hours=int(match[8]), minutes=int(match[9] or 0))
        zone = timezone(offset if match[7] == "+" else -offset)
    moment = datetime(year, month or 1, day or 1, hour, minute, min(second, 59), tzinfo=zone)
    return moment.astimezone(UTC)


def outline_of(document: PdfDocument) -> Iterator[Bookmark]:
    """Outline entries in order; stops at an entry that is its own parent."""
    seen: set[int] = set()
    pending = [(c.FPDFBookmark_GetFirstChild(document.raw, None), 0)]
    while pending and len(seen) < MOST_BOOKMARKS:
        mark, depth = pending.pop()
        if not mark or (address := ctypes.addressof(mark.contents)) in seen:
            continue
        seen.add(address)
        yield Bookmark(_title(mark), depth, _page(document, mark))
        pending.append((c.FPDFBookmark_GetNextSibling(document.raw, mark), depth))
        if depth < DEEPEST:
            pending.append((c.FPDFBookmark_GetFirstChild(document.raw, mark), depth + 1))


def _title(mark: Handle) -> str:
    size = min(c.FPDFBookmark_GetTitle(mark, None, 0), 4 * LONGEST_TITLE)
    buffer = ctypes.create_string_buffer(size + 2)
    c.FPDFBookmark_GetTitle(mark, buffer, size)
    title = buffer.raw[:size].decode("utf-16-le", "replace").replace("\0", " ")
    return " ".join(title.split())[:LONGEST_TITLE]


def _page(document: PdfDocument, mark: Handle) -> int | None:
    destination = c.FPDFBookmark_GetDest(document.raw, mark)
    if not destination:
        action = c.FPDFBookmark_GetAction(mark)
        if action and c.FPDFAction_GetType(action) == c.PDFACTION_GOTO:
            destination = c.FPDFAction_GetDest(document.raw, action)
    index = c.FPDFDest_GetDestPageIndex(document.raw, destination) if destination else -1
    return index if index >= 0 else None


@dataclass(slots=True)
class _Pages:
    """Page numbers start at 1: `pictures` are pages with images but no text, `broken` could not
    be read; `hidden` counts invisible words.
    """

    blocks: list[list[Block]] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    hidden: int = 0
    letters: int = 0


def read(raw: Raw) -> Extracted:
    """Read a PDF; scripts and attachments are ignored. Raises `Unreadable`."""
    document = _open(raw.data)
    try:
        pages = _pages(document)
        _check(pages)
        markdown, starts = document_markdown(pages.blocks, outline_of(document))
        return Extracted(
            markdown=markdown,
            kind="pdf",
            title=document_title(document) or title_in(pages.blocks[0]),
            language=language_of(document),
            published_at=made_at(document),
            pages=starts,
            notes=tuple(_notes(pages)),
        )
    finally:
        document.close()


def _open(data: bytes) -> pdfium.PdfDocument:
    """Open a document with the empty password, which suffices if only changes are restricted."""
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code in (c.FPDF_ERR_PASSWORD, c.FPDF_ERR_SECURITY):
            raise Unreadable("The PDF is password-protected.", "DOCUMENT_ENCRYPTED") from None
        raise Unreadable("The PDF is damaged or truncated.") from None
    pages = len(document)
    if 0 < pages <= MOST_PAGES:
        return document
    document.close()
    if pages:
        raise Unreadable(f"The PDF has {pages} pages, too many to read.", "DOCUMENT_TOO_LARGE")
    raise Unreadable("The PDF has no pages: it is damaged or truncated.")


def _pages(document: pdfium.PdfDocument) -> _Pages:
    """Read all pages; only one is open at a time."""
    pages = _Pages()
    for number in range(1, len(document) + 1):
        try:
            page = document[number - 1]
        except pdfium.PdfiumError:
            pages.broken.append(number)
            pages.blocks.append([])
            continue
        try:
            pages.blocks.append(_read_page(page, number, pages))
        finally:
            page.close()
        pages.letters += sum(len(block.text) for block in pages.blocks[-1])
        if pages.letters > MOST_TEXT:
            raise Unreadable("The PDF has too much text.", "DOCUMENT_TOO_LARGE")
    return pages


def _read_page(page: pdfium.PdfPage, number: int, pages: _Pages) -> list[Block]:
    try:
        content = read_pdf_page(page)
    except pdfium.PdfiumError:
        pages.broken.append(number)
        return []
    pages.hidden += content.hidden
    if not content.words and not content.aside and content.pictured:
        pages.pictures.append(number)
    return page_blocks(content)


def _check(pages: _Pages) -> None:
    if pages.letters:
        return
    if pages.pictures:
        raise Unreadable(
            "The PDF has only images of pages. Run text recognition (OCR) on it first.",
            "DOCUMENT_PICTURES_ONLY",
        )
    if len(pages.broken) == len(pages.blocks):
        raise Unreadable("The PDF is damaged: none of its pages can be read.")
    raise Unreadable("The PDF has no text.", "DOCUMENT_EMPTY")


def _notes(pages: _Pages) -> list[str]:
    notes = []
    if pages.pictures:
        notes.append(f"{_list_pages(pages.pictures)} only images, whose text is not read.")
    if pages.broken:
        notes.append(f"{_list_pages(pages.broken, 'is', 'are')} damaged and were left out.")
    if pages.hidden:
        notes.append(f"{pages.hidden} invisible words were left out.")
    return notes


def _list_pages(numbers: list[int], one: str = "holds", more: str = "hold") -> str:
    """A list of pages with a verb, as the beginning of a sentence."""
    if len(numbers) == 1:
        return f"Page {numbers[0]} {one}"
    listed = ", ".join(map(str, numbers[:LISTED])) + (", …" if len(numbers) > LISTED else "")
    return f"{len(numbers)} pages ({listed}) {more}"
