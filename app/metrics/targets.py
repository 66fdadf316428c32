"""The table of KPIs and targets: formula, target and alert threshold."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from app.domain.metrics.kpi import (
    MANY_SKILLS,
    ActionTally,
    Bucket,
    CorrectionTally,
    Tallies,
    TaskTally,
)

Unit = Literal["ratio", "seconds", "days"]
State = Literal["ok", "below_target", "alert", "no_data"]

Of = TypeVar("Of", contravariant=True)
Measure = Callable[[Of], tuple[float, int]]
"""Computes the measured value and the number of cases; no value without cases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Generic[Of]):
    """One row of the table (interact_flow.md, section D).

    `rising`: more is better; `target` is the minimum, and a value below `alert` raises an alert.
    Otherwise less is better, and `target` itself is too much. `meaning` names numerator and
    denominator.
    """

    key: str
    feature: str
    metric: str
    unit: Unit = "ratio"
    target: float
    alert: float | None
    rising: bool = True
    meaning: str
    measure: Measure[Of]

    @property
    def target_text(self) -> str:
        return ("≥ " if self.rising else "< ") + self._format(self.target)

    @property
    def alert_text(self) -> str:
        if self.alert is None:
            return "N/A"
        return ("< " if self.rising else "> ") + self._format(self.alert)

    def state_of(self, value: float | None) -> State:
        if value is None:
            return "no_data"
        if self.alert is not None and (value < self.alert if self.rising else value > self.alert):
            return "alert"
        met = value >= self.target if self.rising else value < self.target
        return "ok" if met else "below_target"

    def _format(self, number: float) -> str:
        if self.unit == "ratio":
            return f"{number:.0%}"
        return f"{number:g}s" if self.unit == "seconds" else f"{number:g} days"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredTarget:
    """A row of the table with its value, or None without data."""

    target: Target[Any]
    value: float | None
    count: int

    @property
    def state(self) -> State:
        return self.target.state_of(self.value)


def kpi_table(found: Tallies) -> tuple[MeasuredTarget, ...]:
    return tuple(measure_target(target, found) for target in TARGETS)


def skill_warnings(skills: int) -> tuple[str, ...]:
    """A warning for operators of a tenant with very many skills."""
    if skills < MANY_SKILLS:
        return ()
    return (
        f"{skills:,} skills: from {MANY_SKILLS:,} on look for ones that say the same, or that no longer"
        " help. At 10,000 those that were not used for longest go.",
    )


def measure_target(target: Target[Of], found: Of) -> MeasuredTarget:
    value, count = target.measure(found)
    return MeasuredTarget(target=target, value=round(value, 4) if count else None, count=count)


def _ratio(part: float, whole: int) -> tuple[float, int]:
    return (part / whole if whole else 0.0), whole


def _share_of_tasks(part: str, whole: str) -> Measure[Tallies]:
    """The sum of one counter of tasks divided by the sum of another."""
    return lambda found: _ratio(
        sum(getattr(one, part) for one in found.tasks),
        sum(getattr(one, whole) for one in found.tasks),
    )


def _count(rows: Iterable[ActionTally | CorrectionTally | TaskTally]) -> int:
    return sum(one.count for one in rows)


def _completion(found: Tallies) -> tuple[float, int]:
    ended = [one for one in found.tasks if one.status in ("completed", "failed", "interrupted")]
    return _ratio(_count(one for one in ended if one.status == "completed"), _count(ended))


def _simple_latency(found: Tallies) -> tuple[float, int]:
    """The latency of completed tasks that stayed SIMPLE, which the store keeps in one group."""
    done = [
        one
        for one in found.tasks
        if (one.status, one.complexity, one.misclassified) == ("completed", "SIMPLE", False)
    ]
    slowest = max((one.p95_ms or 0.0 for one in done), default=0.0)
    return slowest / 1000, _count(done)


def _classification(found: Tallies) -> tuple[float, int]:
    known = [one for one in found.tasks if one.complexity is not None]
    return _ratio(_count(one for one in known if not one.misclassified), _count(known))


