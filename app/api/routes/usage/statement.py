"""The monthly statement as JSON, CSV, or an HTML page for printing: A4, no scripts, everything escaped."""

import base64
import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from html import escape
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from app.api.deps import AppStateDep, CurrentUser
from app.api.models import ResponseModel, Timestamp
from app.api.problems import problem_docs
from app.api.responses import attachment_headers, preferred_media_type
from app.api.routes.usage.router import CSV, JSON
from app.domain.metrics.usage import UsageKind, format_usd
from app.usage import (
    NOT_PRICED,
    PER_CREDIT,
    ROUNDING,
    Line,
    ModelLine,
    PriceLine,
    Statement,
    create_statement,
    month_of,
    statement_csv,
    statement_view,
)

STYLE = Path(__file__).with_name("statement.css").read_text(encoding="utf-8")
STYLE_HASH = f"'sha256-{base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"
STATEMENT_POLICY = (
    f"default-src 'none'; style-src {STYLE_HASH}; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'"
)
NUMBER, NAME = ' class="n"', ' dir="auto"'
INDENT = "\u2003"  # indentation of details


def render_statement(statement: Statement) -> str:
    user = f" · {escape(statement.user)}" if statement.user is not None else ""
    title = f"Statement {statement.month}"
    parts = [
        f'<h1>{title}</h1><p class="who">{escape(statement.tenant)}{user}</p>',
        _facts(statement),
        _by("By user", "User", statement.by_user, statement),
        _by("By kind of work", "Work", statement.by_action, statement),
        _by_model(statement),
        _not_priced(statement),
        _notes(statement),
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>"
    )


def _facts(statement: Statement) -> str:
    state = "" if statement.is_final else " so far (the month is not over)"
    created = f"{statement.made_at:%Y-%m-%d %H:%M} UTC"
    rows = [
        ("Total", f"${_usd(statement.total_cents)}{state}"),
        ("Calls", f"{statement.total.calls:,}"),
    ]
    if statement.total.unpriced_calls:
        rows.append(("Not priced", f"{statement.total.unpriced_calls:,} calls, listed below"))
    if statement.budget_nano is not None and statement.share is not None:
        rows.append(("Budget", f"{format_usd(statement.budget_nano)}, {statement.share:.0%} spent"))
    rows += [("Month", f"{statement.month}, calendar month in UTC"), ("Created", created)]
    listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    return f"<dl>{listed}</dl>"


def _by(title: str, head: str, lines: Iterable[Line], statement: Statement) -> str:
    label = _work_label if head == "Work" else str
    rows = [
        [label(line.key), f"{line.tally.calls:,}", f"{line.tally.total_tokens:,}", _usd(line.cents)]
        for line in lines
    ]
    total = ["Total", f"{statement.total.calls:,}", f"{statement.total.total_tokens:,}"]
    return _table(
        title, [head, "Calls", "Tokens", "USD"], rows, [*total, _usd(statement.total_cents)]
    )


