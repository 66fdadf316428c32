"""Streams a site's sitemaps (sitemaps.org) with bounded memory.

Sitemap files are read from the site, from locations in its robots.txt, and from the host of an
index. Of the pages they list only those of the site are used.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime, time

from dateutil.parser import isoparse
from lxml import etree

from app.errors import AddressRefused, FetchFailed
from app.net.fetcher import Body, Fetcher, Limits, Streamed
from knowledge.crawl.addresses import resolve_link, robots_origin, site_key, url_key
from knowledge.crawl.polite_fetch import Pacer, Robots
from knowledge.crawl.port import Politeness

DEFAULT_PATHS = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap.txt", "/sitemap.xml.gz")
MAX_SITEMAPS = 500  # files per site; 500 hold 25 million URLs
MAX_DEPTH = 3  # nested indexes; the protocol allows one level
YIELD_EVERY = 100  # URLs between yields to other tasks
MAX_URL = 2_048  # characters, limited by the protocol
_GZIP = b"\x1f\x8b"
_EXTENSIONS = (".xml", ".xml.gz", ".txt", ".txt.gz")


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page with its last modification, if given."""

    url: str
    modified_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Item:
    location: str
    lastmod: str = ""
    is_sitemap: bool = False


class Sitemaps:
    """The sitemaps of one site."""

    def __init__(
        self, fetcher: Fetcher, robots: Robots, pacer: Pacer, politeness: Politeness
    ) -> None:
        self._fetcher, self._robots, self._politeness = fetcher, robots, politeness
        self._pacer = pacer
        self._bytes_left = politeness.max_sitemap_bytes
        self._items = 0
        self.read = 0  # files that proved to be sitemaps
        self.notes: dict[str, None] = {}

    async def entries(self, url: str) -> AsyncGenerator[SitemapEntry, None]:
        """Yield the site's pages in order, duplicates included."""
        sites = {site_key(url)}
        rules = await self._robots.rules_for(url)
        listed = [link for text in rules.parsed.sitemaps if (link := resolve_link(url, text))]
        start_urls = [url] if url.partition("?")[0].endswith(_EXTENSIONS) else listed
        for starts in (start_urls, *([robots_origin(url) + path] for path in DEFAULT_PATHS)):
            async with aclosing(
                self._walk(starts, sites, {site_key(link) for link in listed})
            ) as entries:
                async for entry in entries:
                    yield entry
            if self.read:
                return

    async def _walk(
        self, starts: list[str], sites: set[str], listed_sites: set[str]
    ) -> AsyncGenerator[SitemapEntry, None]:
        """The entries of these files and of the files they list. Redirects of the site add to `sites`."""
        seen = {url_key(link) for link in starts}
        pending = deque((link, 0) for link in starts)
        while pending and self._bytes_left > 0:
            file_url, depth = pending.popleft()
            async with aclosing(self._read_file(file_url, sites)) as items:
                async for base, item in items:
                    self._items += 1
                    if self._items % YIELD_EVERY == 0:
                        await asyncio.sleep(0)
                    link = resolve_link(base, item.location)
                    if link is None:
                        continue
                    if not item.is_sitemap:
                        if site_key(link) in sites:
                            yield SitemapEntry(link, _parse_lastmod(item.lastmod))
                    elif self._is_read_next(
                        link, seen, sites | listed_sites | {site_key(base)}, depth
                    ):
                        seen.add(url_key(link))
                        pending.append((link, depth + 1))

    def _is_read_next(self, link: str, seen: set[str], trusted: set[str], depth: int) -> bool:
        if url_key(link) in seen or depth >= MAX_DEPTH:
            return False
        if site_key(link) not in trusted:
            self.notes["A sitemap on another site was not read."] = None
            return False
        if len(seen) >= MAX_SITEMAPS:
            self.notes[f"Only the first {MAX_SITEMAPS} sitemaps were read."] = None
            return False
        return True

    async def _read_file(
        self, url: str, sites: set[str]
    ) -> AsyncGenerator[tuple[str, _Item], None]:
        limits = Limits(
            read_s=self._politeness.read_timeout_s,
            total_s=self._politeness.sitemap_timeout_s,
            max_bytes=self._bytes_left,
        )
        await self._pacer.wait()
        try:
            async with self._fetcher.stream(url, limits) as response:
                if response.status != 200:
                    return
                if site_key(url) in sites:
                    sites.add(site_key(response.url))
                async with aclosing(self._parse(response)) as items:
                    async for item in items:
                        yield response.url, item
        except (FetchFailed, AddressRefused) as error:
            self.notes[f"A sitemap could not be read completely: {error.detail}."] = None

    async def _parse(self, response: Streamed) -> AsyncGenerator[_Item, None]:
        parser: _Xml | _Lines | None = None
        async with aclosing(self._decompress(response)) as pieces:
            async for piece in pieces:
                self._bytes_left -= len(piece)
                if parser is None:
                    parser = (
                        _Xml()
                        if piece.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
                        else _Lines()
                    )
                for item in parser.feed(piece):
                    yield item
        for item in parser.close() if parser else ():
            yield item
        self.read += parser is not None and parser.is_sitemap

    async def _decompress(self, response: Streamed) -> AsyncGenerator[bytes, None]:
        """The body of a file that may itself be gzipped."""
        first_piece = await anext(response.pieces, b"")

        async def whole_body() -> AsyncGenerator[bytes, None]:
            yield first_piece
            async for piece in response.pieces:
                yield piece

        encoding = "gzip" if first_piece.startswith(_GZIP) else ""
        async with aclosing(
            Body(encoding, max(self._bytes_left, 1)).stream(whole_body())
        ) as pieces:
            async for piece in pieces:
                yield piece


