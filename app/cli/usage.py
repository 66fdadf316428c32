"""`tabwright usage summary | statement`."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from app.cli.output import plain
from app.domain.metrics.budget import format_usd, nano_to_usd
from app.domain.metrics.usage import GroupBy, UsageFilter, UsageGroup, UsageSum, sum_usage
from app.settings import Settings
from app.store.open import open_store
from app.usage.csv_export import statement_csv
from app.usage.months import month_of, span_of_month
from app.usage.prices import open_prices
from app.usage.statement import Statement, create_statement, statement_view

usage = typer.Typer(no_args_is_help=True, help="The cost of models and searches.")
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Tenant = Annotated[str, typer.Option(help="The tenant.")]
Month = Annotated[str | None, typer.Option(help="As in 2026-11; default: this month (UTC).")]
DAYS = 30


@usage.command("summary")
def summary(
    tenant: Tenant = "default",
    by: Annotated[GroupBy, typer.Option(help="How to group the calls.")] = "day",
    month: Annotated[
        str | None, typer.Option(help="As in 2026-11; default: the last 30 days.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the cost by day, user, model or kind of work."""
    now = datetime.now(UTC)
    span = (
        span_of_month(month) if month else UsageFilter(since=now - timedelta(days=DAYS), until=now)
    )
    groups = asyncio.run(_summed(tenant, span, by))
    if as_json:
        typer.echo(json.dumps(_summary_view(by, span, groups), ensure_ascii=False))
        return
    _show_summary(by, groups, Console())


@usage.command("statement")
def show_statement(
    tenant: Tenant = "default",
    month: Month = None,
    csv: Annotated[Path | None, typer.Option(help="Also write it to this CSV file.")] = None,
    as_json: Json = False,
) -> None:
    """Show a monthly statement: by user, kind of work and model, with unit prices."""
    found = asyncio.run(_statement(tenant, month))
    if csv is not None:
        csv.write_text(statement_csv(found), encoding="utf-8", newline="")
    if as_json:
        typer.echo(json.dumps(statement_view(found), ensure_ascii=False))
        return
    _show_statement(found, Console())


async def _summed(tenant: str, span: UsageFilter, by: GroupBy) -> list[UsageGroup]:
    async with open_store(Settings()) as store:
        return await store.usage.summed(tenant, span, by)


async def _statement(tenant: str, month: str | None) -> Statement:
    settings, now = Settings(), datetime.now(UTC)
    prices = open_prices(settings.prices)
    async with open_store(settings) as store:
        return await create_statement(
            store, prices, tenant, month or month_of(now), user=None, now=now
        )


def _summary_view(by: GroupBy, span: UsageFilter, groups: list[UsageGroup]) -> dict[str, Any]:
    return {
        "groupBy": by,
        "from": span.since.isoformat(),
        "to": span.until.isoformat(),
        "currency": "USD",
        "rows": [{"key": group.key} | _tally_view(group) for group in groups],
        "total": _tally_view(sum_usage(groups)),
    }


def _tally_view(tally: UsageSum) -> dict[str, Any]:
    return {
        "calls": tally.calls,
        "inputTokens": tally.input_tokens,
        "cachedTokens": tally.cached_tokens,
        "outputTokens": tally.output_tokens,
        "totalTokens": tally.total_tokens,
        "credits": tally.credits,
        "costUsd": nano_to_usd(tally.cost_nano),
        "unpricedCalls": tally.unpriced_calls,
        "failedCalls": tally.failed_calls,
    }


def _show_summary(by: GroupBy, groups: list[UsageGroup], console: Console) -> None:
    if not groups:
        console.print("No usage.")
        return
    table = _table(by, "calls", "tokens", "USD", "not priced")
    for group in (
        *groups,
        UsageGroup(key="total", **sum_usage(groups).model_dump(exclude={"key"})),
    ):
        cells = (f"{group.calls:,}", f"{group.total_tokens:,}", format_usd(group.cost_nano))
        table.add_row(plain(group.key), *cells, f"{group.unpriced_calls or ''}")
    console.print(table)


def _show_statement(found: Statement, console: Console) -> None:
    state = "" if found.is_final else " so far"
    told = f"{found.tenant}, {found.month}: ${found.total_cents / 100:,.2f}{state}"
    if found.budget_nano is not None and found.share is not None:
        told += f", {found.share:.0%} of the budget of {format_usd(found.budget_nano)}"
    console.print(told, highlight=False, markup=False)
    for title, lines in (("user", found.by_user), ("kind of work", found.by_action)):
        table = _table(title, "calls", "tokens", "USD")
        for line in lines:
            tally = line.tally
            cells = (f"{tally.calls:,}", f"{tally.total_tokens:,}", f"{line.cents / 100:,.2f}")
            table.add_row(plain(line.key), *cells)
        console.print(table)
    table = _table("model", "calls", "tokens", "USD")
    for one in (*found.by_model, *found.not_priced):
        price = one.price
        paid = f"{one.cents / 100:,.2f}" if one in found.by_model else "not priced"
        tokens = f"{price.tally.total_tokens:,}"
        table.add_row(
            plain(f"{price.provider} {price.model}"), f"{price.tally.calls:,}", tokens, paid
        )
    console.print(table)


def _table(name: str, *numbers: str) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(name)
    for number in numbers:
        table.add_column(number, justify="right")
    return table
