"""What a tenant may spend on models and searches."""

from datetime import UTC, datetime

import structlog
from fastapi import APIRouter, Request
from pydantic import ValidationError

from app.api.deps import AsAdmin, AsUser
from app.api.lifetime import Lifetime, LifetimeDep
from app.api.request_body import read_body
from app.api.routes.interact.router import PROBLEMS
from app.api.schemas.budgets import BudgetsIn, BudgetsView, SpentView
from app.domain.access import Principal
from app.domain.metrics.budget import nano_to_usd
from app.domain.metrics.usage import UsageFilter
from app.errors import InvalidBody
from app.usage.months import month_of, span_of_month

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
async def budgets(who: AsUser, made: LifetimeDep) -> BudgetsView:
    """What may be spent, and what was this month; a key of role user sees its own user's."""
    return await _view(who, made)


@router.put(
    "/api/budgets",
    responses={403: FORBIDDEN, **{k: PROBLEMS[k] for k in (413, 422)}},
    openapi_extra=BUDGETS_SCHEMA,
)
async def put_budgets(request: Request, who: AsAdmin, made: LifetimeDep) -> BudgetsView:
    """Replace the tenant's limits; admins only. They hold from the next request of each task on."""
    wanted = _parsed(await read_body(request)).budgets(who.tenant, datetime.now(UTC))
    await made["store"].budgets.put(wanted)
    log.info("budgets changed", by=who.user, any=wanted.any)
    return await _view(who, made)


async def _view(who: Principal, made: Lifetime) -> BudgetsView:
    found = await made["store"].budgets.get(who.tenant)
    only = None if who.has("operator") else who.user
    return BudgetsView.of(found, await _spent(who, made, only), only)


async def _spent(who: Principal, made: Lifetime, only: str | None) -> SpentView:
    month = month_of(datetime.now(UTC))
    whole = span_of_month(month)
    await made["usage"].settled()
    span = UsageFilter(since=whole.since, until=whole.until, user=only)
    groups = await made["store"].usage.summed(who.tenant, span, "user")
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
