"""Amounts of money, and spending limits for models and searches."""

from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from app.domain.base import Value

NANO = 1_000_000_000  # billionths of a dollar


CENT = NANO // 100


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


WARN_AT = 0.8  # share of a limit


BudgetScope = Literal["task", "user", "tenant"]


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
        """The limit that applies to a user."""
        return self.users.get(user, self.user)

    @property
    def has_limits(self) -> bool:
        return bool(self.task or self.user or self.users or self.whole)


BudgetState = Literal["ok", "warning", "reached"]


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
