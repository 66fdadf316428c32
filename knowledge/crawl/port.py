"""The interface of a crawl: the request, the sink that receives pages, progress and failure codes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from app.domain.knowledge import IngestFailure, Strategy

# IngestFailure codes of a crawl; the others are those of `app.errors`.
NEEDS_BROWSER = "PAGE_NEEDS_BROWSER"  # JavaScript renders the page
GONE = "PAGE_GONE"  # 404 or 410
NOT_OPEN = "PAGE_NOT_OPEN"  # 401 or 403: a login is required
NOT_ANSWERED = "PAGE_NOT_ANSWERED"  # any other error status
DISALLOWED = "ROBOTS_DISALLOWED"  # robots.txt disallows it
NOT_INDEXED = "PAGE_NOT_INDEXED"  # the page says noindex
OFF_SITE = "PAGE_OFF_SITE"  # it redirects to another site
BUSY = "SITE_BUSY"  # 429 or 503 until all attempts were used, or with too long a delay
NO_SITEMAP = "SITEMAP_NOT_FOUND"
EMPTY_SITEMAP = "SITEMAP_EMPTY"  # it lists no readable page


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRequest:
    """One crawl. `max_pages` limits the pages stored; a spider follows links `max_depth` deep."""

    tenant: str
    job_id: str
    url: str
    strategy: Strategy = "single"
    max_pages: int = 100
    max_depth: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """Limits on the load and the waiting time of a crawl."""

    concurrency: int = 4  # pages in flight, and thus in memory
    max_delay_s: float = 30.0  # a longer crawl-delay in robots.txt is capped at this, with a note
    max_backoff_s: float = 60.0  # a page with a longer Retry-After fails
    first_backoff_s: float = 2.0  # after a 429 or 503 without Retry-After; doubled each time
    max_attempts: int = 3  # per page
    max_unresponsive: int = 8  # consecutive failures of the site before the crawl gives up
    page_timeout_s: float = 60.0  # one fetch, redirects included
    read_timeout_s: float = 15.0  # between two chunks of a response
    max_page_bytes: int = 25_000_000  # decompressed
    max_sitemap_bytes: int = (
        200_000_000  # all sitemaps of a crawl, decompressed; one may have 50 MB
    )
    sitemap_timeout_s: float = 300.0  # per sitemap


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPage:
    """Validators of a stored page, for a conditional request."""

    etag: str | None = None
    last_modified: str | None = None
    read_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawledPage:
    """`url` is where redirects ended, normalized; `content_type` is the header with its charset."""

    url: str
    body: bytes
    content_type: str = ""
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSummary:
    """How many page URLs were found and stored, earlier runs of the job included. `notes` are
    sentences on what was left out and why.
    """

    found: int
    done: int
    notes: tuple[str, ...] = ()


class PageSink(Protocol):
    """Receives the pages of a crawl, at most `Politeness.concurrency` calls at a time.

    Each call is awaited before its URL is settled: a slow sink slows the crawl, and a page not yet stored
    when the process dies is fetched again.
    """

    async def find_known(self, url: str) -> KnownPage | None: ...

    async def store_page(self, page: CrawledPage) -> None:
        """Store a page. A `TabwrightError` other than `Unavailable` fails this page only; any other
        error ends the crawl and is raised by it.
        """

    async def mark_unchanged(self, url: str) -> None:
        """The page has not changed since it was stored."""

    async def report_failure(self, failure: IngestFailure) -> None:
        """A page could not be read. With `GONE`, a document stored from it is outdated."""

    def report_progress(self, url: str, expected: int) -> None:
        """A URL was settled; at most `expected` pages will be stored."""
