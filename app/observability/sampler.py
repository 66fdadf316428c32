"""Samples gauges every few seconds: levels that no event reports, and those of other workers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import cast

import structlog

from app.domain.review import Depths, Record, Review, ReviewedRecord, Submission
from app.errors import TabwrightError
from app.observability.prometheus import PrometheusMetrics
from app.store.disk_space import DiskSpace
from app.store.reviews.port import Reviews
from app.threads import background_task


class CountedReviews:
    """Counts submissions, decisions and rejected writes of another `Reviews`."""

    def __init__(self, reviews: Reviews, signals: PrometheusMetrics) -> None:
        self._reviews, self._signals = reviews, signals

    def __getattr__(self, name: str) -> object:
        return getattr(self._reviews, name)

    async def submit(self, record: Submission) -> Record:
        known = await self._reviews.find(record.tenant_id, record.id)
        submitted = await self._reviews.submit(record)
        if known is None:
            self._signals.count_review_submission()
        return submitted

    async def decide(self, tenant: str, record_id: str, review: Review) -> ReviewedRecord:
        reviewed = await self._reviews.decide(tenant, record_id, review)
        took_ms = reviewed.review.reviewed_at_ms - reviewed.submitted_at_ms
        self._signals.count_review_decision(reviewed.review.decision, took_ms / 1000)
        return reviewed

    async def refused(self, tenant: str, at_ms: int) -> None:
        self._signals.count_review_refusal()
        await self._reviews.refused(tenant, at_ms)


def count_reviews(reviews: Reviews, signals: PrometheusMetrics) -> Reviews:
    """Wrap reviews so that submissions, decisions and rejected writes are counted."""
    return cast(Reviews, CountedReviews(reviews, signals))


async def total_depths(reviews: Reviews) -> tuple[Depths, int]:
    """The depths over all tenants, and the number of damaged records."""
    tenants = (await reviews.tenants()).values()
    oldest = [one.oldest_ms for one in tenants if one.oldest_ms is not None]
    total = Depths(
        pending=sum(one.pending for one in tenants),
        approved=sum(one.approved for one in tenants),
        rejected=sum(one.rejected for one in tenants),
        oldest_ms=min(oldest, default=None),
    )
    return total, await reviews.damaged()


log = structlog.get_logger(__name__)

EVERY_S = 10.0  # our configuration has Prometheus scrape every 15 s
PAUSE_FACTOR = (
    20  # times the duration of a review queue sample until the next: thousands of files are slow
)


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
        self._next_queue_sample = 0.0  # `perf_counter` time of the next review queue sample

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
            await self._sample_queue()

    async def _sample_queue(self) -> None:
        """Sample the review queue; the values stay unchanged while its store is unavailable."""
        began = perf_counter()
        if began < self._next_queue_sample:
            return
        try:
            self._signals.set_review_depths(*await total_depths(self._reviews))
            ended = perf_counter()
            self._next_queue_sample = ended + min(EVERY_S, PAUSE_FACTOR * (ended - began))
        except TabwrightError as error:
            log.warning("review queue not counted", error=error.detail)


@asynccontextmanager
async def run_sampler(sampler: Sampler) -> AsyncIterator[None]:
    """Sample periodically during the context."""

    async def sample_periodically() -> None:
        while True:
            try:
                await sampler.sample()
            except Exception:
                log.exception("sampling failed")
            await asyncio.sleep(EVERY_S)

    async with background_task(sample_periodically()):
        yield
