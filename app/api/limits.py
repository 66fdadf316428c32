"""How often one key may ask."""

from math import ceil
from time import time

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from app.domain.task import Principal
from app.errors import RateLimited

WRONG_TRIES = "5/10 minutes"  # the window is as long as a pairing code lives


class Limiter:
    """A moving window per key, in this process: with N workers a key gets up to N times the rate."""

    def __init__(self, rate: str) -> None:
        self._rate = parse(rate)
        self._window = MovingWindowRateLimiter(MemoryStorage())

    async def take(self, who: Principal) -> None:
        """Count one request. Raises `RateLimited` with the seconds to wait."""
        key = who.key_id or f"{who.tenant}/{who.user}"
        if await self._window.hit(self._rate, key):
            return
        stats = await self._window.get_window_stats(self._rate, key)
        wait = max(1, ceil(stats.reset_time - time()))
        raise RateLimited(f"At most {self._rate}", retry_after=wait)


class Tries:
    """How often one address may be wrong about a secret, in this process. Being right clears it."""

    def __init__(self, rate: str = WRONG_TRIES) -> None:
        self._rate = parse(rate)
        self._window = MovingWindowRateLimiter(MemoryStorage())

    async def take(self, address: str) -> None:
        """Count one try, before it is known to be wrong: many at once are no more than that.

        Raises `RateLimited` with the seconds to wait.
        """
        if await self._window.hit(self._rate, address):
            return
        stats = await self._window.get_window_stats(self._rate, address)
        wait = max(1, ceil(stats.reset_time - time()))
        raise RateLimited("Too many wrong codes from here", retry_after=wait)

    async def right(self, address: str) -> None:
        """Forget this address's tries."""
        await self._window.clear(self._rate, address)
