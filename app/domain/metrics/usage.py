"""Cost of model and search calls, individually and summed, and spending limits."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal, Protocol

from app.domain.base import Value
from app.domain.metrics.telemetry import ModelExchange

UsageKind = Literal["model", "embedding", "search"]

# `unusable`: the reply has the wrong shape; `refused`: by the model, because of the content;
# `rejected`: by the provider, because of the request; `busy`: try later; `failed`: no connection,
# or an unparsable response.
CallOutcome = Literal[
    "ok", "unusable", "refused", "rejected", "busy", "timeout", "failed", "cancelled"
]

GroupBy = Literal["day", "task", "model", "actionType", "user", "provider", "month"]
NANO = 1_000_000_000  # billionths of a dollar
CENT = NANO // 100
WARN_AT = 0.8  # share of a limit
BudgetScope = Literal["task", "user", "tenant"]
BudgetState = Literal["ok", "warning", "reached"]


def usd_to_nano(usd: float) -> int:
    """Convert to whole billionths of a dollar, rounding half to even."""
    return int((Decimal(repr(usd)) * NANO).quantize(Decimal(1), ROUND_HALF_EVEN))


def nano_to_usd(amount: int) -> float:
    """Convert to USD, as exactly as a float can."""
    return amount / NANO


def nano_to_cents(amount: int) -> int:
    """Convert to whole cents, rounding half to even."""
    return int((Decimal(amount) / CENT).quantize(Decimal(1), ROUND_HALF_EVEN))


def format_usd(amount: int) -> str:
    """Format an amount for people, with enough digits for small ones: `$1.50`, `$0.0034`."""
    if amount and abs(amount) < 10 * CENT:
        text = f"{Decimal(amount) / NANO:.4f}".rstrip("0")
        whole, _, rest = text.partition(".")
        return f"${whole}.{rest.ljust(2, '0')}"
    return f"${Decimal(amount) / NANO:,.2f}"


class Limit(Value):
    """A limit in USD, with a warning from the share `warn_at` on.

    Task limits cover the task's whole life; user and tenant limits cover a calendar month in UTC.
    """

    limit_usd: float
    warn_at: float = WARN_AT


class Budgets(Value):
    """One tenant's limits; None means unlimited. `users` are overrides of `user`, by user."""

    tenant: str
    task: Limit | None = None
    user: Limit | None = None
    users: dict[str, Limit] = {}
    whole: Limit | None = None  # limit of the tenant
    updated_at: datetime | None = None

    def limit_of_user(self, user: str) -> Limit | None:
        return self.users.get(user, self.user)

    @property
    def has_limits(self) -> bool:
        return bool(self.task or self.user or self.users or self.whole)


class BudgetStatus(Value):
    """The status of one limit; `spent_usd` covers the limit's period."""

    scope: BudgetScope
    limit_usd: float
    spent_usd: float
    state: BudgetState = "ok"


class Estimate(Value):
    """The estimated total model usage of a task; `basis` describes what the estimate is based on."""

    calls: int
    cost_usd: float
    basis: str


class BudgetIncrease(Value):
    """A person raised the spending limits of one task to `until_nano` (billionths of a dollar); monthly
    limits are raised for this `month` only.
    """

    scope: BudgetScope
    until_nano: int
    month: str = ""


class TaskBudget(Value):
    """The spending state of one task.

    `warned`: the limits that the person was warned about; `without_model`: the person wants to continue by
    rules only.
    """

    estimate: Estimate | None = None
    warned: tuple[BudgetScope, ...] = ()
    lifts: tuple[BudgetIncrease, ...] = ()
    without_model: bool = False


class UsageTotals(Value):
    """Total usage: `calls` counts all calls, `model_calls` those to models. `output_tokens` include
    thinking tokens.

    `cost_known` is False if a call's true cost is unknown, see `UsageRecord.priced`. `estimate` covers the
    whole task, `budget` is the limit closest to being reached, `warning` the message for the person.
    """

    calls: int = 0
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    cost_known: bool = True
    model: str | None = None  # the model called last
    estimate: Estimate | None = None
    budget: BudgetStatus | None = None
    warning: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallUsage:
    """Usage of one call as counted by the provider; `cached` is included in `input`, `output` excludes
    `thinking`. A search uses `credits` and no tokens.

    `counted` is False if the provider's counts are missing or impossible; the numbers are then a lower
    bound.
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
        """Whether the reply was usable; an unusable one is billed too."""
        return self.outcome == "ok"


class UsageHook(Protocol):
    """Called after each call over the wire; must not block or raise."""

    def __call__(self, usage: CallUsage, exchange: ModelExchange | None = None) -> None:
        """Record a call; `exchange` is its text."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CallIntent:
    """A call about to be made: to a model with `characters` of text and `images`, answered in at most
    `most_output` tokens; or a search for `credits`.
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
    """Called before each call over the wire that costs money."""

    def __call__(self, intent: CallIntent) -> None:
        """Return if the call may be made. Raises `BudgetReached`."""
        ...


def allow_all_calls(intent: CallIntent) -> None:
    """The gate without limits: permits every `intent`."""


class UsageRecord(Value):
    """One billed call over the wire, including calls with unusable replies (`ok` False).

    `input_tokens` include `cached_tokens`, `output_tokens` include `thinking_tokens`; a search uses
    `credits` and no tokens. `priced` is False if the true cost is unknown: there is no price, or the
    provider's counts are missing or impossible (`counted` False); `cost_usd` is then a lower bound, 0
    without a price. `task_id` may be provisional. `message_id` is the session message that the request
    wrote, `step_index` the task's step at the time. `outcome` is `ok` or the kind of failure.
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


class UsageSum(Value):
    """The total of several calls; `cost_nano` is exact, in billionths of a dollar.

    Calls without a known price are counted in `unpriced_calls` and add nothing to `cost_nano`.
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
    """Calls grouped by `key`; days and months are written as `2026-11-22`, `2026-11`."""

    key: str


class ModelDayUsage(UsageSum):
    """The calls of one model on one day, which share a price; `kind` is model, embedding or search."""

    provider: str
    model: str
    kind: str
    day: date
    priced: bool


class UsageFilter(Value):
    """Selects rows made in [`since`, `until`), optionally of one user or task."""

    since: datetime
    until: datetime
    user: str | None = None
    task_id: str | None = None


class TaskCost(Value):
    """The model usage of one past task."""

    complexity: str | None = None
    calls: int
    cost_nano: int


def sum_usage(parts: Sequence[UsageSum]) -> UsageSum:
    names = UsageSum.model_fields
    return UsageSum(**{name: sum(getattr(one, name) for one in parts) for name in names})
