"""The numbers of the queue, held against the same counted one by one."""

import statistics
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.review import Depths, RecordTimes
from app.review.stats import DAY_MS, ReviewStats, business_ms, summarize_records

NOON = int(datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp() * 1000)  # a Friday
moments = st.integers(NOON - 40 * DAY_MS, NOON)
days = st.integers(0, 20 * DAY_MS)


@st.composite
def records(draw: st.DrawFn) -> RecordTimes:
    at, by_agent = draw(moments), draw(st.booleans())
    if draw(st.booleans()):
        return RecordTimes(submitted_at_ms=at, by_agent=by_agent)
    decision = draw(st.sampled_from(["approved", "rejected"]))
    return RecordTimes(
        submitted_at_ms=at,
        reviewed_at_ms=at + draw(days),
        decision=decision,
        by_agent=by_agent,
    )


def of(rows: list[RecordTimes], since: int, until: int, *, refused: int = 0) -> ReviewStats:
    waiting = [one.submitted_at_ms for one in rows if one.decision is None]
    depths = Depths(
        pending=len(waiting),
        approved=sum(one.decision == "approved" for one in rows),
        rejected=sum(one.decision == "rejected" for one in rows),
        oldest_ms=min(waiting, default=None),
    )
    return summarize_records(depths, rows, refused, 0, (since, until), NOON)


@given(st.lists(records(), max_size=30), moments, days, st.integers(0, 50))
def test_every_number_is_what_counting_by_hand_gives(rows, since, length, refused):
    until = since + length
    found = of(rows, since, until, refused=refused)
    fresh = [one for one in rows if one.submitted_at_ms in range(since, until)]
    ended = [
        one for one in rows if one.reviewed_at_ms and one.reviewed_at_ms in range(since, until)
    ]
    took = [one.reviewed_at_ms - one.submitted_at_ms for one in ended]
    assert (found.submitted, found.reviewed) == (len(fresh), len(ended))
    assert found.median_review_ms == (int(statistics.median(took)) if took else None)
    if took:
        assert sum(one <= found.p90_review_ms for one in took) >= 0.9 * len(took)
        assert sum(one < found.p90_review_ms for one in took) < 0.9 * len(took)
    judged = [one.decision for one in ended if one.by_agent]
    assert found.judged == len(judged)
    right = judged.count("approved") / len(judged) if judged else None
    assert found.agreement == (None if right is None else pytest.approx(right, abs=1e-4))
    tries = len(fresh) + len(ended) + refused
    share = refused / tries if tries else None
    assert found.refused_share == (None if share is None else pytest.approx(share, abs=1e-4))
    per_day = len(ended) / max(1, length / DAY_MS)
    assert found.reviewed_per_day == pytest.approx(per_day, abs=1e-4)
    waiting = [NOON - one.submitted_at_ms for one in rows if one.decision is None]
    assert found.oldest_age_ms == max(waiting, default=None)


@given(moments, st.integers(-3 * DAY_MS, 20 * DAY_MS))
def test_days_of_work_are_counted_as_a_calendar_counts_them(since, length):
    begin = datetime.fromtimestamp(since / 1000, UTC)
    end, worked = begin + timedelta(milliseconds=length), timedelta()
    day = begin.replace(hour=0, minute=0, second=0, microsecond=0)
    while day < end:
        next_day = day + timedelta(days=1)
        if day.strftime("%a") not in ("Sat", "Sun"):
            worked += max(timedelta(), min(end, next_day) - max(begin, day))
        day = next_day
    assert business_ms(since, since + length) == round(worked.total_seconds() * 1000)


def test_a_weekend_is_no_work_and_an_empty_queue_has_no_rates():
    over = RecordTimes(
        submitted_at_ms=NOON - DAY_MS, reviewed_at_ms=NOON + 3 * DAY_MS, decision="rejected"
    )
    found = of([over], NOON, NOON + 7 * DAY_MS)
    assert found.median_review_ms == 4 * DAY_MS
    assert found.median_business_days == 2  # Thursday noon to Monday noon
    assert (found.submitted, found.reviewed, found.agreement) == (0, 1, None)
    none = of([], NOON, NOON)
    assert none.model_dump() == {
        "pending": 0, "approved": 0, "rejected": 0, "oldest_age_ms": None,
        "submitted": 0, "reviewed": 0, "reviewed_per_day": 0.0,
        "median_review_ms": None, "p90_review_ms": None, "median_business_days": None,
        "agreement": None, "judged": 0, "refused": 0, "refused_share": None, "damaged": 0,
    }  # fmt: skip
