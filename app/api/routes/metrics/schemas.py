"""KPIs on the wire."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Literal

from pydantic import Field

from app.api.models import ResponseModel, Timestamp
from app.domain.chat import ChatLine
from app.domain.metrics.kpi import Bucket
from app.metrics.kpis import Kpis
from app.metrics.targets import Measured, Point, State, Unit
from app.review.stats import ReviewStats


class BinView(ResponseModel):
    """Predictions whose confidence is at least `from` and below `to` (1 is in the last)."""

    lower: float = Field(alias="from")
    upper: float = Field(alias="to")
    count: int
    predicted: float
    observed: float


class ReliabilityView(ResponseModel):
    """The predictions of one kind of action; bins that are empty are left out."""

    kind: str
    count: int
    brier: float
    mean_predicted: float
    observed_rate: float
    bins: list[BinView]


class PredictionsView(ResponseModel):
    """Predictions that could be checked. `brier` is 0 at best, null without any."""

    count: int
    brier: float | None
    by_kind: list[ReliabilityView]


class TierCountView(ResponseModel):
    """Verdicts by the tier that gave them."""

    tier: int
    count: int


class VerificationsView(ResponseModel):
    """Verdicts: the share that could tell, and of those the share that said it worked."""

    count: int
    by_tier: list[TierCountView]
    decided_share: float | None
    success_rate: float | None
    tokens_saved: int


class StrategyView(ResponseModel):
    """Corrections by one strategy."""

    strategy: str
    count: int
    success_rate: float | None


class SourceView(ResponseModel):
    """Corrections from one source."""

    source: str
    count: int
    success_rate: float | None


class CorrectionsView(ResponseModel):
    """What was tried after failures; rates are of those of which it is known what came."""

    count: int
    success_rate: float | None
    by_strategy: list[StrategyView]
    by_source: list[SourceView]


class RePlanningView(ResponseModel):
    """The share of looks at the page after which the plan was changed or made anew."""

    rate: float | None


class TasksView(ResponseModel):
    """Tasks; the completion rate is of those that ended."""

    count: int
    failed: int
    interrupted: int
    completion_rate: float | None


class SkillsView(ResponseModel):
    """`hitRate`: of the times that help was needed, the share in which a skill gave it."""

    count: int
    hit_rate: float | None
    effectiveness: float | None


class TargetView(ResponseModel):
    """One row of the table of KPIs and targets: `count` is over how many `value` is."""

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
    def of(row: Measured) -> "TargetView":
        """The wire form."""
        target = row.target
        return TargetView(
            key=target.key,
            feature=target.feature,
            metric=target.metric,
            value=row.value,
            unit=target.unit,
            count=row.count,
            target=target.target,
            target_text=target.target_text,
            alert=target.alert,
            alert_text=target.alert_text,
            state=row.state,
            meaning=target.meaning,
        )


class PointView(ResponseModel):
    """One stretch of time: KPIs by the keys of the table, and `predicted`, `observed` and `brier` of its
    predictions; null where there is nothing to measure. `counts` says over how many each is.
    """

    since: datetime = Field(alias="from")
    until: datetime = Field(alias="to")
    values: dict[str, float | None]
    counts: dict[str, int]


class SeriesView(ResponseModel):
    """KPIs over time, oldest first, without gaps."""

    bucket: Bucket
    points: list[PointView]

    @staticmethod
    def of(bucket: Bucket, found: Iterable[Point]) -> "SeriesView":
        """The wire form."""
        return SeriesView(bucket=bucket, points=[PointView(**asdict(one)) for one in found])


class ReviewView(ResponseModel):
    """The review queue. How many records there are, the age of the oldest that waits and how many are
    `damaged` are of now; the rest is of the period: submitted in it, and decided in it. Of the decisions
    the median and nine tenths of the time they took; `agreement` is the approved share of the `judged`,
    which the agent submitted; `refused` are invalid attempts to write, of all such attempts a share.
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
    judged: int
    refused: int
    refused_share: float | None
    damaged: int
    targets: list[TargetView]

    @staticmethod
    def of(found: ReviewStats, rows: Iterable[Measured]) -> "ReviewView":
        """The wire form."""
        return ReviewView(**found.model_dump(), targets=[TargetView.of(row) for row in rows])


class KpisView(ResponseModel):
    """How well the agent does for this tenant, over what was made from `from` until before `to`.
    `table` holds the KPIs that have a target, `warnings` what else an operator should know. `review` is
    null while the store of the review queue is away.
    """

    since: datetime = Field(alias="from")
    until: datetime = Field(alias="to")
    predictions: PredictionsView
    verification: VerificationsView
    corrections: CorrectionsView
    re_planning: RePlanningView
    tasks: TasksView
    skills: SkillsView
    table: list[TargetView]
    warnings: list[str]
    review: ReviewView | None

    @staticmethod
    def of(
        found: Kpis,
        rows: Iterable[Measured],
        warnings: Iterable[str],
        review: ReviewView | None,
        since: datetime,
        until: datetime,
    ) -> "KpisView":
        """The wire form."""
        fields = asdict(found)
        tried = fields["corrections"]
        tried["by_strategy"] = [_named("strategy", one) for one in tried["by_strategy"]]
        tried["by_source"] = [_named("source", one) for one in tried["by_source"]]
        fields |= {"table": [TargetView.of(row) for row in rows], "warnings": list(warnings)}
        fields["review"] = review
        return KpisView.model_validate({"since": since, "until": until, **fields})


def _named(as_: str, one: dict[str, object]) -> dict[str, object]:
    return {as_ if name == "name" else name: value for name, value in one.items()}


class RatedView(ResponseModel):
    """What a person thinks of an answer of the chat."""

    message_id: str
    rating: Literal["up", "down"]
    comment: str
    rated_at: Timestamp

    @staticmethod
    def of(line: ChatLine) -> "RatedView | None":
        """The wire form; None for a line that nobody rated."""
        if line.rating is None or line.rated_at is None:
            return None
        return RatedView(
            message_id=line.message_id,
            rating=line.rating.thumb,
            comment=line.rating.comment,
            rated_at=line.rated_at,
        )


class RatingsView(ResponseModel):
    """What people think of answers, the last said first."""

    ratings: list[RatedView]
