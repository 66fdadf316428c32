"""Spending so far: read from the usage rows periodically, and updated in memory in between."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import structlog

from app.domain.metrics.telemetry import ModelExchange
from app.domain.metrics.usage import (
    Budgets,
    BudgetScope,
    UsageFilter,
    UsageRecord,
    usd_to_nano,
)
from app.observability.port import Observer
from app.store.usage import Usage
from app.usage.allowance import (
    MAX_PAST_TASKS,
    NOTHING_KNOWN,
    Allowance,
    BudgetBound,
    TypicalTask,
    typical_task,
)
from app.usage.prices import Prices
from app.usage.statement import month_of, span_of_month

FRESH_S = 5.0  # the longest delay until other processes' spending is seen
READ_INTERVAL_FACTOR = (
    20  # times the duration of a read until the next one: large months are read less often
)
PATIENCE_S = 0.05  # the timeout of a read; the previous total is used meanwhile
TYPICAL_S = 600.0
MAX_TOTALS = 10_000

log = structlog.get_logger(__name__)

Key = tuple[str, BudgetScope, str]  # tenant, scope, and task or user


@dataclass(slots=True)
class _Sum:
    """The spending of one key this month, in billionths of a dollar. Fresh `until` a monotonic time;
    the last read took `took` seconds.
    """

    amount: int = 0
    month: str = ""
    until: float = 0.0
    took: float = 0.0
    reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def get_amount(self) -> int:
        return self.amount


class Spendings(Observer):
    """Spending totals of this process; an observer, so that each call counts as soon as it ends.

    A total can be too high for some seconds, if a call ends during a read, but always includes what
    this process spent.
    """

    def __init__(
        self, usage: Usage, prices: Prices, settled: Callable[[], Awaitable[None]]
    ) -> None:
        self._usage = usage
        self._prices = prices
        self._settled = settled
        self._sums: dict[Key, _Sum] = {}
        self._typical: dict[str, tuple[float, TypicalTask]] = {}
        self._reading: set[asyncio.Task[None]] = set()

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        if not self._sums:
            return
        amount = usd_to_nano(record.cost_usd)
        for key in _keys(record.tenant, record.task_id, record.user):
            if (total := self._sums.get(key)) is not None:
                total.amount += amount

    async def allowance(
        self, budgets: Budgets, *, user: str, task_id: str, begins: bool
    ) -> Allowance:
        """The limits of a request. `begins`: it brings a new goal, whose cost may be estimated."""
        month = month_of(datetime.now(UTC))
        limits = (budgets.task, budgets.limit_of_user(user), budgets.whole)
        bounds = []
        for key, limit in zip(_keys(budgets.tenant, task_id, user), limits, strict=True):
            if limit is not None:
                period = "" if key[1] == "task" else month
                bounds.append(
                    BudgetBound(
                        scope=key[1],
                        limit=usd_to_nano(limit.limit_usd),
                        warn_at=limit.warn_at,
                        spent=(await self._refresh(key, period)).get_amount,
                        month=period,
                    )
                )
        return Allowance(
            prices=self._prices,
            bounds=tuple(bounds),
            typical=await self._typical_of(budgets.tenant) if begins else NOTHING_KNOWN,
        )

    async def _refresh(self, key: Key, month: str) -> _Sum:
        """The shared total of the key, reloaded if it is old or of another month."""
        total = self._sums.setdefault(key, _Sum())
        if total.month == month and total.took > PATIENCE_S:
            if not total.reading.locked() and time.monotonic() >= total.until:
                reading = asyncio.create_task(self._reload(key, total, month))
                self._reading.add(reading)
                reading.add_done_callback(self._log_failure)
        else:
            await self._reload(key, total, month)
        return total

    async def _reload(self, key: Key, total: _Sum, month: str) -> None:
        async with total.reading:
            if total.month == month and time.monotonic() < total.until:
                return
            await self._settled()
            previous, started = total.amount, time.monotonic()
            stored = await self._read(key, month)
            total.amount += stored - previous  # including calls that ended meanwhile
            now = time.monotonic()
            total.month, total.took = month, now - started
            total.until = now + max(FRESH_S, READ_INTERVAL_FACTOR * total.took)
        self._forget(now)

    def _log_failure(self, reading: asyncio.Task[None]) -> None:
        self._reading.discard(reading)
        if not reading.cancelled() and (error := reading.exception()) is not None:
            log.warning("spending not read", error=str(error))

    async def _read(self, key: Key, month: str) -> int:
        tenant, scope, whose = key
        if scope == "task":
            return await self._usage.sum_spent(tenant, task_id=whose)
        span = span_of_month(month)
        user = whose if scope == "user" else None
        return await self._usage.sum_spent(
            tenant, UsageFilter(since=span.since, until=span.until, user=user)
        )

    async def _typical_of(self, tenant: str) -> TypicalTask:
        until, typical = self._typical.get(tenant, (0.0, NOTHING_KNOWN))
        now = time.monotonic()
        if now >= until:
            typical = typical_task(await self._usage.recent_tasks(tenant, limit=MAX_PAST_TASKS))
            self._typical[tenant] = (now + TYPICAL_S, typical)
        return typical

    def _forget(self, now: float) -> None:
        """Evict totals that were not used lately, if there are many."""
        if len(self._sums) > MAX_TOTALS:
            recent = {key: one for key, one in self._sums.items() if one.until > now - TYPICAL_S}
            self._sums = recent


def _keys(tenant: str, task_id: str, user: str) -> tuple[Key, ...]:
    return ((tenant, "task", task_id), (tenant, "user", user), (tenant, "tenant", ""))
