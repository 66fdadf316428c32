"""The monthly statement as JSON, CSV or HTML."""

from datetime import UTC, date, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from app.api.deps import AppStateDep, CurrentUser
from app.api.models import ResponseModel, Timestamp
from app.api.problems import problem_docs
from app.api.responses import attachment_headers, preferred_media_type
from app.api.routes.usage.router import CSV, JSON
from app.api.routes.usage.statement_page import POLICY, render_statement
from app.domain.metrics.usage import UsageKind
from app.usage.csv_export import statement_csv
from app.usage.months import month_of
from app.usage.statement import create_statement, statement_view


class LineView(ResponseModel):
    """One line; `usd` is rounded to cents so that the lines of a table add up to the total."""

    key: str
    calls: int
    total_tokens: int
    credits: float
    unpriced_calls: int
    usd: float


class ModelLineView(ResponseModel):
    """Usage of one model at one price. `inputTokens` exclude `cachedTokens`; prices are in USD per
    `unit`, null if unknown. `pricesChanged`: it was charged at earlier prices.
    """

    provider: str
    model: str
    kind: UsageKind
    since: date = Field(alias="from")
    until: date = Field(alias="to")
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    credits: float
    unit: str
    input_price: float | None
    cached_price: float | None
    output_price: float | None
    credit_price: float | None
    prices_changed: bool
    usd: float


class StatementView(ResponseModel):
    """A month in UTC. `totalUsd` is rounded, `exactUsd` is not; `final`: the month is over. `notPriced`
    lists calls without a known price; the known part of their cost is in the total.
    """

    tenant_id: str
    user_id: str | None
    month: str
    made_at: Timestamp
    final: bool
    currency: Literal["USD"]
    total_usd: float
    exact_usd: float
    calls: int
    unpriced_calls: int
    budget_usd: float | None
    budget_share: float | None
    by_user: list[LineView]
    by_action_type: list[LineView]
    by_model: list[ModelLineView]
    not_priced: list[ModelLineView]
    prices_of: date
    own_prices_of: date | None
    rounding: str


router = APIRouter(tags=["usage"], responses=problem_docs(401, 422))

HTML = "text/html"
FORMS: dict[str, str] = {"json": JSON, "csv": CSV, "html": HTML}
AS_ANY: dict[str, Any] = {"content": {JSON: {}, CSV: {}, HTML: {}}, "model": StatementView}


@router.get("/api/usage/statement", response_model=StatementView, responses={200: AS_ANY})
async def read_statement(
    request: Request,
    principal: CurrentUser,
    state: AppStateDep,
    month: Annotated[
        str | None, Query(description="As in 2026-11; default: this month in UTC", max_length=20)
    ] = None,
    form: Annotated[
        Literal["json", "csv", "html"] | None,
        Query(alias="format", description="Overrides `Accept`"),
    ] = None,
) -> Response | StatementView:
    """The statement of a month: the tenant's for operators, the user's own for others.

    Costs by user, kind of work and model, with quantities and unit prices; the lines of each table add
    up to the total.
    """
    now = datetime.now(UTC)
    await state["usage"].flush()
    only = None if principal.has_scope("operator") else principal.user
    found = await create_statement(
        state["store"],
        state["usage"].prices,
        principal.tenant,
        month or month_of(now),
        user=only,
        now=now,
    )
    kind = FORMS[form] if form else preferred_media_type(request, (JSON, CSV, HTML))
    if kind == CSV:
        name = attachment_headers(f"statement-{found.month}.csv")
        return Response(statement_csv(found), media_type=f"{CSV}; charset=utf-8", headers=name)
    if kind == HTML:
        return Response(
            render_statement(found),
            media_type=f"{HTML}; charset=utf-8",
            headers={"Content-Security-Policy": POLICY},
        )
    return StatementView.model_validate(statement_view(found))
