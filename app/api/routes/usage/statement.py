"""The monthly statement, to be computed with, filed or printed."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from app.api.content_negotiation import wanted
from app.api.deps import AsUser
from app.api.lifetime import LifetimeDep
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.usage.router import CSV, JSON, attached
from app.api.routes.usage.statement_page import POLICY, page
from app.api.schemas.statement import StatementView
from app.usage.csv_export import as_csv
from app.usage.months import month_of
from app.usage.statement import statement, view

router = APIRouter(tags=["usage"], responses={k: PROBLEMS[k] for k in (401, 422)})

HTML = "text/html"
FORMS: dict[str, str] = {"json": JSON, "csv": CSV, "html": HTML}
AS_ANY: dict[str, Any] = {"content": {JSON: {}, CSV: {}, HTML: {}}, "model": StatementView}


@router.get("/api/usage/statement", response_model=StatementView, responses={200: AS_ANY})
async def read_statement(
    request: Request,
    who: AsUser,
    made: LifetimeDep,
    month: Annotated[
        str | None, Query(description="as 2026-11; this month of UTC if not given", max_length=20)
    ] = None,
    form: Annotated[
        Literal["json", "csv", "html"] | None,
        Query(alias="format", description="before `Accept`"),
    ] = None,
) -> Response | StatementView:
    """One month: a user's own, for operators and admins that of the whole tenant.

    By user, by kind of work and by model with quantities and unit prices; each table's lines add up to
    the total.
    """
    now = datetime.now(UTC)
    await made["usage"].settled()
    only = None if who.has("operator") else who.user
    found = await statement(
        made["store"],
        made["usage"].prices,
        who.tenant,
        month or month_of(now),
        user=only,
        now=now,
    )
    kind = FORMS[form] if form else wanted(request, (JSON, CSV, HTML))
    if kind == CSV:
        name = attached(f"statement-{found.month}.csv")
        return Response(as_csv(found), media_type=f"{CSV}; charset=utf-8", headers=name)
    if kind == HTML:
        return Response(
            page(found),
            media_type=f"{HTML}; charset=utf-8",
            headers={"Content-Security-Policy": POLICY},
        )
    return StatementView.model_validate(view(found))
