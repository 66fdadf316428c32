"""What a site's robots.txt says to us (RFC 9309), read once for each origin of a crawl."""

import asyncio
from dataclasses import dataclass

from protego import Protego

from app.errors import AddressRefused, FetchFailed
from app.net.fetcher import AGENT, Fetcher, Limits
from app.text import patterns
from knowledge.crawl.addresses import origin

TOKEN = patterns.split(r"[/ (]", AGENT, maxsplit=1)[
    0
]  # the product's name, which groups of rules are for
MOST_BYTES = 512_000  # RFC 9309 asks for at least 500 KiB; what comes after that is not read
_LIMITS = Limits(max_bytes=50_000_000, total_s=20.0)
_MOST_ORIGINS = 50


@dataclass(frozen=True, slots=True)
class Rules:
    """Of one origin. `unreachable`: why rules that may be there could not be read; nothing is fetched."""

    said: Protego
    unreachable: str = ""

    def allows(self, url: str) -> bool:
        """Whether we may fetch it."""
        return not self.unreachable and bool(self.said.can_fetch(url, TOKEN))

    @property
    def delay_s(self) -> float:
        """Seconds that are to lie between two fetches, 0 where nothing is said."""
        asked = self.said.crawl_delay(TOKEN)
        rate = self.said.request_rate(TOKEN)
        each = rate.seconds / rate.requests if rate and rate.requests else 0.0
        return max(float(asked or 0.0), each, 0.0)

    @property
    def sitemaps(self) -> list[str]:
        """The addresses that it names, in its order."""
        return list(self.said.sitemaps)


class Robots:
    """The rules of the origins that a crawl comes to."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._known: dict[str, Rules] = {}
        self._reading = asyncio.Lock()

    async def of(self, url: str) -> Rules:
        """The rules that this address is under."""
        place = origin(url)
        async with self._reading:
            if place not in self._known:
                if len(self._known) >= _MOST_ORIGINS:
                    self._known.pop(next(iter(self._known)))
                self._known[place] = await self._read(f"{place}/robots.txt")
            return self._known[place]

    async def _read(self, url: str) -> Rules:
        """RFC 9309, 2.3.1: a 4xx means that there are no rules; a 5xx, or no answer, that all is refused."""
        try:
            async with self._fetcher.stream(url, _LIMITS) as answer:
                if answer.status >= 500 or answer.status == 429:
                    return Rules(Protego.parse(""), unreachable="The site is too busy")
                if answer.status != 200:
                    return Rules(Protego.parse(""))
                text = bytearray()
                async for piece in answer.pieces:
                    text += piece[: MOST_BYTES - len(text)]
                    if len(text) >= MOST_BYTES:
                        break
        except (
            AddressRefused
        ):  # so is the page itself and says why, or only the rules are not to be had
            return Rules(Protego.parse(""))
        except FetchFailed as error:
            return Rules(Protego.parse(""), unreachable=error.detail)
        return Rules(Protego.parse(text.decode("utf-8-sig", "replace")))