def _skill_hits(found: Tallies) -> tuple[float, int]:
    uses = sum(one.skill_uses for one in found.tasks)
    return _ratio(uses, uses + _count(one for one in found.corrections if one.source != "skill"))


def _verification(found: Tallies) -> tuple[float, int]:
    decided = [one for one in found.actions if one.tier is not None and one.succeeded is not None]
    return _ratio(_count(one for one in decided if one.succeeded), _count(decided))


def _correction(found: Tallies) -> tuple[float, int]:
    settled = [one for one in found.corrections if one.status != "pending"]
    return _ratio(_count(one for one in settled if one.status == "success"), _count(settled))


_MEASURES: Mapping[str, Measure[Tallies]] = {
    "task_completion_rate": _completion,
    "p95_latency": lambda found: ((found.passes.p95_ms or 0.0) / 1000, found.passes.count),
    "simple_task_latency": _simple_latency,
    "classification_accuracy": _classification,
    "chain_success_rate": _share_of_tasks("chains_whole", "chains"),
    "round_trip_reduction": _share_of_tasks("saved", "chained"),
    "re_plan_frequency": _share_of_tasks("re_plans", "looks"),
    "skill_hit_rate": _skill_hits,
    "skill_effectiveness": _share_of_tasks("skills_helped", "skill_uses"),
    "verification_success_rate": _verification,
    "correction_success_rate": _correction,
    "user_satisfaction": lambda found: _ratio(found.ratings.satisfied, found.ratings.count),
}


_TABLE = tomllib.loads(Path(__file__).with_name("targets.toml").read_text(encoding="utf-8"))
TARGETS: Sequence[Target[Tallies]] = tuple(
    Target(**{"alert": None} | row, measure=_MEASURES[row["key"]]) for row in _TABLE["targets"]
)


LONGEST: Mapping[Bucket, int] = {"day": 1, "week": 7, "month": 31}  # days
CALIBRATION = ("predicted", "observed", "brier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """KPIs by key from `since` until before `until`, with the number of cases behind each.

    `predicted`, `observed` and `brier`: mean confidence, share that came true, and mean squared
    error of the predictions.
    """

    since: datetime
    until: datetime
    values: Mapping[str, float | None]
    counts: Mapping[str, int]


def kpi_points(
    since: datetime, until: datetime, bucket: Bucket, found: Mapping[datetime, Tallies]
) -> tuple[Point, ...]:
    """Every bucket of the period, empty ones included; `found` are sums by the bucket's beginning."""
    return tuple(
        _point(max(begin, since), min(end, until), found.get(begin, Tallies()))
        for begin, end in time_buckets(since, until, bucket)
    )


def time_buckets(
    since: datetime, until: datetime, bucket: Bucket
) -> Iterator[tuple[datetime, datetime]]:
    """The whole UTC days, weeks (from Monday) or months that overlap the period."""
    begin = _start_of_bucket(since.astimezone(UTC), bucket)
    while begin < until:
        try:
            end = _start_of_bucket(begin + timedelta(days=LONGEST[bucket]), bucket)
        except OverflowError:  # the calendar ends with the year 9999
            end = datetime.max.replace(tzinfo=UTC)
        yield begin, end
        begin = end


def _start_of_bucket(moment: datetime, bucket: Bucket) -> datetime:
    day = datetime.combine(moment.date(), time.min, UTC)
    back = {"day": 0, "week": day.weekday(), "month": day.day - 1}[bucket]
    return day - timedelta(days=back)


def _point(since: datetime, until: datetime, found: Tallies) -> Point:
    rows = kpi_table(found)
    scored = [one for one in found.actions if one.bin is not None]
    count = _count(scored)
    sums = [sum(getattr(one, name) for one in scored) for name in ("predicted", "met", "brier")]
    means = [round(total / count, 4) if count else None for total in sums]
    return Point(
        since=since,
        until=until,
        values={one.target.key: one.value for one in rows}
        | dict(zip(CALIBRATION, means, strict=True)),
        counts={one.target.key: one.count for one in rows} | dict.fromkeys(CALIBRATION, count),
    )