def _work_label(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _by_model(statement: Statement) -> str:
    rows = [row for line in statement.by_model for row in _model_rows(line)]
    known = sum(line.cents for line in statement.by_model)
    calls = f"{statement.total.calls - statement.total.unpriced_calls:,}"
    head = ["Model and quantities", "Unit price, USD", "Calls", "USD"]
    return _table("By model", head, rows, ["Total", "", calls, _usd(known)])


def _model_rows(line: ModelLine) -> list[list[str]]:
    """The row of the model, followed by its quantities."""
    price = line.price
    first, last = _day(price.first), _day(price.last)
    days = first if price.first == price.last else f"{first} to {last}"
    note = ", charged at earlier prices" if price.changed else ""
    name = f"{price.provider}: {price.model}, {days}{note}"
    return [
        [name, "", f"{price.tally.calls:,}", _usd(line.cents)],
        *([f"{INDENT}{quantity}", each, "", ""] for quantity, each in _quantities(price)),
    ]


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"


def _quantities(price_line: PriceLine) -> list[tuple[str, str]]:
    """The quantities that are not zero, with their unit prices."""
    tally = price_line.tally
    if price_line.unit == PER_CREDIT:
        return [(f"{tally.credits:g} credits", _price(price_line.credit_price, PER_CREDIT))]
    quantities = (
        (price_line.uncached, "input tokens", price_line.input_price),
        (tally.cached_tokens, "cached tokens", price_line.cached_price),
        (tally.output_tokens, "output tokens", price_line.output_price),
    )
    return [
        (f"{count:,} {what}", _price(price, "million"))
        for count, what, price in quantities
        if count
    ]


def _price(price: float | None, unit: str) -> str:
    if price is None:
        return "unknown"
    digits = max(2, len(f"{price:.6f}".rstrip("0").partition(".")[2]))
    return f"{price:.{digits}f} per {unit}"


def _not_priced(statement: Statement) -> str:
    if not statement.not_priced:
        return ""
    rows = [row for line in statement.not_priced for row in _unpriced_rows(line)]
    note = f"<p>{escape(NOT_PRICED)}</p>"
    return _table("Not priced", ["Model and quantities", "Calls", "USD"], rows, None, note)


def _unpriced_rows(line: ModelLine) -> list[list[str]]:
    price = line.price
    paid = _usd(line.cents) if line.cents else "not priced"
    first = [f"{price.provider}: {price.model}", f"{price.tally.calls:,}", paid]
    return [first, *([f"{INDENT}{quantity}", "", ""] for quantity, _ in _quantities(price))]


def _notes(statement: Statement) -> str:
    own = (
        f"; your own prices as of {statement.prices_over} override them"
        if statement.prices_over
        else ""
    )
    note = f"Unit prices are from the price file as of {statement.prices_of}{own}."
    changed = any(line.price.changed for line in statement.by_model)
    more = " Calls made before a price change keep the price they were charged." if changed else ""
    return f'<section class="notes"><p>{note}{more}</p><p>{escape(ROUNDING)}</p></section>'


def _table(
    title: str, head: list[str], rows: list[list[str]], total: list[str] | None, note: str = ""
) -> str:
    body = "".join(_row("td", row) for row in rows)
    if not rows:
        body = f'<tr><td colspan="{len(head)}">No usage.</td></tr>'
    foot = f"<tfoot>{_row('td', total)}</tfoot>" if total else ""
    return (
        f"<section><h2>{escape(title)}</h2>{note}<table><thead>{_row('th', head)}</thead>"
        f"<tbody>{body}</tbody>{foot}</table></section>"
    )


def _row(cell: str, texts: list[str]) -> str:
    """Names are left-aligned, numbers right-aligned."""
    cells = (
        f"<{cell}{NUMBER if index else NAME}>{escape(text)}</{cell}>"
        for index, text in enumerate(texts)
    )
    part = ' class="part"' if texts[0].startswith(INDENT) else ""
    return f"<tr{part}>{''.join(cells)}</tr>"


def _usd(cents: int) -> str:
    return f"{cents / 100:,.2f}"


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
MEDIA_TYPES: dict[str, str] = {"json": JSON, "csv": CSV, "html": HTML}
AS_ANY: dict[str, Any] = {"content": {JSON: {}, CSV: {}, HTML: {}}, "model": StatementView}


@router.get("/api/usage/statement", response_model=StatementView, responses={200: AS_ANY})
async def read_statement(
    request: Request,
    principal: CurrentUser,
    state: AppStateDep,
    month: Annotated[
        str | None, Query(description="As in 2026-11; default: this month in UTC", max_length=20)
    ] = None,
    format_: Annotated[
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
    statement = await create_statement(
        state["store"],
        state["usage"].prices,
        principal.tenant,
        month or month_of(now),
        user=None if principal.has_scope("operator") else principal.user,
        now=now,
    )
    media_type = (
        MEDIA_TYPES[format_] if format_ else preferred_media_type(request, (JSON, CSV, HTML))
    )
    if media_type == CSV:
        name = attachment_headers(f"statement-{statement.month}.csv")
        return Response(statement_csv(statement), media_type=f"{CSV}; charset=utf-8", headers=name)
    if media_type == HTML:
        return Response(
            render_statement(statement),
            media_type=f"{HTML}; charset=utf-8",
            headers={"Content-Security-Policy": STATEMENT_POLICY},
        )
    return StatementView.model_validate(statement_view(statement))
