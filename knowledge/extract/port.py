"""What an extractor is given and what it gives."""

from datetime import datetime
from pathlib import Path

from app.domain.base import Value
from app.domain.knowledge import Phase


class Described(Value):
    """What was said of a document: nothing of it is believed.

    `url` is where it was fetched. `phase` is for a page's HTML: `initial` keeps what is hidden.
    """

    name: str = ""
    declared: str | None = None
    url: str | None = None
    phase: Phase | None = None


class StoredFile(Described):
    """A document in a file of ours, as the server has it."""

    path: Path


class Raw(Described):
    """A document's bytes, as a reader gets them."""

    data: bytes


class PageStart(Value):
    """Page `number`, from 1 on, begins at this character of the Markdown."""

    number: int
    start: int


class Rows(Value):
    """So many lines of the Markdown, from this character on, are rows of a sheet that follow one another;
    `number` is the first one's, from 1 on, as the sheet counts.
    """

    number: int
    start: int
    lines: int = 1


class Region(Value):
    """Characters of the Markdown that stood in one part of a page: `container` is as in `#orders`,
    `dialog[New patient]`, `main`; parts lie in each other.
    """

    container: str
    start: int
    end: int


class Extracted(Value):
    """A document as Markdown. `kind` is its true type, as in "pdf"; `notes` say in sentences what could not
    be read.
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
