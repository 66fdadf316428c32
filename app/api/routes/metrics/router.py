"""KPIs of the agent, ratings of answers, and Prometheus metrics."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import APIRouter, Response

from app.api.deps import AppState, AppStateDep, CurrentOperator, CurrentUser
from app.api.problems import NEEDS_OPERATOR, problem_docs
from app.api.query_params import Since, Until, resolve_period
from app.api.routes.metrics.schemas import (
    KpisView,
    PointView,
    RatedView,
    RatingsView,
    ReviewView,
    SeriesView,
    TargetView,
)
from app.domain.metrics.kpi import Bucket
from app.errors import Invalid, StoreUnavailable
from app.metrics import TARGETS, Target, compute_kpis, kpi_points, kpi_table, skill_warnings
from app.review import REVIEW_TARGETS, compute_coverage, compute_review_stats, measure_queue

router = APIRouter(tags=["metrics"], responses=problem_docs(401, 422))

RATINGS = 100
MAX_POINTS = 400  # a year of daily points
DAYS: dict[Bucket, int] = {"day": 1, "week": 7, "month": 28}
ROWS: tuple[Target[Any], ...] = (*TARGETS, *REVIEW_TARGETS)
MEANINGS = "\n".join(
    f"- `{one.key}` ({one.metric}, {one.target_text}; alert {one.alert_text}): {one.meaning}"
    for one in ROWS
)
KPIS = f"""Predictions, verification, corrections, re-planning, tasks and skills of the tenant, its review
queue, and the table of KPIs with their targets. A row's `state` is `alert` beyond its alert threshold,
`below_target` short of its target, and `no_data` if there is nothing to measure. Tasks, actions,
corrections, records and decisions count by the time they were made.

{MEANINGS}
"""


@router.get("/api/metrics/kpis", description=KPIS)
async def read_kpis(
    principal: CurrentUser, state: AppStateDep, since: Since = None, until: Until = None
) -> KpisView:
    """The KPIs of a period."""
    begin, end = resolve_period(since, until)
    found = await state["store"].kpis.tallies(principal.tenant, begin, end)
    review = await _review_view(state, principal.tenant, begin, end)
    return KpisView(
        **compute_kpis(found),
        since=begin,
        until=end,
        table=[TargetView.of(row) for row in kpi_table(found)],
        warnings=list(skill_warnings(found.skills)),
        review=review,
    )


@router.get("/api/metrics/kpis/series")
async def read_series(
    principal: CurrentUser,
    state: AppStateDep,
    since: Since = None,
    until: Until = None,
    bucket: Bucket = "day",
) -> SeriesView:
    """The KPIs for each day, week (from Monday) or month (UTC) of the period, with predictions and what
    was observed. The period may cut the first and the last point short.
    """
    begin, end = resolve_period(since, until)
    if (end - begin) / timedelta(days=1) > MAX_POINTS * DAYS[bucket]:
        raise Invalid(f"from: a series has at most {MAX_POINTS} points.")
    found = await state["store"].kpis.series(principal.tenant, begin, end, bucket)
    points = [PointView.from_fields(one) for one in kpi_points(begin, end, bucket, found)]
    return SeriesView(bucket=bucket, points=points)


@router.get("/api/metrics/ratings", responses={403: NEEDS_OPERATOR})
async def read_ratings(
    principal: CurrentOperator, state: AppStateDep, since: Since = None, until: Until = None
) -> RatingsView:
    """The newest 100 ratings of chat answers, newest first; operators only. Questions and answers remain
    private.
    """
    begin, end = resolve_period(since, until)
    found = await state["store"].conversations.list_rated(
        principal.tenant, begin, end, limit=RATINGS
    )
    return RatingsView(ratings=[view for one in found if (view := RatedView.of(one))])


async def _review_view(
    state: AppState, tenant: str, since: datetime, until: datetime
) -> ReviewView | None:
    """None while the store of the review queue, which may be another one, is unavailable."""
    span = (int(since.timestamp() * 1000), int(until.timestamp() * 1000))
    reviews = state["reviews"].reviews
    now_ms = int(datetime.now(UTC).timestamp() * 1000)
    try:
        found = await compute_review_stats(reviews, tenant, *span, now_ms)
        covered = await compute_coverage(reviews, state["store"], tenant, since, until)
    except StoreUnavailable:
        return None
    rows = [TargetView.of(row) for row in measure_queue(found, covered)]
    return ReviewView.from_fields(found, targets=rows)


PROMETHEUS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The Prometheus text format",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    },
    403: NEEDS_OPERATOR,
}


@router.get("/metrics", response_class=Response, responses=PROMETHEUS)
async def scrape(principal: CurrentOperator, state: AppStateDep) -> Response:
    """Prometheus metrics of the whole installation, all workers together; operators only.

    No label names a tenant, a user, a task or an address.
    """
    await state["sampler"].sample()
    text, media_type = await asyncio.to_thread(state["metrics"].exposition)
    return Response(text, media_type=media_type)
