"""KPIs over time: whole days, weeks and months of UTC, cut by the period."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.domain.metrics.kpi import ActionTally, Tallies, TaskTally
from app.metrics.targets import kpi_points


def at(day: int, month: int = 11, year: int = 2026, hour: int = 0) -> datetime:
    return datetime(year, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("bucket", "since", "until", "begins"),
    [
        ("day", at(1), at(4), [at(1), at(2), at(3)]),
        ("day", at(1, hour=9), at(2, hour=1), [at(1, hour=9), at(2)]),
        ("week", at(3), at(17), [at(3), at(9), at(16)]),  # 2 November 2026 is a Monday
        ("month", at(20, 11), at(2, 1, 2027), [at(20, 11), at(1, 12), at(1, 1, 2027)]),
        ("month", at(30, 12, 9999), datetime.max.replace(tzinfo=UTC), [at(30, 12, 9999)]),
        ("day", at(1), at(1), []),
    ],
)
def test_a_period_is_cut_where_the_calendar_is(bucket, since, until, begins):
    found = kpi_points(since, until, bucket, {})
    assert [one.since for one in found] == begins
    assert [one.until for one in found] == [*begins[1:], until][: len(begins)]


def test_days_are_those_of_utc():
    east = timezone(timedelta(hours=5))
    since = datetime(2026, 11, 2, 1, tzinfo=east)  # still the first of November there
    found = kpi_points(
        since, at(2), "day", {at(1): Tallies(tasks=(TaskTally(status="failed", count=1),))}
    )
    assert [one.counts["task_completion_rate"] for one in found] == [1]


def test_each_point_has_its_own_values_and_how_sure_predictions_were():
    ended = TaskTally(status="completed", count=3)
    guessed = ActionTally(kind="open", bin=9, count=4, predicted=3.8, met=3, brier=0.9)
    found = kpi_points(at(1), at(3), "day", {at(2): Tallies(tasks=(ended,), actions=(guessed,))})
    empty, full = found
    assert set(empty.values.values()) == {None}
    assert set(empty.counts.values()) == {0}
    assert full.values["task_completion_rate"] == 1.0
    assert (full.values["predicted"], full.values["observed"]) == (0.95, 0.75)
    assert (full.values["brier"], full.counts["brier"]) == (0.225, 4)
