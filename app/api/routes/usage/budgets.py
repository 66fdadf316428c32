"""Budgets for models and searches."""

from datetime import UTC, datetime
from typing import Annotated

import structlog
from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field, StringConstraints

from app.api.deps import AppState, AppStateDep, CurrentAdmin, CurrentUser
from app.api.models import EXAMPLES, RequestModel, ResponseModel, Timestamp
from app.api.problems import NEEDS_ADMIN, problem_docs
from app.api.request_body import body_schema, parse_body, read_body
from app.domain.access import Principal
from app.domain.metrics.usage import WARN_AT, Budgets, UsageFilter, nano_to_usd
from app.usage import month_of, span_of_month

MOST_USD = 1_000_000.0
LEAST_USD = 0.000001
MOST_USERS = 1_000

UserId = Annotated[str, StringConstraints(min_length=1, max_length=128, pattern=r"^[^\x00]*$")]


class LimitIn(RequestModel):
    """A limit in USD, and the share of it (0..1) at which a warning is shown."""

    limit_usd: Annotated[float, Field(ge=LEAST_USD, le=MOST_USD, allow_inf_nan=False)]
    warn_at: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = WARN_AT


class BudgetsIn(RequestModel):
    """All limits; null or omitted means no limit. `task` applies to the lifetime of each task, `user` to
    each user and `tenant` to all of them per calendar month (UTC); `users` have limits of their own.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLES["BudgetsIn"]]})

    task: LimitIn | None = None
    user: LimitIn | None = None
    users: Annotated[dict[UserId, LimitIn], Field(max_length=MOST_USERS)] = {}
    tenant: LimitIn | None = None


class LimitView(ResponseModel):
    """A limit in USD, and the share of it (0..1) at which a warning is shown."""

    limit_usd: float
    warn_at: float


class SpentView(ResponseModel):
    """Spending in this month (UTC). `tenantUsd` is null unless the key is an operator's."""

    month: str
    tenant_usd: float | None
    users: dict[str, float]


class BudgetsView(ResponseModel):
    """Limits and spending. Users see the limits that apply to them."""

    task: LimitView | None
    user: LimitView | None
    users: dict[str, LimitView]
    tenant: LimitView | None
    spent: SpentView
    updated_at: Timestamp | None = None


log = structlog.get_logger(__name__)

router = APIRouter(tags=["usage"], responses=problem_docs(401))


@router.get("/api/budgets")
async def budgets(principal: CurrentUser, state: AppStateDep) -> BudgetsView:
    """Limits and this month's spending: the tenant's for operators, the user's own for others."""
    return await _view(principal, state)


@router.put(
    "/api/budgets",
    responses={403: NEEDS_ADMIN, **problem_docs(413, 422)},
    openapi_extra=body_schema(BudgetsIn),
)
async def put_budgets(request: Request, principal: CurrentAdmin, state: AppStateDep) -> BudgetsView:
    """Replace the tenant's limits; admins only. They apply from the next request of each task."""
    limits = parse_body(BudgetsIn, await read_body(request)).model_dump()
    whole = limits.pop("tenant")
    new = Budgets(tenant=principal.tenant, whole=whole, updated_at=datetime.now(UTC), **limits)
    await state["store"].budgets.put(new)
    log.info("budgets changed", by=principal.user, any=new.has_limits)
    return await _view(principal, state)


async def _view(principal: Principal, state: AppState) -> BudgetsView:
    found = await state["store"].budgets.get(principal.tenant)
    only = None if principal.has_scope("operator") else principal.user
    return BudgetsView.from_fields(
        found,
        user=found.user if only is None else found.limit_of_user(only),
        users=found.users if only is None else {},
        tenant=found.whole if only is None else None,
        spent=await _spent(principal, state, only),
    )


async def _spent(principal: Principal, state: AppState, only: str | None) -> SpentView:
    month = month_of(datetime.now(UTC))
    month_span = span_of_month(month)
    await state["usage"].flush()
    span = UsageFilter(since=month_span.since, until=month_span.until, user=only)
    groups = await state["store"].usage.sum_by(principal.tenant, span, "user")
    total = nano_to_usd(sum(group.cost_nano for group in groups))
    users = {group.key: nano_to_usd(group.cost_nano) for group in groups}
    if only is not None:
        return SpentView(month=month, tenant_usd=None, users={only: users.get(only, 0.0)})
    return SpentView(month=month, tenant_usd=total, users=users)
