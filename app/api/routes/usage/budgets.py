"""What a tenant may spend on models and searches."""

from datetime import UTC, datetime
from typing import Annotated, Any

import structlog
from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field, StringConstraints, ValidationError

from app.api.deps import AppState, AppStateDep, CurrentAdmin, CurrentUser
from app.api.models import RequestModel, ResponseModel, Timestamp
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.domain.access import Principal
from app.domain.metrics.budget import WARN_AT, Budgets, Limit, nano_to_usd
from app.domain.metrics.usage import UsageFilter
from app.errors import InvalidBody
from app.usage.months import month_of, span_of_month

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


class LimitIn(RequestModel):
    """So much USD, with a warning from this share of it on."""

    limit_usd: Annotated[float, Field(ge=LEAST_USD, le=MOST_USD, allow_inf_nan=False)]
    warn_at: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = WARN_AT

    def limit(self) -> Limit:
        """As it is kept."""
        return Limit(limit_usd=self.limit_usd, warn_at=self.warn_at)


class BudgetsIn(RequestModel):
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


class LimitView(ResponseModel):
    """So much USD, with a warning from this share of it on."""

    limit_usd: float
    warn_at: float

    @staticmethod
    def of(limit: Limit | None) -> "LimitView | None":
        """The wire form; None for none."""
        return LimitView(limit_usd=limit.limit_usd, warn_at=limit.warn_at) if limit else None


class SpentView(ResponseModel):
    """What was spent so far in this month of UTC. `tenantUsd` is null for whoever sees their own alone."""

    month: str
    tenant_usd: float | None
    users: dict[str, float]


class BudgetsView(ResponseModel):
    """What may be spent, and what was. A key of role user sees the limits that hold for its own user."""

    task: LimitView | None
    user: LimitView | None
    users: dict[str, LimitView]
    tenant: LimitView | None
    spent: SpentView
    updated_at: Timestamp | None = None

    @staticmethod
    def of(budgets: Budgets, spent: SpentView, only: str | None = None) -> "BudgetsView":
        """The wire form; for `only` one user what holds for them."""
        users = budgets.users if only is None else {}
        own = budgets.user if only is None else budgets.limit_of_user(only)
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


log = structlog.get_logger(__name__)

router = APIRouter(tags=["usage"], responses={401: PROBLEMS[401]})

FORBIDDEN = PROBLEMS[401] | {"description": "Only an admin may change it"}
BUDGETS_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": BudgetsIn.model_json_schema(ref_template="#/components/schemas/{model}")
            }
        },
    }
}


@router.get("/api/budgets")
async def budgets(principal: CurrentUser, state: AppStateDep) -> BudgetsView:
    """What may be spent, and what was this month; a key of role user sees its own user's."""
    return await _view(principal, state)


@router.put(
    "/api/budgets",
    responses={403: FORBIDDEN, **{k: PROBLEMS[k] for k in (413, 422)}},
    openapi_extra=BUDGETS_SCHEMA,
)
async def put_budgets(request: Request, principal: CurrentAdmin, state: AppStateDep) -> BudgetsView:
    """Replace the tenant's limits; admins only. They hold from the next request of each task on."""
    wanted = _parsed(await read_body(request)).budgets(principal.tenant, datetime.now(UTC))
    await state["store"].budgets.put(wanted)
    log.info("budgets changed", by=principal.user, any=wanted.has_limits)
    return await _view(principal, state)


async def _view(principal: Principal, state: AppState) -> BudgetsView:
    found = await state["store"].budgets.get(principal.tenant)
    only = None if principal.has_scope("operator") else principal.user
    return BudgetsView.of(found, await _spent(principal, state, only), only)


async def _spent(principal: Principal, state: AppState, only: str | None) -> SpentView:
    month = month_of(datetime.now(UTC))
    whole = span_of_month(month)
    await state["usage"].flush()
    span = UsageFilter(since=whole.since, until=whole.until, user=only)
    groups = await state["store"].usage.summed(principal.tenant, span, "user")
    total = nano_to_usd(sum(group.cost_nano for group in groups))
    users = {group.key: nano_to_usd(group.cost_nano) for group in groups}
    if only is not None:
        return SpentView(month=month, tenant_usd=None, users={only: users.get(only, 0.0)})
    return SpentView(month=month, tenant_usd=total, users=users)


def _parsed(body: bytes) -> BudgetsIn:
    try:
        return BudgetsIn.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
