"""Input and output of extractors."""

from datetime import datetime
from pathlib import Path

from app.domain.base import Value
from app.domain.knowledge import Phase


class Described(Value):
    """Metadata given with a document; not trusted. `url` is where it was fetched. `phase`
    applies to HTML: `initial` keeps hidden content.
    """

    name: str = ""
    declared: str | None = None
    url: str | None = None
    phase: Phase | None = None


class StoredFile(Described):
    """A document stored in a local file, as the server sees it."""

    path: Path


class Raw(Described):
    """A document's bytes, as a reader gets them."""

    data: bytes


class PageStart(Value):
    """Offset in the Markdown at which page `number` (from 1) begins."""

    number: int
    start: int


class Rows(Value):
    """Consecutive lines of the Markdown, from this offset, that are consecutive rows of a sheet.
    `number` is the sheet's number of the first row, from 1.
    """

    number: int
    start: int
    lines: int = 1


class Region(Value):
    """Span of the Markdown that came from one part of a page. `container` is its name, such as
    `#orders`, `dialog[New patient]` or `main`; regions nest.
    """

    container: str
    start: int
    end: int


class Extracted(Value):
    """A document as Markdown. `kind` is the detected type, such as "pdf"; `notes` are sentences on
    what could not be read.
    """

    markdown: str
    kind: str
    title: str = ""
    language: str | None = None
    published_at: datetime | None = None
    pages: tuple[PageStart, ...] = ()
    rows: tuple[Rows, ...] = ()
    regions: tuple[Region, ...] = ()
    notes: tuple[str, ...] = ()