class _Lines:
    """Parses a text sitemap: one URL per line."""

    def __init__(self) -> None:
        self._rest = b""
        self.is_sitemap = False

    def feed(self, piece: bytes) -> Iterator[_Item]:
        *lines, rest = (self._rest + piece).split(b"\n")
        self._rest = rest[:MAX_URL]
        for line in lines:
            text = line[:MAX_URL].decode("utf-8-sig", "replace").strip()
            if text.startswith(("http://", "https://")):
                self.is_sitemap = True
                yield _Item(text)

    def close(self) -> Iterator[_Item]:
        return self.feed(b"\n")


class _Xml:
    """Parses an XML sitemap or sitemap index; broken parts are skipped."""

    def __init__(self) -> None:
        self._target = _ParserTarget()
        self._parser = etree.XMLParser(
            target=self._target,
            recover=True,
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
        )
        self._broken = False

    @property
    def is_sitemap(self) -> bool:
        return self._target.root in ("urlset", "sitemapindex")

    def feed(self, piece: bytes) -> Iterator[_Item]:
        if not self._broken:
            try:
                self._parser.feed(piece)
            except (etree.LxmlError, ValueError, AssertionError):
                self._broken = True
        items, self._target.found = self._target.found, []
        return iter(items)

    def close(self) -> Iterator[_Item]:
        try:
            self._parser.close()
        except (etree.LxmlError, ValueError, AssertionError):
            self._broken = True
        return self.feed(b"") if self._broken else iter(self._target.found)


class _ParserTarget:
    """A parser target of lxml, which defines the method names."""

    def __init__(self) -> None:
        self.root = ""
        self.found: list[_Item] = []
        self._text: list[str] = []
        self._size = 0
        self._open = ""
        self._place = ""
        self._lastmod = ""

    def start(self, tag: str, attributes: object) -> None:
        name = _local(tag)
        self.root = self.root or name
        if name in ("url", "sitemap"):
            self._place = self._lastmod = ""
        self._open, self._text, self._size = name, [], 0

    def data(self, text: str) -> None:
        if self._open in ("loc", "lastmod") and self._size <= MAX_URL:
            self._size += len(text)
            self._text.append(text[: MAX_URL + 1])

    def end(self, tag: str) -> None:
        name = _local(tag)
        if name == self._open == "loc":
            self._place = self._place or "".join(self._text).strip()
        elif name == self._open == "lastmod":
            self._lastmod = "".join(self._text).strip()
        elif name in ("url", "sitemap") and 0 < len(self._place) <= MAX_URL:
            is_sitemap = name == "sitemap" and self.root == "sitemapindex"
            if is_sitemap or self.root == "urlset":
                self.found.append(_Item(self._place, self._lastmod, is_sitemap))
            self._place = ""
        self._open = ""

    def comment(self, text: str) -> None:
        """Ignored."""

    def close(self) -> None:
        """Required by lxml."""


def _local(tag: str) -> str:
    return tag.rpartition("}")[2].lower()


def _parse_lastmod(text: str) -> datetime | None:
    """Parse a W3C date; without a time it means the end of the day, so that no change is missed."""
    try:
        moment = isoparse(text)
    except (ValueError, OverflowError):
        return None
    if "T" not in text:
        moment = datetime.combine(moment.date(), time.max)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
