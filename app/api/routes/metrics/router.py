"""How well the agent does."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import AwareDatetime

from app.api.deps import AppState, AppStateDep, CurrentOperator, CurrentUser
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.metrics.schemas import KpisView, RatedView, RatingsView, ReviewView, SeriesView
from app.domain.metrics.kpi import Bucket
from app.errors import Invalid, StoreUnavailable
from app.metrics.kpis import kpis
from app.metrics.targets import TARGETS, Target, points, table, warnings
from app.review import targets as review_targets
from app.review.coverage import coverage
from app.review.stats import stats

router = APIRouter(tags=["metrics"], responses={k: PROBLEMS[k] for k in (401, 422)})

PERIOD = timedelta(days=30)
RATINGS = 100
FORBIDDEN = PROBLEMS[401] | {"description": "A key of role user"}
MOST_POINTS = 400  # a year of days
_FIRST = datetime.min.replace(tzinfo=UTC)
Since = Annotated[
    AwareDatetime | None, Query(alias="from", description="30 days before `to` if not given")
]
Until = Annotated[AwareDatetime | None, Query(alias="to", description="now if not given")]
ROWS: tuple[Target[Any], ...] = (*TARGETS, *review_targets.TARGETS)
MEANINGS = "\n".join(
    f"- `{one.key}` ({one.metric}, {one.target_text}; alert {one.alert_text}): {one.meaning}"
    for one in ROWS
)
KPIS = f"""Predictions, verification, corrections, re-planning, tasks and skills of one's own tenant, its
review queue, and the table of KPIs with their targets. A row's `state` is `alert` beyond its alert
threshold, `below_target` short of its target, `no_data` without anything to measure. What counts is when a
task, an action, a correction, a record or a decision was made.

{MEANINGS}
"""


@router.get("/api/metrics/kpis", description=KPIS)
async def read_kpis(
    principal: CurrentUser, state: AppStateDep, since: Since = None, until: Until = None
) -> KpisView:
    """How well the agent does."""
    begin, end = _period(since, until)
    found = await state["store"].kpis.tallies(principal.tenant, begin, end)
    review = await _review(state, principal.tenant, begin, end)
    return KpisView.of(kpis(found), table(found), warnings(found.skills), review, begin, end)


@router.get("/api/metrics/kpis/series")
async def read_series(
    principal: CurrentUser,
    state: AppStateDep,
    since: Since = None,
    until: Until = None,
    bucket: Bucket = "day",
) -> SeriesView:
    """The table's KPIs for each day, week (from Monday) or month of UTC in the period, with what was
    predicted and what was observed. The first and the last may be cut by the period.
    """
    begin, end = _period(since, until)
    if (end - begin) / timedelta(days=1) > MOST_POINTS * _days(bucket):
        raise Invalid(f"from: at most {MOST_POINTS} points in a series")
    found = await state["store"].kpis.series(principal.tenant, begin, end, bucket)
    return SeriesView.of(bucket, points(begin, end, bucket, found))


@router.get("/api/metrics/ratings", responses={403: FORBIDDEN})
async def read_ratings(
    principal: CurrentOperator, state: AppStateDep, since: Since = None, until: Until = None
) -> RatingsView:
    """What people think of answers of the chat, the last said first, the newest 100; operators only. What
    was asked and answered stays the person's own.
    """
    begin, end = _period(since, until)
    found = await state["store"].conversations.rated(principal.tenant, begin, end, limit=RATINGS)
    return RatingsView(ratings=[view for one in found if (view := RatedView.of(one))])


async def _review(
    state: AppState, tenant: str, since: datetime, until: datetime
) -> ReviewView | None:
    """The queue's part; None while its store is away, which need not be the one of all the rest."""
    span = (int(since.timestamp() * 1000), int(until.timestamp() * 1000))
    reviews = state["reviews"].reviews
    now_ms = int(datetime.now(UTC).timestamp() * 1000)
    try:
        found = await stats(reviews, tenant, *span, now_ms)
        covered = await coverage(reviews, state["store"], tenant, since, until)
    except StoreUnavailable:
        return None
    return ReviewView.of(found, review_targets.table(found, covered))


def _period(since: datetime | None, until: datetime | None) -> tuple[datetime, datetime]:
    end = _utc(until) if until else datetime.now(UTC)
    begin = _utc(since) if since else max(end, _FIRST + PERIOD) - PERIOD
    if begin > end:
        raise Invalid("from: it is later than to")
    return begin, end


def _utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise Invalid("from, to: no such day in UTC") from None


def _days(bucket: Bucket) -> int:
    return {"day": 1, "week": 7, "month": 28}[bucket]
