"""Crawls from a URL: one page, a site by its sitemap, or a site by its links.

The entry point is `knowledge.crawl.crawler.crawl`. It imports lxml, and is therefore imported when
a crawl starts.
"""

from knowledge.crawl.addresses import normalize_url
from knowledge.crawl.port import (
    GONE,
    CrawledPage,
    CrawlRequest,
    CrawlSummary,
    KnownPage,
    PageSink,
    Politeness,
)

__all__ = [
    "GONE",
    "CrawlRequest",
    "CrawlSummary",
    "CrawledPage",
    "KnownPage",
    "PageSink",
    "Politeness",
    "normalize_url",
]
