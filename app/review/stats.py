"""Review queue statistics: backlog, time to decision, and how often the agent was right."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import datetime
from math import ceil
from statistics import median
from typing import Any

from app.domain.base import Value
from app.domain.review import Depths, RecordTimes
from app.metrics import MeasuredTarget, Target, measure_target
from app.review.submission import HIGH_CONFIDENCE, id_of_task, load_record
from app.store.repositories import Store
from app.store.reviews.port import Reviews

DAY_MS = 86_400_000
THURSDAY, SATURDAY, WEEK = 3, 5, 7  # weekday numbers; the epoch began on a Thursday, Monday is 0


class ReviewStats(Value):
    """Statistics of one tenant. `pending`, `approved`, `rejected`, `oldest_age_ms` and `damaged` are
    current; the rest covers the period: records `submitted` in it, and records `reviewed` in it whenever
    submitted.

    `median_review_ms` and `p90_review_ms` measure submission to decision, `median_business_days` the same
    in business days (UTC, Monday to Friday). `agreement` is the approved share of decided records that the
    agent submitted. `refused` counts invalid writes; `refused_share` is their share of all writes.
    """

    pending: int
    approved: int
    rejected: int
    oldest_age_ms: int | None
    submitted: int
    reviewed: int
    reviewed_per_day: float
    median_review_ms: int | None
    p90_review_ms: int | None
    median_business_days: float | None
    agreement: float | None
    judged: int  # decided records that the agent submitted: the denominator of `agreement`
    refused: int
    refused_share: float | None
    damaged: int


async def compute_review_stats(
    reviews: Reviews, tenant: str, since_ms: int, until_ms: int, now_ms: int
) -> ReviewStats:
    """The statistics of the period [`since_ms`, `until_ms`) in epoch milliseconds."""
    depths, timed, refused, damaged = await asyncio.gather(
        reviews.depths(tenant),
        reviews.timed(tenant, since_ms, until_ms),
        reviews.refusals(tenant, since_ms, until_ms),
        reviews.damaged(tenant),
    )
    return summarize_records(depths, timed, refused, damaged, (since_ms, until_ms), now_ms)


def summarize_records(
    depths: Depths,
    timed: Iterable[RecordTimes],
    refused: int,
    damaged: int,
    span: tuple[int, int],
    now_ms: int,
) -> ReviewStats:
    """Compute the statistics from stored data; `span` is (from, until) in epoch milliseconds."""
    since_ms, until_ms = span
    rows = tuple(timed)
    submitted = sum(since_ms <= one.submitted_at_ms < until_ms for one in rows)
    ends = [
        (one, one.reviewed_at_ms)
        for one in rows
        if one.reviewed_at_ms is not None and since_ms <= one.reviewed_at_ms < until_ms
    ]
    took = sorted(max(0, end - one.submitted_at_ms) for one, end in ends)
    median_business_ms = _median([business_ms(one.submitted_at_ms, end) for one, end in ends])
    by_agent = [one for one, _ in ends if one.by_agent]
    return ReviewStats(
        pending=depths.pending,
        approved=depths.approved,
        rejected=depths.rejected,
        oldest_age_ms=None if depths.oldest_ms is None else max(0, now_ms - depths.oldest_ms),
        submitted=submitted,
        reviewed=len(ends),
        # At least one day, so that two reviews in an hour do not count as 48 a day.
        reviewed_per_day=round(len(ends) / max(1.0, (until_ms - since_ms) / DAY_MS), 4),
        median_review_ms=_median(took),
        p90_review_ms=took[ceil(0.9 * len(took)) - 1] if took else None,
        median_business_days=None
        if median_business_ms is None
        else round(median_business_ms / DAY_MS, 4),
        agreement=_share(sum(one.decision == "approved" for one in by_agent), len(by_agent)),
        judged=len(by_agent),
        refused=refused,
        refused_share=_share(refused, submitted + len(ends) + refused),
        damaged=damaged,
    )


def business_ms(since_ms: int, until_ms: int) -> int:
    """Milliseconds between two moments (epoch milliseconds) without weekends in UTC; 0 if the second is
    earlier.
    """
    return max(0, _business_ms_until(until_ms) - _business_ms_until(since_ms))


def _business_ms_until(moment_ms: int) -> int:
    """Business milliseconds from a Monday before the epoch until then."""
    days, rest = divmod(moment_ms, DAY_MS)
    weeks, weekday = divmod(days + THURSDAY, WEEK)
    today = rest if weekday < SATURDAY else 0
    return (weeks * SATURDAY + min(weekday, SATURDAY)) * DAY_MS + today


def _median(numbers: Sequence[int]) -> int | None:
    return int(median(numbers)) if numbers else None


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


MOST = 100  # newest tasks examined


class Coverage(Value):
    """Of `tasks` with low confidence or high impact, `filed` have a record, in the queue or the outbox."""

    tasks: int
    filed: int


async def compute_coverage(
    reviews: Reviews, store: Store, tenant: str, since: datetime, until: datetime
) -> Coverage:
    """The coverage of the newest `MOST` such tasks made in [`since`, `until`)."""
    ids = await store.kpis.find_uncertain(tenant, since, until, below=HIGH_CONFIDENCE, limit=MOST)
    found = await asyncio.gather(
        *(load_record(reviews, store.outbox, tenant, id_of_task(tenant, one)) for one in ids)
    )
    return Coverage(tasks=len(ids), filed=sum(one is not None for one in found))


FEATURE = "Review queue"


def _readable_share(found: ReviewStats) -> tuple[float, int]:
    """The share of complete records; a readable record always has decision, date and identity."""
    readable = found.pending + found.approved + found.rejected
    return readable / max(1, readable + found.damaged), readable + found.damaged


OF_QUEUE: Sequence[Target[ReviewStats]] = (
    Target(
        key="review_median_days", feature=FEATURE, metric="Median time to review", unit="days",
        target=2, alert=2, rising=False,
        measure=lambda found: (found.median_business_days or 0.0, found.reviewed),
        meaning="Half of the records that were decided waited at most so many working days (Monday to "
        "Friday, UTC) for it.",
    ),
    Target(
        key="review_invalid_writes", feature=FEATURE, metric="Invalid write attempts",
        target=0.01, alert=None, rising=False, measure=lambda found: (
            found.refused_share or 0.0, found.submitted + found.reviewed + found.refused
        ),
        meaning="Attempts to write what is no valid record, to decide what cannot be or a second time, of "
        "all attempts to write.",
    ),
    Target(
        key="review_whole_records", feature=FEATURE, metric="Whole records",
        target=1, alert=1, measure=_readable_share,
        meaning="Records that can be read, and so have all that is required of them: of a decided one the "
        "decision, its date, and the name and role of who decided. It is of all there are now.",
    ),
)  # fmt: skip
COVERED: Target[Coverage] = Target(
    key="review_coverage", feature=FEATURE, metric="Unsure tasks with a record",
    target=1, alert=1, measure=lambda found: (found.filed / max(1, found.tasks), found.tasks),
    meaning="Tasks that ended below high confidence, or did what is hard to undo, and have a record, of the "
    "newest 100 such tasks.",
)  # fmt: skip
REVIEW_TARGETS: Sequence[Target[Any]] = (*OF_QUEUE, COVERED)


def measure_queue(found: ReviewStats, covered: Coverage) -> tuple[MeasuredTarget, ...]:
    measured = (measure_target(target, found) for target in OF_QUEUE)
    return (*measured, measure_target(COVERED, covered))
