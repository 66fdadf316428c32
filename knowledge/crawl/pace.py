"""How fast a site is asked: never faster than it wants, and not at all while it says that it is busy."""

import asyncio
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


class Pace:
    """The turns of one crawl at one site. `delay_s` lies between two of them, once it is set."""

    def __init__(self) -> None:
        self.delay_s = 0.0
        self._next = 0.0
        self._turn = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until the next address may be asked for."""
        async with self._turn:
            clock = asyncio.get_running_loop().time
            while self._next > clock():  # noqa: ASYNC110 - another's answer may move the moment
                await asyncio.sleep(self._next - clock())
            self._next = clock() + self.delay_s

    def rest(self, seconds: float) -> None:
        """Ask for nothing for so long: the site is busy."""
        now = asyncio.get_running_loop().time()
        self._next = max(self._next, now + seconds)


def retry_after(header: str | None, now: datetime) -> float | None:
    """The seconds that a Retry-After names (RFC 9110, 10.2.3), as a number or as a date; None otherwise."""
    text = (header or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text[:9])
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - now).total_seconds())
