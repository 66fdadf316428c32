"""Amounts of money, and limits on what models and searches may cost."""

from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from app.domain.base import Value

NANO = 1_000_000_000  # of them make a dollar


CENT = NANO // 100


def usd_to_nano(usd: float) -> int:
    """The amount in whole billionths, rounded once, half to even."""
    return int((Decimal(repr(usd)) * NANO).quantize(Decimal(1), ROUND_HALF_EVEN))


def nano_to_usd(amount: int) -> float:
    """The amount in USD, as near as a float comes."""
    return amount / NANO


def nano_to_cents(amount: int) -> int:
    """The amount in whole cents, rounded once, half to even."""
    return int((Decimal(amount) / CENT).quantize(Decimal(1), ROUND_HALF_EVEN))


def format_usd(amount: int) -> str:
    """The amount for a person, with as many digits as a small one needs: `$1.50`, `$0.0034`."""
    if amount and abs(amount) < 10 * CENT:
        text = f"{Decimal(amount) / NANO:.4f}".rstrip("0")
        whole, _, rest = text.partition(".")
        return f"${whole}.{rest.ljust(2, '0')}"
    return f"${Decimal(amount) / NANO:,.2f}"


WARN_AT = 0.8  # of a limit


BudgetScope = Literal["task", "user", "tenant"]


class Limit(Value):
    """So much USD, with a warning from the share `warn_at` of it on. A task's limit is for its whole
    life, a user's and a tenant's for a calendar month in UTC.
    """

    limit_usd: float
    warn_at: float = WARN_AT


class Budgets(Value):
    """One tenant's limits; None for none. `users` are those that differ from `user`, by user."""

    tenant: str
    task: Limit | None = None
    user: Limit | None = None
    users: dict[str, Limit] = {}
    whole: Limit | None = None  # of the tenant
    updated_at: datetime | None = None

    def limit_of_user(self, user: str) -> Limit | None:
        """The limit that holds for a user."""
        return self.users.get(user, self.user)

    @property
    def has_limits(self) -> bool:
        """Whether anything is limited at all."""
        return bool(self.task or self.user or self.users or self.whole)


BudgetState = Literal["ok", "warning", "reached"]


class BudgetStatus(Value):
    """How one limit stands; `spent_usd` over the time that the limit is for."""

    scope: BudgetScope
    limit_usd: float
    spent_usd: float
    state: BudgetState = "ok"


class Estimate(Value):
    """What a task will probably take of models, all told; `basis` says what that is drawn from."""

    calls: int
    cost_usd: float
    basis: str


class BudgetIncrease(Value):
    """A person let one task spend up to `until_nano` (billionths of a dollar) where a limit was lower;
    of a monthly limit for this `month` alone.
    """

    scope: BudgetScope
    until_nano: int
    month: str = ""


class TaskBudget(Value):
    """What is known and was said of the spending of one task. `warned`: of which limits the person was
    told that they come near; `without_model`: they want it to go on by rules alone.
    """

    estimate: Estimate | None = None
    warned: tuple[BudgetScope, ...] = ()
    lifts: tuple[BudgetIncrease, ...] = ()
    without_model: bool = False
