"""What a PDF says about itself: title, language, date, outline, links."""

import ctypes
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pypdfium2.raw as c
from pypdfium2 import PdfDocument, PdfPage

from app.text import patterns
from knowledge.extract.pdf_markdown import Bookmark
from knowledge.extract.pdf_objects import Handle

MOST_BOOKMARKS = 20_000
DEEPEST = 12  # of the outline
LONGEST_TITLE = 300  # characters
LONGEST_ADDRESS = 2_000
_DATE = patterns.compile(
    r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?'?|Z)?"
)
_LANGUAGE = patterns.compile(r"([A-Za-z]{2,3})\b")
_PROGRAMS = patterns.compile(
    r"(?i)^(microsoft (word|powerpoint|excel)\b.*|untitled.*|unknown|none"
    r"|.*\.(docx?|pptx?|xlsx?|tex|dvi|indd|odt|rtf|pdf))$"
)
"""Titles that a program wrote for want of one."""


def title_of(document: PdfDocument) -> str:
    """As its maker gave it; "" where only a program did."""
    title = " ".join(str(document.get_metadata_value("Title")).split())[:LONGEST_TITLE]
    return "" if _PROGRAMS.match(title) else title


def language_of(document: PdfDocument) -> str | None:
    """Two letters, or three."""
    size = c.FPDFCatalog_GetLanguage(document.raw, None, 0)
    if not 2 < size < 100:
        return None
    buffer = ctypes.create_string_buffer(size)
    c.FPDFCatalog_GetLanguage(document.raw, ctypes.cast(buffer, _WIDE), size)
    found = _LANGUAGE.match(buffer.raw.decode("utf-16-le", "replace"))
    return found[1].lower() if found else None


_WIDE = c.FPDFCatalog_GetLanguage.argtypes[1]


def made_at(document: PdfDocument) -> datetime | None:
    """When it was made, or last changed where that is not said (PDF 32000-1, 7.9.4)."""
    for name in ("CreationDate", "ModDate"):
        found = _DATE.match(str(document.get_metadata_value(name)).strip())
        if found:
            with suppress(ValueError, OverflowError):
                return _date(found)
    return None


def _date(found: patterns.Match) -> datetime:
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    zone = UTC
    if found[7]:
        away = timedelta(hours=int(found[8]), minutes=int(found[9] or 0))
        zone = timezone(away if found[7] == "+" else -away)
    made = datetime(year, month or 1, day or 1, hour, minute, min(second, 59), tzinfo=zone)
    return made.astimezone(UTC)


def outline_of(document: PdfDocument) -> Iterator[Bookmark]:
    """Its entries in their order. One that is its own parent ends it."""
    seen: set[int] = set()
    waiting = [(c.FPDFBookmark_GetFirstChild(document.raw, None), 0)]
    while waiting and len(seen) < MOST_BOOKMARKS:
        mark, depth = waiting.pop()
        if not mark or (address := ctypes.addressof(mark.contents)) in seen:
            continue
        seen.add(address)
        yield Bookmark(_title(mark), depth, _page(document, mark))
        waiting.append((c.FPDFBookmark_GetNextSibling(document.raw, mark), depth))
        if depth < DEEPEST:
            waiting.append((c.FPDFBookmark_GetFirstChild(document.raw, mark), depth + 1))


def _title(mark: Handle) -> str:
    size = min(c.FPDFBookmark_GetTitle(mark, None, 0), 4 * LONGEST_TITLE)
    buffer = ctypes.create_string_buffer(size + 2)
    c.FPDFBookmark_GetTitle(mark, buffer, size)
    title = buffer.raw[:size].decode("utf-16-le", "replace").replace("\0", " ")
    return " ".join(title.split())[:LONGEST_TITLE]


def _page(document: PdfDocument, mark: Handle) -> int | None:
    place = c.FPDFBookmark_GetDest(document.raw, mark)
    if not place:
        action = c.FPDFBookmark_GetAction(mark)
        if action and c.FPDFAction_GetType(action) == c.PDFACTION_GOTO:
            place = c.FPDFAction_GetDest(document.raw, action)
    page = c.FPDFDest_GetDestPageIndex(document.raw, place) if place else -1
    return page if page >= 0 else None


def links_on(document: PdfDocument, page: PdfPage, most: int) -> Iterator[str]:
    """The addresses of the web that its links lead to, `most` at most."""
    at, link = ctypes.c_int(0), c.FPDF_LINK()
    while most > 0 and c.FPDFLink_Enumerate(page.raw, at, link):
        action = c.FPDFLink_GetAction(link)
        if not action or c.FPDFAction_GetType(action) != c.PDFACTION_URI:
            continue
        size = c.FPDFAction_GetURIPath(document.raw, action, None, 0)
        if not 8 < size <= LONGEST_ADDRESS:
            continue
        buffer = ctypes.create_string_buffer(size)
        c.FPDFAction_GetURIPath(document.raw, action, buffer, size)
        address = buffer.value.decode("utf-8", "replace").strip()
        if address.lower().startswith(("http://", "https://")):
            most -= 1
            yield address
