"""Budgets on the wire."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field, StringConstraints

from app.api.models import Moment, Received, Reply
from app.domain.metrics.budget import WARN_AT, Budgets, Limit

MOST_USD = 1_000_000.0
LEAST_USD = 0.000001
MOST_USERS = 1_000

UserId = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[^\x00]*$")]
EXAMPLE: dict[str, Any] = {
    "task": {"limitUsd": 0.5},
    "user": {"limitUsd": 20, "warnAt": 0.75},
    "users": {"ann": {"limitUsd": 60}},
    "tenant": {"limitUsd": 200},
}


class LimitIn(Received):
    """So much USD, with a warning from this share of it on."""

    limit_usd: Annotated[float, Field(ge=LEAST_USD, le=MOST_USD, allow_inf_nan=False)]
    warn_at: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = WARN_AT

    def limit(self) -> Limit:
        """As it is kept."""
        return Limit(limit_usd=self.limit_usd, warn_at=self.warn_at)


class BudgetsIn(Received):
    """All limits: one that is left out or null is none. `task` holds for each task's whole life, `user`
    for each user and `tenant` for all of them, in a calendar month of UTC; `users` are those with a
    limit of their own.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE]})

    task: LimitIn | None = None
    user: LimitIn | None = None
    users: Annotated[dict[UserId, LimitIn], Field(max_length=MOST_USERS)] = {}
    tenant: LimitIn | None = None

    def budgets(self, tenant: str, now: datetime) -> Budgets:
        """As they are kept."""
        return Budgets(
            tenant=tenant,
            task=self.task and self.task.limit(),
            user=self.user and self.user.limit(),
            users={user: one.limit() for user, one in self.users.items()},
            whole=self.tenant and self.tenant.limit(),
            updated_at=now,
        )


class LimitView(Reply):
    """So much USD, with a warning from this share of it on."""

    limit_usd: float
    warn_at: float

    @staticmethod
    def of(limit: Limit | None) -> "LimitView | None":
        """The wire form; None for none."""
        return LimitView(limit_usd=limit.limit_usd, warn_at=limit.warn_at) if limit else None


class SpentView(Reply):
    """What was spent so far in this month of UTC. `tenantUsd` is null for whoever sees their own alone."""

    month: str
    tenant_usd: float | None
    users: dict[str, float]


class BudgetsView(Reply):
    """What may be spent, and what was. A key of role user sees the limits that hold for its own user."""

    task: LimitView | None
    user: LimitView | None
    users: dict[str, LimitView]
    tenant: LimitView | None
    spent: SpentView
    updated_at: Moment | None = None

    @staticmethod
    def of(budgets: Budgets, spent: SpentView, only: str | None = None) -> "BudgetsView":
        """The wire form; for `only` one user what holds for them."""
        users = budgets.users if only is None else {}
        own = budgets.user if only is None else budgets.of_user(only)
        return BudgetsView(
            task=LimitView.of(budgets.task),
            user=LimitView.of(own),
            users={
                user: LimitView(limit_usd=one.limit_usd, warn_at=one.warn_at)
                for user, one in users.items()
            },
            tenant=LimitView.of(budgets.whole) if only is None else None,
            spent=spent,
            updated_at=budgets.updated_at,
        )
