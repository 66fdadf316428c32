"""What model and search calls cost, one by one and summed."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, Protocol

from app.domain.base import Value
from app.domain.metrics.budget import BudgetStatus, Estimate
from app.domain.metrics.telemetry import ModelExchange


class UsageTotals(Value):
    """What calls took, summed: `calls` are all of them, `model_calls` those of models. `output_tokens`
    hold those of thinking too.

    `cost_known` is False when a call's true cost is not known, see `UsageRecord.priced`.
    `estimate` is of the whole task, `budget` the limit that is nearest, `warning` what the person is
    told of it.
    """

    calls: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    cost_known: bool = True
    model: str | None = None  # the one asked last
    estimate: Estimate | None = None
    budget: BudgetStatus | None = None
    warning: str | None = None


UsageKind = Literal["model", "embedding", "search"]


# `unusable`: a reply that is not of the asked shape; `refused`: by the model, for what is asked;
# `rejected`: by the provider, for how; `busy`: try later; `failed`: no connection, or nonsense.
CallOutcome = Literal[
    "ok", "unusable", "refused", "rejected", "busy", "timeout", "failed", "cancelled"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallUsage:
    """What one call over the wire took, as the provider counted it; `cached` is part of `input`,
    `output` is without `thinking`. A search takes `credits` and no tokens.

    `counted` is False where the provider's counts are missing or impossible: what is told is then no
    more than what is known for sure.
    """

    provider: str
    model: str
    purpose: str
    kind: UsageKind = "model"
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    credits: float = 0.0
    counted: bool = True
    duration_ms: float = 0.0
    outcome: CallOutcome = "ok"

    @property
    def ok(self) -> bool:
        """Whether its reply could be used; one that could not is paid for all the same."""
        return self.outcome == "ok"


class UsageHook(Protocol):
    """Told of each call over the wire; must neither wait nor raise."""

    def __call__(self, usage: CallUsage, exchange: ModelExchange | None = None) -> None:
        """Take note of a call; `exchange` are its words."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CallIntent:
    """A call that is about to leave: of a model `characters` of text and `images`, to be answered in
    `most_output` tokens at most; of a search `credits`.
    """

    kind: UsageKind
    provider: str
    model: str
    purpose: str
    characters: int = 0
    images: int = 0
    most_output: int = 0
    credits: float = 0.0


class UsageGate(Protocol):
    """Asked before each call over the wire that costs."""

    def __call__(self, intent: CallIntent) -> None:
        """Return when it may leave. Raises `BudgetReached`."""
        ...


def allow_all_calls(intent: CallIntent) -> None:
    """The gate where nothing limits what is spent: any `intent` may be carried out."""


class UsageRecord(Value):
    """One call over the wire, paid for, also when its reply could not be used (`ok` False).

    `input_tokens` hold the `cached_tokens`, `output_tokens` the `thinking_tokens`; a search takes
    `credits` and no tokens. `priced` is False where the true cost is not known: there is no price, or
    the provider's counts are missing or impossible (`counted` False); `cost_usd` is what is sure then,
    0 without a price. `task_id` may be provisional. `message_id` is the line of the session's history
    that the request wrote, `step_index` the step that the task stood at. `outcome` is `ok`, or how it
    failed.
    """

    usage_id: str
    tenant: str
    user: str
    session_id: str
    message_id: str = ""
    task_id: str
    trace_id: str
    request_id: str
    step_index: int = 0
    kind: UsageKind = "model"
    purpose: str
    action_type: str
    provider: str
    model: str
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    thinking_tokens: int
    total_tokens: int
    credits: float = 0.0
    cost_usd: float
    priced: bool
    counted: bool = True
    duration_ms: float
    ok: bool
    outcome: str = "ok"
    created_at: datetime


GroupBy = Literal["day", "task", "model", "actionType", "user", "provider", "month"]


class UsageSum(Value):
    """What several calls took together; `cost_nano` is in billionths of a dollar and exact.

    Calls without a known price are in `unpriced_calls`, and count nothing in `cost_nano`.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    total_tokens: int = 0
    credits: float = 0.0
    cost_nano: int = 0
    unpriced_calls: int = 0
    failed_calls: int = 0
    duration_ms: float = 0.0


class UsageGroup(UsageSum):
    """The calls that have `key` in common: a day or month is written as `2026-11-22`, `2026-11`."""

    key: str


class ModelDayUsage(UsageSum):
    """The calls of one model on one day, which have one price; `kind` is model, embedding or search."""

    provider: str
    model: str
    kind: str
    day: date
    priced: bool


class UsageFilter(Value):
    """Which rows are meant: those made from `since` until before `until`, of one user or task only."""

    since: datetime
    until: datetime
    user: str | None = None
    task_id: str | None = None


class TaskCost(Value):
    """What one past task took of models."""

    complexity: str | None = None
    calls: int
    cost_nano: int


def sum_usage(tallies: "list[UsageGroup]") -> UsageSum:
    """All of them together."""
    names = UsageSum.model_fields
    return UsageSum(**{name: sum(getattr(one, name) for one in tallies) for name in names})
