"""Reads a site's robots.txt (RFC 9309), once per origin and crawl."""

import asyncio
from dataclasses import dataclass

from protego import Protego

from app.errors import AddressRefused, FetchFailed
from app.net.fetcher import AGENT, Fetcher, Limits
from app.text import patterns
from knowledge.crawl.addresses import origin_of

PRODUCT_TOKEN = patterns.split(r"[/ (]", AGENT, maxsplit=1)[0]
MAX_BYTES = 512_000  # RFC 9309 requires at least 500 KiB; the rest is ignored
_LIMITS = Limits(max_bytes=50_000_000, total_s=20.0)
_MAX_ORIGINS = 50


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin. `unreachable` is the reason if they could not be read; nothing is
    fetched then.
    """

    parsed: Protego
    unreachable: str = ""

    def allows(self, url: str) -> bool:
        """Whether our crawler may fetch the URL."""
        return not self.unreachable and bool(self.parsed.can_fetch(url, PRODUCT_TOKEN))

    @property
    def delay_s(self) -> float:
        """Seconds between two requests, from crawl-delay or request-rate; 0 if neither is given."""
        delay = self.parsed.crawl_delay(PRODUCT_TOKEN)
        rate = self.parsed.request_rate(PRODUCT_TOKEN)
        interval = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(float(delay or 0.0), interval, 0.0)

    @property
    def sitemaps(self) -> list[str]:
        """Sitemaps listed in robots.txt, in order."""
        return list(self.parsed.sitemaps)


class Robots:
    """The rules of the origins a crawl visits."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._rules: dict[str, RobotsRules] = {}
        self._reading = asyncio.Lock()

    async def rules_for(self, url: str) -> RobotsRules:
        """The rules that apply to this URL, fetched once per origin."""
        origin = origin_of(url)
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
