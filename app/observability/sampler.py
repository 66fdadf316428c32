"""Levels, looked at every few seconds: what no event tells, and what other workers are scraped for."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter

import structlog

from app.errors import TabwrightError
from app.observability.background import background_task
from app.observability.prometheus import PrometheusMetrics
from app.observability.reviews import total_depths
from app.store.files.space import DiskSpace
from app.store.reviews.port import Reviews

log = structlog.get_logger(__name__)

EVERY_S = 10.0  # Prometheus asks every 15 s by our configuration
REST = 20  # times as long as a look at the review queue took: thousands of files take a while


class Sampler:
    """Notes how many runs there are, how full the queues are, how soon the store answers, and what waits
    for an operator.
    """

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
        self._looks_from = 0.0  # of `perf_counter`: not at the queue before

    async def sample(self) -> None:
        """Look once; takes as long as the store to answer, 2 s at most."""
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
        """While its store is away the numbers stay as they were."""
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
    """Look again and again while the block runs."""

    async def look() -> None:
        while True:
            try:
                await sampler.sample()
            except Exception:
                log.exception("not sampled")
            await asyncio.sleep(EVERY_S)

    async with background_task(look()):
        yield
