"""How often one key may ask, and one address be wrong."""

import asyncio
from math import ceil
from time import time
from typing import Literal
from weakref import WeakValueDictionary

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError

from app.domain.access import Principal
from app.errors import RateLimited, StoreUnavailable
from app.settings import Settings

WRONG_CODE_RATE = "5/10 minutes"  # of pairing codes: five of 31^8, for each address
WRONG_KEY_RATE = "30/minute"  # a client that goes on with a key that has ended asks less often

Kind = Literal["interact", "reads", "writes", "admin", "exports", "ingests", "chats", "mcp"]
SHARE = 1 / 20  # of a window, taken at once from a shared store
MOST_AT_ONCE = 20
LASTS_S = 3.0
MOST_KEPT = 1024
TRIES = 3
READS = frozenset({"GET", "HEAD", "OPTIONS"})
ADMINISTERED = ("/api/keys", "/api/budgets", "/api/policy", "/api/pairing")
INGESTED = ("/api/knowledge/ingest", "/api/knowledge/index-link")
CHATTED = ("/api/chat", "/api/chat/resume")
EXPORTED = ("/api/usage/logs", "/api/usage/statement")


def kind_of(method: str, path: str) -> Kind:
    """What an operation counts as."""
    if path == "/api/agent/interact":
        return "interact"
    if path.startswith("/mcp/"):
        return "mcp"
    if method in READS:
        exported = path.startswith(EXPORTED) or path.endswith("/export")
        return "exports" if exported else "reads"
    if path in INGESTED:
        return "ingests"
    if path in CHATTED:
        return "chats"
    return "admin" if path.startswith(ADMINISTERED) else "writes"


def configured_rates(settings: Settings) -> dict[Kind, str]:
    """The rates that are configured."""
    return {
        "interact": settings.rate_limit,
        "reads": settings.rate_limit_reads,
        "writes": settings.rate_limit_writes,
        "admin": settings.rate_limit_admin,
        "exports": settings.rate_limit_exports,
        "ingests": settings.rate_limit_ingests,
        "chats": settings.rate_limit_chats,
        "mcp": settings.rate_limit_mcp,
    }


class RateWindows:
    """Moving windows, in this process or shared by all that share a store.

    Of a shared window a process takes a few at once and hands them out for `LASTS_S`: the store is asked
    once for them, a window never holds more than it may, and the last few of it may go unused.
    """

    def __init__(self, shared: Storage | None = None) -> None:
        self._window = MovingWindowRateLimiter(shared or MemoryStorage())
        self._share = SHARE if shared is not None else 0
        self._taken: dict[tuple[str, ...], tuple[int, float]] = {}
        self._turns: WeakValueDictionary[tuple[str, ...], asyncio.Lock] = WeakValueDictionary()

    async def take(self, rate: RateLimitItem, *names: str) -> int:
        """Count one; 0, or the seconds to wait where there are as many already. A store that is away
        raises `StoreUnavailable`: nothing works without it anyway.
        """
        if self._has_one(names):
            return 0
        turn = self._turns.setdefault(names, asyncio.Lock())
        async with turn:  # many at once take one after the other, and what one takes is for all
            if self._has_one(names):
                return 0
            try:
                return await self._count(rate, names)
            except StorageError as error:
                raise StoreUnavailable("The store did not answer") from error

    async def clear(self, rate: RateLimitItem, *names: str) -> None:
        """Forget what was counted."""
        self._taken.pop(names, None)
        try:
            await self._window.clear(rate, *names)
        except StorageError as error:
            raise StoreUnavailable("The store did not answer") from error

    async def _count(self, rate: RateLimitItem, names: tuple[str, ...]) -> int:
        """Tried again where two made the window at once, of which the store refuses one."""
        at_once = max(1, min(MOST_AT_ONCE, int(rate.amount * self._share)))
        for cost in (at_once, *(1,) * TRIES):
            if await self._window.hit(rate, *names, cost=cost):
                self._keep(names, cost - 1)
                return 0
            stats = await self._window.get_window_stats(rate, *names)
            if not stats.remaining:
                break
        return max(1, ceil(stats.reset_time - time()))

    def _has_one(self, names: tuple[str, ...]) -> bool:
        """Hand out one of those that were taken."""
        left, until = self._taken.pop(names, (0, 0.0))
        if not left or time() >= until:
            return False
        self._taken[names] = (left - 1, until)
        return True

    def _keep(self, names: tuple[str, ...], more: int) -> None:
        if not more:
            return
        if len(self._taken) >= MOST_KEPT:
            del self._taken[next(iter(self._taken))]
        self._taken[names] = (more, time() + LASTS_S)


class Limiter:
    """A moving window for each key and kind of operation."""

    def __init__(self, rates: dict[Kind, str], windows: RateWindows | None = None) -> None:
        self._rates = {kind: parse(rate) for kind, rate in rates.items()}
        self._windows = windows or RateWindows()

    async def take(self, who: Principal, kind: Kind) -> None:
        """Count one request. Raises `RateLimited` with the seconds to wait."""
        await self._take(who.key_id or f"{who.tenant}/{who.user}", kind)

    async def take_address(self, address: str, kind: Kind) -> None:
        """Count one request that takes no key, for its address. Raises `RateLimited`."""
        await self._take(f"address {address}", kind)

    async def _take(self, key: str, kind: Kind) -> None:
        rate = self._rates[kind]
        if wait := await self._windows.take(rate, kind, key):
            raise RateLimited(f"At most {rate} for {kind}", retry_after=wait)


class AttemptLimiter:
    """How often one address may be wrong about a secret."""

    def __init__(
        self, rate: str = WRONG_CODE_RATE, name: str = "codes", windows: RateWindows | None = None
    ) -> None:
        self._rate = parse(rate)
        self._name = name
        self._windows = windows or RateWindows()

    async def take(self, address: str) -> None:
        """Count one try, before it is known to be wrong: many at once are no more than that.

        Raises `RateLimited` with the seconds to wait.
        """
        if wait := await self._windows.take(self._rate, self._name, address):
            raise RateLimited(f"Too many wrong {self._name} from here", retry_after=wait)

    async def right(self, address: str) -> None:
        """Forget this address's tries."""
        await self._windows.clear(self._rate, self._name, address)
