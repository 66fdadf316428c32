"""Targets of the review queue for the KPI table."""

from collections.abc import Sequence
from typing import Any

from app.metrics import MeasuredTarget, Target, measure_target
from app.review.stats import Coverage, ReviewStats

FEATURE = "Review queue"


def table(found: ReviewStats, covered: Coverage) -> tuple[MeasuredTarget, ...]:
    """All rows of the table for these numbers."""
    return (
        *(measure_target(target, found) for target in OF_QUEUE),
        measure_target(COVERED, covered),
    )


def _median(found: ReviewStats) -> tuple[float, int]:
    return found.median_business_days or 0.0, found.reviewed


def _invalid(found: ReviewStats) -> tuple[float, int]:
    return found.refused_share or 0.0, found.submitted + found.reviewed + found.refused


def _whole(found: ReviewStats) -> tuple[float, int]:
    """The share of complete records; a readable record always has decision, date and identity."""
    there = found.pending + found.approved + found.rejected
    return there / max(1, there + found.damaged), there + found.damaged


def _filed(found: Coverage) -> tuple[float, int]:
    return found.filed / max(1, found.tasks), found.tasks


OF_QUEUE: Sequence[Target[ReviewStats]] = (
    Target(
        key="review_median_days", feature=FEATURE, metric="Median time to review", unit="days",
        target=2, alert=2, rising=False, measure=_median,
        meaning="Half of the records that were decided waited at most so many working days (Monday to "
        "Friday, UTC) for it.",
    ),
    Target(
        key="review_invalid_writes", feature=FEATURE, metric="Invalid write attempts",
        target=0.01, alert=None, rising=False, measure=_invalid,
        meaning="Attempts to write what is no valid record, to decide what cannot be or a second time, of "
        "all attempts to write.",
    ),
    Target(
        key="review_whole_records", feature=FEATURE, metric="Whole records",
        target=1, alert=1, measure=_whole,
        meaning="Records that can be read, and so have all that is required of them: of a decided one the "
        "decision, its date, and the name and role of who decided. It is of all there are now.",
    ),
)  # fmt: skip
COVERED = Target(
    key="review_coverage", feature=FEATURE, metric="Unsure tasks with a record",
    target=1, alert=1, measure=_filed,
    meaning="Tasks that ended below high confidence, or did what is hard to undo, and have a record, of the "
    "newest 100 such tasks.",
)  # fmt: skip
TARGETS: Sequence[Target[Any]] = (*OF_QUEUE, COVERED)
