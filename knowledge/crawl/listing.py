"""A site's sitemaps into the frontier of a crawl."""

from contextlib import aclosing

from app.domain.knowledge import Failure
from knowledge.crawl import notes, port
from knowledge.crawl.frontier import DONE, Frontier
from knowledge.crawl.kinds import worth_asking
from knowledge.crawl.notes import Notes
from knowledge.crawl.port import CrawlRequest, Sink
from knowledge.crawl.sitemaps import Entry, Sitemaps
from knowledge.crawl.visiting import Visitor

BATCH = 100  # addresses that are kept at a time
DEPTH = 1  # of the pages: a sitemap is one step from the beginning


class Listing:
    """Keeps what sitemaps list, as far as there is room, but for what needs no visit."""

    def __init__(
        self, request: CrawlRequest, frontier: Frontier, sink: Sink, visitor: Visitor, said: Notes
    ) -> None:
        self._request, self._frontier, self._sink = request, frontier, sink
        self._visitor, self._notes = visitor, said

    async def read(self, sitemaps: Sitemaps) -> None:
        """Keep it all; without any page in any sitemap the crawl has failed, and says so to the sink."""
        await self._visitor.rules(
            self._request.url
        )  # the delay that the site asks for holds from here on
        batch: list[str] = []
        async with aclosing(sitemaps.entries(self._request.url)) as found:
            async for entry in found:
                if self._frontier.is_full:
                    self._notes.say("The sitemap lists more pages than were asked for.")
                    break
                if await self._needs_visit(entry):
                    batch.append(entry.url)
                if len(batch) >= BATCH:
                    await self._frontier.add(batch, DEPTH)
                    batch.clear()
        await self._frontier.add(batch, DEPTH)
        for note in sitemaps.notes:
            self._notes.say(note)
        if not self._frontier.found:
            await self._sink.failed(self._nothing(read=bool(sitemaps.read)))

    def _nothing(self, *, read: bool) -> Failure:
        code, reason = (
            (port.EMPTY_SITEMAP, "The site's sitemap lists no page of the site that can be read")
            if read
            else (port.NO_SITEMAP, "The site has no sitemap that can be read")
        )
        return Failure(source=self._request.url, code=code, reason=reason)

    async def _needs_visit(self, entry: Entry) -> bool:
        if not self._frontier.is_new(entry.url):
            return False
        if not worth_asking(entry.url):
            self._notes.left_out(notes.NOT_READ)
            return False
        if not (await self._visitor.rules(entry.url)).allows(entry.url):
            self._notes.left_out(notes.DISALLOWED)
            return False
        known = await self._sink.known(entry.url) if entry.changed else None
        if known and known.read_at and entry.changed and entry.changed < known.read_at:
            if await self._frontier.mark(entry.url, DONE):
                await self._sink.unchanged(entry.url)
            return False
        return True
