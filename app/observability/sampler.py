"""Samples gauges every few seconds: levels that no event reports, and those of other workers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter

import structlog

from app.errors import TabwrightError
from app.observability.background import background_task
from app.observability.prometheus import PrometheusMetrics
from app.observability.reviews import total_depths
from app.store.disk_space import DiskSpace
from app.store.reviews.port import Reviews

log = structlog.get_logger(__name__)

EVERY_S = 10.0  # our configuration has Prometheus scrape every 15 s
REST = 20  # times the duration of a review queue sample until the next one: thousands of files take a while


class Sampler:
    """Samples the number of runs, queue sizes, store latency and review queue depths."""

    def __init__(
        self,
        signals: PrometheusMetrics,
        running: Callable[[], int],
        ping: Callable[[], Awaitable[None]],
        reviews: Reviews,
        space: DiskSpace,
    ) -> None:
        self._signals, self._running, self._ping = signals, running, ping
        self._space = space
        self._reviews = reviews
        self._looks_from = 0.0  # `perf_counter` time of the next review queue sample

    async def sample(self) -> None:
        """Take one sample; waits for the store, 2 s at most."""
        began = perf_counter()
        try:
            await self._ping()
            ping_s: float | None = perf_counter() - began
        except TabwrightError:
            ping_s = None
        self._space.report()
        self._signals.set_levels(
            running=self._running(), ping_s=ping_s, free=self._space.free_percent / 100
        )
        if ping_s is not None:
            await self._queue()

    async def _queue(self) -> None:
        """Sample the review queue; the values stay unchanged while its store is unavailable."""
        began = perf_counter()
        if began < self._looks_from:
            return
        try:
            self._signals.set_review_depths(*await total_depths(self._reviews))
            ended = perf_counter()
            self._looks_from = ended + min(EVERY_S, REST * (ended - began))
        except TabwrightError as error:
            log.warning("review queue not counted", error=error.detail)


@asynccontextmanager
async def run_sampler(sampler: Sampler) -> AsyncIterator[None]:
    """Sample periodically during the context."""

    async def look() -> None:
        while True:
            try:
                await sampler.sample()
            except Exception:
                log.exception("not sampled")
            await asyncio.sleep(EVERY_S)

    async with background_task(look()):
        yield
