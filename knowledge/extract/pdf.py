"""PDF as Markdown: text in reading order, headings, lists, tables, and where each page begins."""

from dataclasses import dataclass, field

import pypdfium2 as pdfium
import pypdfium2.raw as c

from app.errors import Unreadable
from knowledge.extract.pdf_about import language_of, links_on, made_at, outline_of, title_of
from knowledge.extract.pdf_blocks import Block, blocks_of
from knowledge.extract.pdf_markdown import as_markdown, title_in
from knowledge.extract.pdf_words import read_page
from knowledge.extract.port import Extracted, Raw

MOST_PAGES = 20_000
MOST_TEXT = 20_000_000  # characters
MOST_LINKS = 10_000
LISTED = 12  # page numbers in a note


@dataclass(slots=True)
class _Pages:
    """What the pages of a document say. Page numbers from 1 on: `pictures` have no text but pictures,
    `broken` could not be read; `hidden` are words that nobody sees.
    """

    blocks: list[list[Block]] = field(default_factory=list)
    links: dict[str, None] = field(default_factory=dict)
    pictures: list[int] = field(default_factory=list)
    broken: list[int] = field(default_factory=list)
    hidden: int = 0
    letters: int = 0


def read(raw: Raw) -> Extracted:
    """A PDF. Scripts and files in it are not looked at. Raises `Unreadable`."""
    document = _opened(raw.data)
    try:
        pages = _pages(document)
        _check(pages)
        markdown, starts = as_markdown(pages.blocks, outline_of(document))
        return Extracted(
            markdown=markdown,
            kind="pdf",
            title=title_of(document) or title_in(pages.blocks[0]),
            language=language_of(document),
            published_at=made_at(document),
            pages=starts,
            links=tuple(pages.links),
            notes=tuple(_notes(pages)),
        )
    finally:
        document.close()


def _opened(data: bytes) -> pdfium.PdfDocument:
    """An empty password opens what is only protected against changes."""
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code in (c.FPDF_ERR_PASSWORD, c.FPDF_ERR_SECURITY):
            raise Unreadable("The PDF is protected by a password.", "DOCUMENT_ENCRYPTED") from None
        raise Unreadable("The PDF is damaged or was cut off.") from None
    pages = len(document)
    if 0 < pages <= MOST_PAGES:
        return document
    document.close()
    if pages:
        raise Unreadable(f"The PDF has {pages} pages.", "DOCUMENT_TOO_LARGE")
    raise Unreadable("The PDF has no pages: it is damaged or was cut off.")


def _pages(document: pdfium.PdfDocument) -> _Pages:
    """All pages, one after the other: no more than one is open at a time."""
    found = _Pages()
    for number in range(1, len(document) + 1):
        try:
            page = document[number - 1]
        except pdfium.PdfiumError:
            found.broken.append(number)
            found.blocks.append([])
            continue
        try:
            found.blocks.append(_read_page(document, page, number, found))
        finally:
            page.close()
        found.letters += sum(len(block.text) for block in found.blocks[-1])
        if found.letters > MOST_TEXT:
            raise Unreadable("The PDF holds more text than is kept of one.", "DOCUMENT_TOO_LARGE")
    return found


def _read_page(
    document: pdfium.PdfDocument, page: pdfium.PdfPage, number: int, found: _Pages
) -> list[Block]:
    try:
        read = read_page(page)
    except pdfium.PdfiumError:
        found.broken.append(number)
        return []
    found.hidden += read.hidden
    if not read.words and not read.aside and read.pictured:
        found.pictures.append(number)
    most = MOST_LINKS - len(found.links)
    found.links.update(dict.fromkeys(links_on(document, page, most)))
    return blocks_of(read)


def _check(pages: _Pages) -> None:
    """Raise when there is no text."""
    if pages.letters:
        return
    if pages.pictures:
        raise Unreadable(
            "The PDF holds pictures of pages and no text: its text has to be recognised (OCR) first.",
            "DOCUMENT_PICTURES_ONLY",
        )
    if len(pages.broken) == len(pages.blocks):
        raise Unreadable("The PDF is damaged: none of its pages can be read.")
    raise Unreadable("There is no text in the PDF.", "DOCUMENT_EMPTY")


def _notes(pages: _Pages) -> list[str]:
    notes = []
    if pages.pictures:
        notes.append(f"{_listed(pages.pictures)} only pictures, whose text is not read.")
    if pages.broken:
        notes.append(f"{_listed(pages.broken, 'is', 'are')} damaged and left out.")
    if pages.hidden:
        notes.append(f"{pages.hidden} words that a person cannot see are left out.")
    return notes


def _listed(numbers: list[int], one: str = "holds", more: str = "hold") -> str:
    """Pages as the beginning of a sentence."""
    if len(numbers) == 1:
        return f"Page {numbers[0]} {one}"
    said = ", ".join(map(str, numbers[:LISTED])) + (", …" if len(numbers) > LISTED else "")
    return f"{len(numbers)} pages ({said}) {more}"
