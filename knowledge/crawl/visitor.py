"""One address of a crawl, from asking for it to its page in the sink and its links in the frontier."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from app.errors import FetchFailed, TabwrightError, Unavailable
from app.store.knowledge import Visit
from knowledge.crawl import port
from knowledge.crawl.addresses import key, normal, site
from knowledge.crawl.client import Answer
from knowledge.crawl.frontier import DONE, FAILED, SKIPPED, Frontier
from knowledge.crawl.page_scan import Look, look, words
from knowledge.crawl.polite_fetch import Asking, Dropped, Send
from knowledge.crawl.port import CrawlRequest, Page, Sink
from knowledge.crawl.robots import Robots, Rules
from knowledge.crawl.url_filter import HTML, Traps, is_read, worth_asking

DISALLOWED = "the site's robots.txt does not want them fetched"
TRAPS = "there seem to be endlessly many of their kind"
NOT_READ = "they are of a kind that is not read"
ELSEWHERE = "they lead to another site"
NOINDEX = "they ask not to be indexed"
TWICE = "they are the same page as another"
ROOM = "the limit of pages was reached"


class Notes:
    """Sentences, and counts of addresses that were left out."""

    def __init__(self) -> None:
        self._left_out: Counter[str] = Counter()
        self._said: dict[str, None] = {}

    def left_out(self, why: str, count: int = 1) -> None:
        """So many addresses were not read, because `why`."""
        self._left_out[why] += count

    def say(self, sentence: str) -> None:
        """Say it, once."""
        self._said[sentence] = None

    def told(self) -> tuple[str, ...]:
        """All sentences."""
        counted = (
            f"{count} {'address was' if count == 1 else 'addresses were'} left out: {why}."
            for why, count in self._left_out.items()
            if count
        )
        return (*self._said, *counted)


LOOKED_AT = 5_000_000  # bytes of a page that are looked through for links


class Visitor:
    """Deals with the addresses of one crawl."""

    def __init__(
        self,
        request: CrawlRequest,
        frontier: Frontier,
        sink: Sink,
        *,
        robots: Robots,
        asking: Asking,
        said: Notes,
    ) -> None:
        self._request, self._frontier, self._sink = request, frontier, sink
        self._robots, self._asking, self._notes = robots, asking, said
        self._traps = Traps()
        self._silent = 0

    async def visit(self, visit: Visit, send: Send) -> None:
        """Deal with it and settle it. Raises only what ends the crawl."""
        try:
            state = await self._dealt(visit, send)
            self._silent = 0
        except Dropped as dropped:
            self._silent = self._silent + 1 if dropped.silent else 0
            await self._sink.failed(dropped.failure)
            state = FAILED
        await self._frontier.settle(visit.url, state)
        if self._silent >= self._asking.manners.most_in_a_row and not self._frontier.closed:
            self._frontier.closed = True
            self._notes.say("The site stopped answering, so the rest was not asked for.")

    async def rules(self, url: str) -> Rules:
        """What robots.txt says of it; the pace is set by the slowest of the origins."""
        rules = await self._robots.of(url)
        pace, longest = self._asking.pace, self._asking.manners.longest_delay_s
        pace.delay_s = max(pace.delay_s, min(rules.delay_s, longest))
        if rules.delay_s > longest:
            self._notes.say(
                f"The site asks for {rules.delay_s:g} seconds between two pages; {longest:g} were kept."
            )
        return rules

    async def _dealt(self, visit: Visit, send: Send) -> str:
        await self._must_be_allowed(visit.url, visit.url)
        # A page that is as it was shows no links, so one whose links are wanted is asked for whole.
        known = None if self._is_followed(visit) else await self._sink.known(visit.url)
        answer = await self._asking.ask(visit.url, known, send)
        if answer.status_code == 304:
            await self._sink.unchanged(visit.url)
            return DONE
        return await self._arrived(visit, answer)

    async def _arrived(self, visit: Visit, answer: Answer) -> str:
        """An answer, wherever it came from in the end."""
        url = normal(answer.url)
        if not self._is_home(url, visit):
            return self._left_out(visit, ELSEWHERE, port.OFF_SITE, "It leads to another site")
        if key(url) == key(visit.url):
            return await self._taken(visit, url, answer)
        await self._must_be_allowed(url, visit.url)
        if not await self._frontier.claim(url, visit.depth):
            return SKIPPED
        try:
            state = await self._taken(visit, url, answer)
        except Dropped:
            await self._frontier.settle(url, FAILED)
            raise
        await self._frontier.settle(url, state)
        return SKIPPED

    async def _taken(self, visit: Visit, url: str, answer: Answer) -> str:
        """A page of the site, that no other address has led to."""
        if not is_read(answer.kind):
            reason = f"Documents of the kind {answer.kind[:80]} are not read"
            raise Dropped(visit.url, "DOCUMENT_UNSUPPORTED", reason)
        body = await answer.read()
        header = answer.headers.get("x-robots-tag", "")
        declared = answer.headers.get("content-type", "")
        seen = Look(noindex="noindex" in words(header))
        if answer.kind in HTML or (not answer.kind and body[:200].lstrip().startswith(b"<")):
            seen = await asyncio.to_thread(look, body[:LOOKED_AT], url, declared, header)
        if seen.onward and seen.onward != url:
            return await self._led_on(seen.onward, visit)
        await self._follow(seen, url, visit)
        if seen.shell:
            reason = "JavaScript draws this page: open it in the browser and capture it with the extension"
            raise Dropped(visit.url, port.NEEDS_BROWSER, reason)
        if seen.noindex:
            return self._left_out(visit, NOINDEX, port.NOT_INDEXED, "It asks not to be indexed")
        await self._handed_on(visit, url, answer, body)
        return DONE

    async def _led_on(self, onward: str, visit: Visit) -> str:
        """A page that is only there to send to another, by its HTML."""
        if not self._is_home(onward, visit):
            return self._left_out(visit, ELSEWHERE, port.OFF_SITE, "It leads to another site")
        await self._must_be_allowed(onward, visit.url)
        if not await self._frontier.add([onward], visit.depth) and visit.depth == 0:
            raise Dropped(
                visit.url, FetchFailed.code, "The site sends from one page to the next without end"
            )
        return SKIPPED

    async def _handed_on(self, visit: Visit, url: str, answer: Answer, body: bytes) -> None:
        page = Page(
            url=url,
            asked=visit.url,
            body=body,
            declared=answer.headers.get("content-type", ""),
            etag=answer.headers.get("etag"),
            last_modified=answer.headers.get("last-modified"),
            depth=visit.depth,
        )
        try:
            await self._sink.page(page)
        except Unavailable:
            raise
        except TabwrightError as error:
            raise Dropped(visit.url, error.code, error.detail) from error

    async def _follow(self, seen: Look, url: str, visit: Visit) -> None:
        """Keep where the page leads to, if this crawl follows links."""
        if self._is_followed(visit):
            await self._found(seen.links, url, visit, depth=visit.depth + 1)

    async def _found(self, links: Sequence[str], url: str, visit: Visit, *, depth: int) -> None:
        homes = {site(self._request.url), site(visit.url), site(url)}
        kept: list[str] = []
        for link in links:
            if site(link) not in homes or not worth_asking(link) or not self._frontier.is_new(link):
                continue
            if not (await self.rules(link)).allows(link):
                self._notes.left_out(DISALLOWED)
            elif not self._traps.admits(link):
                self._notes.left_out(TRAPS)
            else:
                kept.append(link)
        await self._frontier.add(kept, depth)

    def _is_followed(self, visit: Visit) -> bool:
        return self._request.strategy == "spider" and visit.depth < self._request.max_depth

    async def _must_be_allowed(self, url: str, asked: str) -> None:
        rules = await self.rules(url)
        if rules.unreachable:
            reason = f"The site's robots.txt, which may refuse this, was not to be had: {rules.unreachable}"
            raise Dropped(asked, port.DISALLOWED, reason, silent=True)
        if not rules.allows(url):
            raise Dropped(asked, port.DISALLOWED, "The site's robots.txt does not want it fetched")

    def _is_home(self, url: str, visit: Visit) -> bool:
        """Of this site: the one that was asked for, or the one that its first page leads to."""
        first = visit.depth == 0
        return first or site(url) in (site(self._request.url), site(visit.url))

    def _left_out(self, visit: Visit, why: str, code: str, reason: str) -> str:
        """A page that was named is missed; of those that links led to, it is enough to count them."""
        if visit.depth == 0:
            raise Dropped(visit.url, code, reason)
        self._notes.left_out(why)
        return SKIPPED
