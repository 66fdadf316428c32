"""What a crawl is asked for, what it hands on, and what it says in the end.

`knowledge.crawl.crawling.crawl` does it. That module imports crawlee: import it where it is used.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.knowledge import IngestFailure, Strategy

# Codes of failures that are a crawl's own; the others are those of `app.errors`.
NEEDS_BROWSER = "PAGE_NEEDS_BROWSER"  # nothing but scripts that would draw the page
GONE = "PAGE_GONE"  # 404 or 410
NOT_OPEN = "PAGE_NOT_OPEN"  # 401, 403: it wants a login
NOT_ANSWERED = "PAGE_NOT_ANSWERED"  # another status that is no success
DISALLOWED = "ROBOTS_DISALLOWED"  # the site's robots.txt does not want it fetched
NOT_INDEXED = "PAGE_NOT_INDEXED"  # the page itself says noindex
OFF_SITE = "PAGE_OFF_SITE"  # it leads to another site
BUSY = "SITE_BUSY"  # 429 or 503 again and again, or for longer than is waited
NO_SITEMAP = "SITEMAP_NOT_FOUND"
EMPTY_SITEMAP = "SITEMAP_EMPTY"  # it lists no page, or none that may be read


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRequest:
    """One crawl. `max_pages` bounds the pages handed on; a spider goes `max_depth` links far from `url`."""

    tenant: str
    job_id: str
    url: str
    strategy: Strategy = "single"
    max_pages: int = 100
    max_depth: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How a crawl behaves towards a site, and how long it bears with it. Times in seconds."""

    at_once: int = 4  # pages in flight, and so in memory
    longest_delay_s: float = (
        30.0  # of robots.txt's crawl-delay; a longer one is cut to it, and noted
    )
    longest_wait_s: float = 60.0  # of Retry-After; a page that asks for longer has failed
    first_wait_s: float = 2.0  # after a 429 or 503 that names no time; doubled each time
    tries: int = 3  # of one page
    most_in_a_row: int = (
        8  # pages without an answer, one after the other, before the site is given up
    )
    page_s: float = 60.0  # one fetch, redirects included
    read_s: float = 15.0  # between two pieces of an answer
    page_bytes: int = 25_000_000  # of one page or document, unpacked
    sitemap_bytes: int = 200_000_000  # of all sitemaps of one crawl, unpacked; one may have 50 MB
    sitemap_s: float = 300.0  # for one sitemap


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was kept of a page when it was last read, to ask whether it is another by now; `read_at` is
    when that was.
    """

    etag: str | None = None
    last_modified: str | None = None
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """An answer worth reading: a page or a document. `url` is where it was in the end, `asked` the address
    of the crawl that led there; both spelled one way, without fragment. `declared` is the Content-Type as
    it was sent, with its charset. `depth`: links from the beginning.
    """

    url: str
    asked: str
    body: bytes
    declared: str = ""
    etag: str | None = None
    last_modified: str | None = None
    depth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a crawl is, restarts included: addresses `found`, and of these those that were `done`, had
    `failed`, or were `skipped` (a duplicate, a page that says noindex). `expected` pages at most, as far
    as is known now.
    """

    found: int
    done: int
    failed: int
    skipped: int
    expected: int
    current: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How a crawl ended. `notes` say in sentences what was left out and why. `finished` is False when it
    was cancelled: its frontier is then as it was, and another crawl of the same job goes on.
    """

    finished: bool
    reach: Reach
    notes: tuple[str, ...] = ()


class Sink(Protocol):
    """Where pages go. Each call is awaited before the page is settled: a slow sink slows the crawl, and
    what was not taken when a process dies is fetched again. Up to `Manners.at_once` calls at a time.
    """

    async def known(self, url: str) -> Known | None:
        """What was kept of this page, None for one that is not known."""
        ...

    async def page(self, page: Page) -> None:
        """Take it. `Unreadable` or another `TabwrightError` but `Unavailable` fails this page alone; any
        other error ends the crawl and is raised by it.
        """
        ...

    async def unchanged(self, url: str) -> None:
        """The site says that the page is as it was when it became `known`."""
        ...

    async def failed(self, failure: IngestFailure) -> None:
        """A page that is not to be had. `GONE` of one that is known: its document is no longer true."""
        ...

    def moved(self, reach: Reach) -> None:
        """It is further."""
        ...

    def cancelled(self) -> bool:
        """Whether to stop; asked several times a second."""
        ...
