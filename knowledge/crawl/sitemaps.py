"""Reads a site's sitemaps (sitemaps.org) as they come: however long they are, little of them is held.

Sitemaps are read of the site itself, of a place its robots.txt names, and beside an index that is read. The
pages they list count only where they are of the site itself.
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
from app.net.body import Body
from app.net.fetcher import Fetcher, Limits, Streamed
from knowledge.crawl.addresses import joined, key, origin, site
from knowledge.crawl.polite_fetch import Pace
from knowledge.crawl.port import Manners
from knowledge.crawl.robots import Robots

USUAL = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap.txt", "/sitemap.xml.gz")
MOST_SITEMAPS = 500  # files of one site; 500 hold 25 million addresses
DEEPEST = 3  # an index of indexes; the protocol has one level
PAUSE = 100  # addresses after which others of this process have their turn
LONGEST = 2_048  # characters of an address, by the protocol
_GZIP = b"\x1f\x8b"
_ENDS = (".xml", ".xml.gz", ".txt", ".txt.gz")


@dataclass(frozen=True, slots=True)
class Entry:
    """A page that a sitemap lists, and when it was last another, if it says so."""

    url: str
    changed: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Listed:
    text: str
    changed: str = ""
    is_sitemap: bool = False


class Sitemaps:
    """The sitemaps of the site of one address."""

    def __init__(self, fetcher: Fetcher, robots: Robots, pace: Pace, manners: Manners) -> None:
        self._fetcher, self._robots, self._manners = fetcher, robots, manners
        self._pace = pace
        self._left = manners.sitemap_bytes
        self._met = 0
        self.read = 0  # files that were sitemaps
        self.notes: dict[str, None] = {}

    async def entries(self, url: str) -> AsyncGenerator[Entry, None]:
        """The pages of the site in their order, each address as often as it is listed."""
        homes = {site(url)}
        named = [
            link for text in (await self._robots.of(url)).sitemaps if (link := joined(url, text))
        ]
        first = [url] if url.partition("?")[0].endswith(_ENDS) else named
        for starts in (first, *([origin(url) + path] for path in USUAL)):
            async with aclosing(
                self._walked(starts, homes, {site(link) for link in named})
            ) as found:
                async for entry in found:
                    yield entry
            if self.read:
                return

    async def _walked(
        self, starts: list[str], homes: set[str], named: set[str]
    ) -> AsyncGenerator[Entry, None]:
        """What these files list, and the files that they list; `homes` grows where the site sends us on."""
        seen = {key(link) for link in starts}
        waiting = deque((link, 0) for link in starts)
        while waiting and self._left > 0:
            place, depth = waiting.popleft()
            async with aclosing(self._listed(place, homes)) as found:
                async for base, one in found:
                    self._met += 1
                    if self._met % PAUSE == 0:
                        await asyncio.sleep(0)
                    link = joined(base, one.text)
                    if link is None:
                        continue
                    if not one.is_sitemap:
                        if site(link) in homes:
                            yield Entry(link, _moment(one.changed))
                    elif self._is_next(link, seen, homes | named | {site(base)}, depth):
                        seen.add(key(link))
                        waiting.append((link, depth + 1))

    def _is_next(self, link: str, seen: set[str], trusted: set[str], depth: int) -> bool:
        if key(link) in seen or depth >= DEEPEST:
            return False
        if site(link) not in trusted:
            self.notes["A sitemap of another site is listed, and was not read."] = None
            return False
        if len(seen) >= MOST_SITEMAPS:
            self.notes[f"Of more sitemaps than {MOST_SITEMAPS}, the rest was not read."] = None
            return False
        return True

    async def _listed(
        self, place: str, homes: set[str]
    ) -> AsyncGenerator[tuple[str, _Listed], None]:
        """What one file lists, each with the address that it was read at."""
        limits = Limits(
            read_s=self._manners.read_s, total_s=self._manners.sitemap_s, max_bytes=self._left
        )
        await self._pace.turn()
        try:
            async with self._fetcher.stream(place, limits) as answer:
                if answer.status != 200:
                    return
                if site(place) in homes:
                    homes.add(site(answer.url))  # the site itself sends there
                async with aclosing(self._parsed(answer)) as found:
                    async for one in found:
                        yield answer.url, one
        except (FetchFailed, AddressRefused) as error:
            self.notes[f"A sitemap could not be read to its end: {error.detail}."] = None

    async def _parsed(self, answer: Streamed) -> AsyncGenerator[_Listed, None]:
        reader: _Xml | _Lines | None = None
        async with aclosing(self._unpacked(answer)) as pieces:
            async for piece in pieces:
                self._left -= len(piece)
                if reader is None:
                    reader = (
                        _Xml()
                        if piece.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
                        else _Lines()
                    )
                for one in reader.feed(piece):
                    yield one
        for one in reader.close() if reader else ():
            yield one
        self.read += reader is not None and reader.is_sitemap

    async def _unpacked(self, answer: Streamed) -> AsyncGenerator[bytes, None]:
        """The body, of a file that is packed itself as of one that is not."""
        first = await anext(answer.pieces, b"")

        async def all_of_it() -> AsyncGenerator[bytes, None]:
            yield first
            async for piece in answer.pieces:
                yield piece

        encoding = "gzip" if first.startswith(_GZIP) else ""
        async with aclosing(Body(encoding, max(self._left, 1)).stream(all_of_it())) as pieces:
            async for piece in pieces:
                yield piece


class _Lines:
    """A sitemap of text: an address a line."""

    def __init__(self) -> None:
        self._rest = b""
        self.is_sitemap = False

    def feed(self, piece: bytes) -> Iterator[_Listed]:
        *lines, rest = (self._rest + piece).split(b"\n")
        self._rest = rest[:LONGEST]
        for line in lines:
            text = line[:LONGEST].decode("utf-8-sig", "replace").strip()
            if text.startswith(("http://", "https://")):
                self.is_sitemap = True
                yield _Listed(text)

    def close(self) -> Iterator[_Listed]:
        return self.feed(b"\n")


class _Xml:
    """A sitemap or an index of sitemaps; what is broken in it is passed over."""

    def __init__(self) -> None:
        self._seen = _Elements()
        self._parser = etree.XMLParser(
            target=self._seen, recover=True, resolve_entities=False, no_network=True, load_dtd=False
        )
        self._broken = False

    @property
    def is_sitemap(self) -> bool:
        return self._seen.root in ("urlset", "sitemapindex")

    def feed(self, piece: bytes) -> Iterator[_Listed]:
        if not self._broken:
            try:
                self._parser.feed(piece)
            except (etree.LxmlError, ValueError, AssertionError):
                self._broken = True
        found, self._seen.found = self._seen.found, []
        return iter(found)

    def close(self) -> Iterator[_Listed]:
        try:
            self._parser.close()
        except (etree.LxmlError, ValueError, AssertionError):
            self._broken = True
        return self.feed(b"") if self._broken else iter(self._seen.found)


class _Elements:
    """The target of the parser: keeps what one entry holds, and no tree."""

    def __init__(self) -> None:
        self.root = ""
        self.found: list[_Listed] = []
        self._text: list[str] = []
        self._size = 0
        self._open = ""
        self._place = ""
        self._changed = ""

    def start(self, tag: str, attributes: object) -> None:
        name = _local(tag)
        self.root = self.root or name
        if name in ("url", "sitemap"):
            self._place = self._changed = ""
        self._open, self._text, self._size = name, [], 0

    def data(self, text: str) -> None:
        if self._open in ("loc", "lastmod") and self._size <= LONGEST:
            self._size += len(text)
            self._text.append(text[: LONGEST + 1])

    def end(self, tag: str) -> None:
        name = _local(tag)
        if name == self._open == "loc":
            self._place = self._place or "".join(self._text).strip()
        elif name == self._open == "lastmod":
            self._changed = "".join(self._text).strip()
        elif name in ("url", "sitemap") and 0 < len(self._place) <= LONGEST:
            is_sitemap = name == "sitemap" and self.root == "sitemapindex"
            if is_sitemap or self.root == "urlset":
                self.found.append(_Listed(self._place, self._changed, is_sitemap))
            self._place = ""
        self._open = ""

    def comment(self, text: str) -> None:
        """Says nothing to us."""

    def close(self) -> None:
        """Nothing is left to be done."""


def _local(tag: str) -> str:
    return tag.rpartition("}")[2].lower()


def _moment(text: str) -> datetime | None:
    """W3C's form of a date; a day alone means its end, so that a page changed on it is not passed over."""
    try:
        read = isoparse(text)
    except (ValueError, OverflowError):
        return None
    if "T" not in text:
        read = datetime.combine(read.date(), time.max)
    return read if read.tzinfo else read.replace(tzinfo=UTC)
