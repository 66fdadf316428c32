"""KPIs and ratings as responses show them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from app.api.models import ResponseModel, Timestamp
from app.domain.chat import ChatLine
from app.domain.metrics.kpi import Bucket
from app.metrics import MeasuredTarget, State, Unit
from app.review import ReviewStats


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
