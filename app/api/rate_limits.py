"""Rate limits: requests per key, and wrong attempts per address."""

import asyncio
from math import ceil
from time import time
from typing import Literal
from weakref import WeakValueDictionary

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError

from app.errors import RateLimited, StoreUnavailable
from app.settings import Settings

WRONG_CODE_RATE = "5/10 minutes"  # pairing attempts per address: five guesses of 31^8 codes
WRONG_KEY_RATE = "30/minute"  # per address; a client that retries with a revoked key stays below

OperationKind = Literal[
    "interact", "reads", "writes", "admin", "exports", "ingests", "chats", "mcp"
]
SHARE = 1 / 20  # share of a window reserved from a shared store at once
MAX_AT_ONCE = 20
RESERVATION_S = 3.0
MAX_RESERVATIONS = 1024
TRIES = 3
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
ADMIN_PATHS = ("/api/keys", "/api/budgets", "/api/policy", "/api/pairing")
INGEST_PATHS = ("/api/knowledge/ingest", "/api/knowledge/index-link")
CHAT_PATHS = ("/api/chat", "/api/chat/resume")
EXPORT_PATHS = ("/api/usage/logs", "/api/usage/statement")


def operation_kind(method: str, path: str) -> OperationKind:
    """The kind of limit that applies to a request."""
    if path == "/api/agent/interact":
        return "interact"
    if path.startswith("/mcp/"):
        return "mcp"
    if method in SAFE_METHODS:
        exported = path.startswith(EXPORT_PATHS) or path.endswith("/export")
        return "exports" if exported else "reads"
    if path in INGEST_PATHS:
        return "ingests"
    if path in CHAT_PATHS:
        return "chats"
    return "admin" if path.startswith(ADMIN_PATHS) else "writes"


def configured_rates(settings: Settings) -> dict[OperationKind, str]:
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
    """Moving windows, in this process or shared through the store.

    A process reserves a few requests of a shared window at once and uses them within
    `RESERVATION_S`, which saves round trips. A window never exceeds its limit, but the last few
    requests may remain unused.
    """

    def __init__(self, shared: Storage | None = None) -> None:
        self._window = MovingWindowRateLimiter(shared or MemoryStorage())
        self._share = SHARE if shared is not None else 0
        self._reserved: dict[tuple[str, ...], tuple[int, float]] = {}
        self._locks: WeakValueDictionary[tuple[str, ...], asyncio.Lock] = WeakValueDictionary()

    async def take(self, rate: RateLimitItem, *names: str) -> int:
        """Count one request; returns the seconds to wait if the window is full. Raises `StoreUnavailable`."""
        if self._use_reserved(names):
            return 0
        lock = self._locks.setdefault(names, asyncio.Lock())
        async with lock:  # concurrent requests share one reservation
            if self._use_reserved(names):
                return 0
            try:
                return await self._count(rate, names)
            except StorageError as error:
                raise StoreUnavailable("The store did not respond.") from error

    async def clear(self, rate: RateLimitItem, *names: str) -> None:
        self._reserved.pop(names, None)
        try:
            await self._window.clear(rate, *names)
        except StorageError as error:
            raise StoreUnavailable("The store did not respond.") from error

    async def _count(self, rate: RateLimitItem, names: tuple[str, ...]) -> int:
        """Count in the store. Retried: if two processes create the window at once, one is rejected."""
        at_once = max(1, min(MAX_AT_ONCE, int(rate.amount * self._share)))
        for cost in (at_once, *(1,) * TRIES):
            if await self._window.hit(rate, *names, cost=cost):
                if cost > 1:
                    if len(self._reserved) >= MAX_RESERVATIONS:
                        del self._reserved[next(iter(self._reserved))]
                    self._reserved[names] = (cost - 1, time() + RESERVATION_S)
                return 0
            stats = await self._window.get_window_stats(rate, *names)
            if not stats.remaining:
                break
        return max(1, ceil(stats.reset_time - time()))

    def _use_reserved(self, names: tuple[str, ...]) -> bool:
        """Use one of the reserved requests; False if none is left."""
        left, until = self._reserved.pop(names, (0, 0.0))
        if not left or time() >= until:
            return False
        self._reserved[names] = (left - 1, until)
        return True


class Limiter:
    """One moving window per key and operation kind."""

    def __init__(self, rates: dict[OperationKind, str], windows: RateWindows) -> None:
        self._rates = {kind: parse(rate) for kind, rate in rates.items()}
        self._windows = windows

    async def take(self, key: str, kind: OperationKind) -> None:
        """Count a request of a key or an address. Raises `RateLimited` with the seconds to wait."""
        rate = self._rates[kind]
        if wait := await self._windows.take(rate, kind, key):
            raise RateLimited(f"Rate limit exceeded: {rate} for {kind}.", retry_after=wait)


class AttemptLimiter:
    """Limits failed attempts per address."""

    def __init__(self, rate: str, name: str, windows: RateWindows) -> None:
        self._rate = parse(rate)
        self._name = name
        self._windows = windows

    async def take(self, address: str) -> None:
        """Count an attempt before it is checked, so that concurrent ones count too.

        Raises `RateLimited` with the seconds to wait.
        """
        if wait := await self._windows.take(self._rate, self._name, address):
            raise RateLimited(f"Too many wrong {self._name} from this address.", retry_after=wait)

    async def reset(self, address: str) -> None:
        await self._windows.clear(self._rate, self._name, address)
