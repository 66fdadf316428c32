"""Caches the indexes of recently active tenants in memory."""

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from app.errors import StoreUnavailable
from knowledge.retrieve.index import Index
from knowledge.retrieve.index_loader import IndexLoader

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLimits:
    """Limits of the cache.

    `index_bytes` bounds all indexes together; the index of the requesting tenant is kept whatever
    its size. Changes by other processes are polled every `look_s` seconds. The first search waits
    up to `patience_s` seconds for the index to be built, then uses what is there.
    """

    index_bytes: int = 600_000_000
    look_s: float = 1.0
    patience_s: float = 3.0


@dataclass(slots=True)
class _Kept:
    index: Index = field(default_factory=Index)
    looked: float = float("-inf")
    stale: int = 1  # counts publications here; `seen`: its value at the last poll
    seen: int = 0
    renewing: asyncio.Task[None] | None = None
    began: float = 0.0


class IndexCache:
    """Builds indexes on demand, updates them incrementally and evicts the least recently used."""

    def __init__(self, loader: IndexLoader, limits: CacheLimits) -> None:
        self._loader = loader
        self._limits = limits
        self._kept: OrderedDict[str, _Kept] = OrderedDict()

    def mark_stale(self, tenant: str) -> None:
        """Mark the tenant's index as stale after a publication or deletion in this process."""
        if kept := self._kept.get(tenant):
            kept.stale += 1

    def forget(self, tenant: str) -> None:
        """Drop the tenant's index; the next search rebuilds it."""
        if (kept := self._kept.pop(tenant, None)) and kept.renewing:
            kept.renewing.cancel()

    @property
    def bytes(self) -> int:
        """Memory of all indexes in bytes."""
        return sum(kept.index.bytes for kept in self._kept.values())

    async def get(self, tenant: str) -> Index:
        """The tenant's index, at most `look_s` seconds old and with all publications of this
        process.

        Raises `StoreUnavailable` if the store is unavailable and no index is cached.
        """
        kept = self._kept.setdefault(tenant, _Kept())
        self._kept.move_to_end(tenant)
        due = time.monotonic() - kept.looked >= self._limits.look_s
        while due or kept.seen < kept.stale:
            due = False
            if not await self._renew(tenant, kept):
                break
        return kept.index

    async def _renew(self, tenant: str, kept: _Kept) -> bool:
        """Refresh the index; returns whether it finished within the patience. It continues in the
        background otherwise.
        """
        if kept.renewing is None:
            kept.renewing = asyncio.create_task(self._renewed(tenant, kept))
            kept.renewing.add_done_callback(lambda task: _ended(task, kept))
            kept.began = time.monotonic()
        task = kept.renewing
        left = kept.began + self._limits.patience_s - time.monotonic()
        done, _ = await asyncio.wait([task], timeout=max(0.0, left))
        if not done:
            return False
        if task.cancelled():
            return False
        if (error := task.exception()) is None:
            return True
        if isinstance(error, StoreUnavailable) and kept.index.version:
            log.warning("knowledge_index_not_renewed", reason=type(error).__name__)
            return False
        raise error

    async def _renewed(self, tenant: str, kept: _Kept) -> None:
        began, stale, before = time.monotonic(), kept.stale, kept.index
        if not before.version or await self._loader.version(tenant) != before.version:
            async for index in self._loader.refresh(tenant, before):
                if not before.version or index.version:
                    kept.index = index
            self._let_go(tenant)
        kept.looked, kept.seen = began, stale

    def _let_go(self, tenant: str) -> None:
        while len(self._kept) > 1 and self.bytes > self._limits.index_bytes:
            oldest = next(one for one in self._kept if one != tenant)
            self.forget(oldest)

    async def close(self) -> None:
        """Cancel refreshes in progress."""
        tasks = [kept.renewing for kept in self._kept.values() if kept.renewing]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, Exception):
                await task
        self._kept.clear()


def _ended(task: asyncio.Task[None], kept: _Kept) -> None:
    kept.renewing = None
    if not task.cancelled():
        task.exception()  # waiters get the error; without waiters, the next search retries
