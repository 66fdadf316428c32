"""KPIs over time: the stretches of a period, and what each comes to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from app.domain.kpi import Bucket, Tallies
from app.engines.targets import table

DECEMBER = 12
CALIBRATION = ("predicted", "observed", "brier")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One stretch, from `since` until before `until`: its KPIs by key, and over how many each is.

    `predicted`, `observed` and `brier` are of its predictions: how sure they were on average, how many
    came true, and the mean of the squared errors.
    """

    since: datetime
    until: datetime
    values: Mapping[str, float | None]
    counts: Mapping[str, int]


def points(
    since: datetime, until: datetime, bucket: Bucket, found: Mapping[datetime, Tallies]
) -> tuple[Point, ...]:
    """Every stretch of the period, the empty ones too; `found` are sums by where a stretch begins."""
    return tuple(
        _point(max(begin, since), min(end, until), found.get(begin, Tallies()))
        for begin, end in stretches(since, until, bucket)
    )


def stretches(
    since: datetime, until: datetime, bucket: Bucket
) -> Iterator[tuple[datetime, datetime]]:
    """The whole days, weeks (from Monday) or months of UTC that the period touches."""
    begin = _begun(since.astimezone(UTC), bucket)
    while begin < until:
        end = _next(begin, bucket)
        yield begin, end
        begin = end


def _begun(moment: datetime, bucket: Bucket) -> datetime:
    day = datetime.combine(moment.date(), time.min, UTC)
    if bucket == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday() if bucket == "week" else 0)


def _next(begin: datetime, bucket: Bucket) -> datetime:
    try:
        if bucket != "month":
            return begin + timedelta(days=7 if bucket == "week" else 1)
        if begin.month == DECEMBER:
            return begin.replace(year=begin.year + 1, month=1)
        return begin.replace(month=begin.month + 1)
    except (OverflowError, ValueError):  # the calendar ends with the year 9999
        return datetime.max.replace(tzinfo=UTC)


def _point(since: datetime, until: datetime, found: Tallies) -> Point:
    rows = table(found)
    judged = [one for one in found.actions if one.bin is not None]
    count = sum(one.count for one in judged)
    sums = (
        sum(one.predicted for one in judged),
        float(sum(one.met for one in judged)),
        sum(one.brier for one in judged),
    )
    means = [round(total / count, 4) if count else None for total in sums]
    return Point(
        since=since,
        until=until,
        values={one.target.key: one.value for one in rows}
        | dict(zip(CALIBRATION, means, strict=True)),
        counts={one.target.key: one.count for one in rows} | dict.fromkeys(CALIBRATION, count),
    )
