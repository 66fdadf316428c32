"""KPIs of the agent, ratings of answers, and Prometheus metrics."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import Field

from app.api.deps import AppState, AppStateDep, CurrentOperator, CurrentUser
from app.api.models import ResponseModel, Timestamp
from app.api.problems import problem_doc, problem_docs
from app.api.query_params import Since, Until, resolve_period
from app.domain.chat import ChatLine
from app.domain.metrics.kpi import Bucket
from app.errors import Invalid, StoreUnavailable
from app.metrics import (
    TARGETS,
    MeasuredTarget,
    State,
    Target,
    Unit,
    compute_kpis,
    kpi_points,
    kpi_table,
    skill_warnings,
)
from app.review import (
    REVIEW_TARGETS,
    ReviewStats,
    compute_coverage,
    compute_review_stats,
    measure_queue,
)


class BinView(ResponseModel):
    """Predictions with a confidence from `from` to below `to` (the last bin includes 1)."""

    lower: float = Field(alias="from")
    upper: float = Field(alias="to")
    count: int
    predicted: float
    observed: float


class ReliabilityView(ResponseModel):
    """The predictions for one kind of action; empty bins are omitted."""

    kind: str
    count: int
    brier: float
    mean_predicted: float
    observed_rate: float
    bins: list[BinView]


class PredictionsView(ResponseModel):
    """Predictions that were checked. `brier` is 0 at best, null without predictions."""

    count: int
    brier: float | None
    by_kind: list[ReliabilityView]


class TierCountView(ResponseModel):
    tier: int
    count: int


class VerificationsView(ResponseModel):
    """Verdicts: the share that was conclusive, and the share of success among those."""

    count: int
    by_tier: list[TierCountView]
    decided_share: float | None
    success_rate: float | None
    tokens_saved: int


class StrategyView(ResponseModel):
    strategy: str = Field(validation_alias="name", serialization_alias="strategy")
    count: int
    success_rate: float | None


class SourceView(ResponseModel):
    source: str = Field(validation_alias="name", serialization_alias="source")
    count: int
    success_rate: float | None


class CorrectionsView(ResponseModel):
    """Corrections after failures; rates cover those with a known outcome."""

    count: int
    success_rate: float | None
    by_strategy: list[StrategyView]
    by_source: list[SourceView]


class RePlanningRateView(ResponseModel):
    """The share of observations after which the plan was modified or regenerated."""

    rate: float | None


class TasksView(ResponseModel):
    """Tasks; the completion rate covers those that ended."""

    count: int
    failed: int
    interrupted: int
    completion_rate: float | None


class SkillsView(ResponseModel):
    """`hitRate`: the share of failures for which a skill was available."""

    count: int
    hit_rate: float | None
    effectiveness: float | None


class TargetView(ResponseModel):
    """One KPI with its target; `count` is the sample size of `value`."""

    key: str
    feature: str
    metric: str
    value: float | None
    unit: Unit
    count: int
    target: float
    target_text: str
    alert: float | None
    alert_text: str
    state: State
    meaning: str

    @staticmethod
    def of(row: MeasuredTarget) -> "TargetView":
        return TargetView.from_fields(row.target, value=row.value, count=row.count, state=row.state)


class PointView(ResponseModel):
    """One point: KPIs by key, plus `predicted`, `observed` and `brier` of the predictions; null if there
    is nothing to measure. `counts` are the sample sizes.
    """

    since: datetime = Field(alias="from")
    until: datetime = Field(alias="to")
    values: dict[str, float | None]
    counts: dict[str, int]


class SeriesView(ResponseModel):
    bucket: Bucket
    points: list[PointView]


class ReviewView(ReviewStats, ResponseModel):
    """The review queue. Numbers of records, `oldestAgeMs` and `damaged` are current; the rest covers what
    was submitted or decided in the period. `agreement` is the approved share of the `judged` records,
    which the agent submitted; `refused` are invalid write attempts, `refusedShare` their share.
    """

    targets: list[TargetView]


class KpisView(ResponseModel):
    """KPIs of the tenant from `from` until before `to`. `table` holds the KPIs that have a target;
    `review` is null while the store of the review queue is unavailable.
    """

    since: datetime = Field(alias="from")
    until: datetime = Field(alias="to")
    predictions: PredictionsView
    verification: VerificationsView
    corrections: CorrectionsView
    re_planning: RePlanningRateView
    tasks: TasksView
    skills: SkillsView
    table: list[TargetView]
    warnings: list[str]
    review: ReviewView | None


class RatedView(ResponseModel):
    message_id: str
    rating: Literal["up", "down"]
    comment: str
    rated_at: Timestamp

    @staticmethod
    def of(line: ChatLine) -> "RatedView | None":
        """None for a line without a rating."""
        if line.rating is None or line.rated_at is None:
            return None
        return RatedView.from_fields(line, rating=line.rating.thumb, comment=line.rating.comment)


class RatingsView(ResponseModel):
    ratings: list[RatedView]


router = APIRouter(tags=["metrics"], responses=problem_docs(401, 422))

RATINGS = 100
FORBIDDEN = problem_doc("Requires scope `operator`")
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
    review = await _review(state, principal.tenant, begin, end)
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


@router.get("/api/metrics/ratings", responses={403: FORBIDDEN})
async def read_ratings(
    principal: CurrentOperator, state: AppStateDep, since: Since = None, until: Until = None
) -> RatingsView:
    """The newest 100 ratings of chat answers, newest first; operators only. Questions and answers remain
    private.
    """
    begin, end = resolve_period(since, until)
    found = await state["store"].conversations.rated(principal.tenant, begin, end, limit=RATINGS)
    return RatingsView(ratings=[view for one in found if (view := RatedView.of(one))])


async def _review(
    state: AppState, tenant: str, since: datetime, until: datetime
) -> ReviewView | None:
    """The review queue's part; None while its store, which may be another one, is unavailable."""
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
    403: FORBIDDEN,
}


@router.get("/metrics", response_class=Response, responses=PROMETHEUS)
async def scrape(principal: CurrentOperator, state: AppStateDep) -> Response:
    """Prometheus metrics of the whole installation, all workers together; operators only.

    No label names a tenant, a user, a task or an address.
    """
    await state["sampler"].sample()
    text, media_type = await asyncio.to_thread(state["metrics"].exposition)
    return Response(text, media_type=media_type)
