"""Fetches the pages of one site: as its robots.txt allows, paced, conditional, with bounded retries."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from protego import Protego

from app.domain.knowledge import IngestFailure
from app.errors import AddressRefused, FetchFailed
from app.net.fetcher import AGENT, Fetched, Fetcher, Limits
from app.text import patterns
from knowledge.crawl import port
from knowledge.crawl.addresses import robots_origin
from knowledge.crawl.port import KnownPage, Politeness

_BUSY = (429, 503)
_TRANSIENT = (408, 500, 502, 504)
_GONE = (404, 410)
_FORBIDDEN = (401, 403, 407)
PRODUCT_TOKEN = patterns.split(r"[/ (]", AGENT, maxsplit=1)[0]
MAX_BYTES = 512_000  # RFC 9309 requires at least 500 KiB; the rest is ignored
_LIMITS = Limits(max_bytes=50_000_000, total_s=20.0)
_MAX_ORIGINS = 50


class Pacer:
    """Spaces the requests of one crawl by `delay_s` seconds, and pauses them while the site is busy."""

    def __init__(self) -> None:
        self.delay_s = 0.0
        self._next = 0.0
        self._turn = asyncio.Lock()

    async def wait(self) -> None:
        async with self._turn:
            clock = asyncio.get_running_loop().time
            while self._next > clock():  # noqa: ASYNC110 - `pause` may move the moment meanwhile
                await asyncio.sleep(self._next - clock())
            self._next = clock() + self.delay_s

    def pause(self, seconds: float) -> None:
        now = asyncio.get_running_loop().time()
        self._next = max(self._next, now + seconds)


class PageFailed(Exception):
    """A page that cannot be read. `unresponsive`: the site itself failed, not only this page."""

    def __init__(self, url: str, code: str, reason: str, *, unresponsive: bool = False) -> None:
        super().__init__(reason)
        self.failure = IngestFailure(source=url, code=code, reason=reason)
        self.unresponsive = unresponsive


@dataclass(frozen=True, slots=True, kw_only=True)
class PoliteFetcher:
    """Fetches pages of one site at its configured pace."""

    fetcher: Fetcher
    pacer: Pacer
    politeness: Politeness

    async def fetch(self, url: str, known: KnownPage | None) -> Fetched:
        """Fetch a page: status 200, or 304 if it has not changed. Raises `PageFailed`."""
        polite = self.politeness
        attempts = polite.max_attempts
        validators = (
            {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified} if known else {}
        )
        conditions = {name: one for name, one in validators.items() if one and one.isprintable()}
        limits = Limits(
            read_s=polite.read_timeout_s,
            total_s=polite.page_timeout_s,
            max_bytes=polite.max_page_bytes,
        )
        for attempt in range(attempts):
            await self.pacer.wait()
            try:
                response = await self.fetcher.fetch(url, limits, headers=conditions)
            except AddressRefused as error:
                raise PageFailed(url, error.code, error.detail) from error
            except FetchFailed as error:
                raise PageFailed(url, error.code, error.detail, unresponsive=True) from error
            status = response.status
            if status == 200 or (status == 304 and known is not None):
                return response
            if status in _BUSY:
                self._back_off(url, response, attempt)
            elif status not in _TRANSIENT or attempt + 1 == attempts:
                raise _status_failure(url, status)
        raise PageFailed(url, port.BUSY, "The site stayed too busy to respond", unresponsive=True)

    def _back_off(self, url: str, response: Fetched, attempt: int) -> None:
        """Pause the whole crawl for as long as the site asks. Raises `PageFailed` if that is too long."""
        requested = retry_delay_s(response.headers.get("retry-after"), datetime.now(UTC))
        wait = self.politeness.first_backoff_s * 2**attempt if requested is None else requested
        if wait > self.politeness.max_backoff_s:
            reason = f"The site is busy and asks to retry in {round(wait)} seconds"
            raise PageFailed(url, port.BUSY, reason, unresponsive=True)
        self.pacer.pause(wait)


def retry_delay_s(header: str | None, now: datetime) -> float | None:
    """Seconds from a Retry-After header (RFC 9110, 10.2.3), a number or a date; None if invalid."""
    text = (header or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _status_failure(url: str, status: int) -> PageFailed:
    if status in _GONE:
        return PageFailed(url, port.GONE, "The page no longer exists")
    if status in _FORBIDDEN:
        return PageFailed(url, port.NOT_OPEN, "The page is not publicly accessible")
    reason = f"The site responded with status {status}"
    return PageFailed(url, port.NOT_ANSWERED, reason, unresponsive=status >= 500)


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin. If `unreachable` gives a reason, nothing may be fetched."""

    parsed: Protego
    unreachable: str = ""

    def allows(self, url: str) -> bool:
        return not self.unreachable and bool(self.parsed.can_fetch(url, PRODUCT_TOKEN))

    @property
    def delay_s(self) -> float:
        """Seconds between two requests, from crawl-delay or request-rate; 0 if neither is given."""
        delay = self.parsed.crawl_delay(PRODUCT_TOKEN)
        rate = self.parsed.request_rate(PRODUCT_TOKEN)
        interval = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(float(delay or 0.0), interval, 0.0)


class Robots:
    """The rules of the origins a crawl visits."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._rules: dict[str, RobotsRules] = {}
        self._reading = asyncio.Lock()

    async def rules_for(self, url: str) -> RobotsRules:
        """The rules that apply to this URL, fetched once per origin."""
        origin = robots_origin(url)
        async with self._reading:
            if origin not in self._rules:
                if len(self._rules) >= _MAX_ORIGINS:
                    self._rules.pop(next(iter(self._rules)))
                self._rules[origin] = await self._read(f"{origin}/robots.txt")
            return self._rules[origin]

    async def _read(self, url: str) -> RobotsRules:
        """RFC 9309, 2.3.1: a 4xx means no rules; a 5xx, or no response, disallows everything."""
        try:
            async with self._fetcher.stream(url, _LIMITS) as response:
                if response.status >= 500 or response.status == 429:
                    return RobotsRules(Protego.parse(""), unreachable="the site is too busy")
                if response.status != 200:
                    return RobotsRules(Protego.parse(""))
                text = bytearray()
                async for piece in response.pieces:
                    text += piece[: MAX_BYTES - len(text)]
                    if len(text) >= MAX_BYTES:
                        break
        except AddressRefused:  # the page itself is rejected too, with a better message
            return RobotsRules(Protego.parse(""))
        except FetchFailed as error:
            return RobotsRules(Protego.parse(""), unreachable=error.detail)
        return RobotsRules(Protego.parse(text.decode("utf-8-sig", "replace")))
