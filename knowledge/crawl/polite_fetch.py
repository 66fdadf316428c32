"""Asks a site for one address: in turn, conditionally, again when it was busy, and not without end."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from app.domain.knowledge import IngestFailure
from app.errors import AddressRefused, FetchFailed
from knowledge.crawl import port
from knowledge.crawl.client import Answer
from knowledge.crawl.port import Known, Manners


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


Send = Callable[[str, Mapping[str, str]], Awaitable[Answer]]
_BUSY = (429, 503)
_PASSING = (408, 500, 502, 504)  # may be over in a moment
_GONE = (404, 410)
_CLOSED = (401, 403, 407)


class Dropped(Exception):
    """An address that nothing comes of: `failure` says why. `silent`: the site did not do its part."""

    def __init__(self, url: str, code: str, reason: str, *, silent: bool = False) -> None:
        super().__init__(reason)
        self.failure = IngestFailure(source=url, code=code, reason=reason)
        self.silent = silent


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How addresses of one site are asked for."""

    pace: Pace
    manners: Manners

    async def ask(self, url: str, known: Known | None, send: Send) -> Answer:
        """An answer of status 200, or 304 for a page that is as it was known. Raises `Dropped`."""
        for left in reversed(range(self.manners.tries)):
            await self.pace.turn()
            try:
                answer = await send(url, _conditions(known))
            except AddressRefused as error:
                raise Dropped(url, error.code, error.detail) from error
            except FetchFailed as error:
                raise Dropped(url, error.code, error.detail, silent=True) from error
            status = answer.status_code
            if status == 200 or (status == 304 and known is not None):
                return answer
            if status in _BUSY:
                self._rest(url, answer, self.manners.tries - 1 - left)
            elif status not in _PASSING or not left:
                raise _refused(url, status)
        raise Dropped(
            url, port.BUSY, "The site was too busy to answer, again and again", silent=True
        )

    def _rest(self, url: str, answer: Answer, tried: int) -> None:
        """Have the whole crawl wait as long as the site asks. Raises `Dropped` when that is too long."""
        named = retry_after(answer.headers.get("retry-after"), datetime.now(UTC))
        wait = self.manners.first_wait_s * 2**tried if named is None else named
        if wait > self.manners.longest_wait_s:
            reason = f"The site is busy, and asks to come back in {round(wait)} seconds"
            raise Dropped(url, port.BUSY, reason, silent=True)
        self.pace.rest(wait)


def _conditions(known: Known | None) -> dict[str, str]:
    if known is None:
        return {}
    said = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified}
    return {name: value for name, value in said.items() if value and value.isprintable()}


def _refused(url: str, status: int) -> Dropped:
    if status in _GONE:
        return Dropped(url, port.GONE, "There is no such page any more")
    if status in _CLOSED:
        return Dropped(url, port.NOT_OPEN, "The page is not open to everybody")
    return Dropped(
        url, port.NOT_ANSWERED, f"The site answered with status {status}", silent=status >= 500
    )
