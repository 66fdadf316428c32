"""`tabwright usage summary | statement`."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic.alias_generators import to_camel
from rich.console import Console

from app.cli.terminal import Json, Tenant, create_table, escape_text, print_json, run_async
from app.domain.metrics.usage import (
    GroupBy,
    UsageFilter,
    UsageSum,
    format_usd,
    nano_to_usd,
    sum_usage,
)
from app.settings import Settings
from app.store.open import open_store
from app.usage import (
    Statement,
    create_statement,
    month_of,
    open_prices,
    span_of_month,
    statement_csv,
    statement_view,
)

usage = typer.Typer(no_args_is_help=True, help="The cost of models and searches.")
DAYS = 30


@usage.command("summary")
@run_async
async def usage_summary_command(
    tenant: Tenant = "default",
    by: Annotated[GroupBy, typer.Option(help="How to group the calls.")] = "day",
    month: Annotated[
        str | None, typer.Option(help="As in 2026-11; default: the last 30 days.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the cost by day, user, model or kind of work."""
    now = datetime.now(UTC)
    span = UsageFilter(since=now - timedelta(days=DAYS), until=now)
    if month:
        span = span_of_month(month)
    async with open_store(Settings()) as store:
        groups = await store.usage.sum_by(tenant, span, by)
    total = sum_usage(groups)
    if as_json:
        view = {"groupBy": by, "from": span.since.isoformat(), "to": span.until.isoformat()}
        rows = [_sum_view(group) for group in groups]
        print_json({**view, "currency": "USD", "rows": rows, "total": _sum_view(total)})
    elif not groups:
        typer.echo("No usage in this period.")
    else:
        _print_summary(by, [*((group.key, group) for group in groups), ("total", total)])


@usage.command("statement")
@run_async
async def usage_statement_command(
    tenant: Tenant = "default",
    month: Annotated[
        str | None, typer.Option(help="As in 2026-11; default: this month (UTC).")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Also write it to this CSV file.")] = None,
    as_json: Json = False,
) -> None:
    """Show a monthly statement: by user, kind of work and model, with unit prices."""
    settings, now = Settings(), datetime.now(UTC)
    prices = open_prices(settings.prices)
    async with open_store(settings) as store:
        statement = await create_statement(
            store, prices, tenant, month or month_of(now), user=None, now=now
        )
    if csv is not None:
        csv.write_text(statement_csv(statement), encoding="utf-8", newline="")
    if as_json:
        print_json(statement_view(statement))
    else:
        _print_statement(statement)


def _sum_view(tally: UsageSum) -> dict[str, Any]:
    fields = tally.model_dump(exclude={"cost_nano"})
    return {to_camel(name): value for name, value in fields.items()} | {
        "costUsd": nano_to_usd(tally.cost_nano)
    }


def _print_summary(by: GroupBy, rows: Iterable[tuple[str, UsageSum]]) -> None:
    table = create_table(by, numbers=("calls", "tokens", "USD", "not priced"))
    for name, tally in rows:
        cells = (f"{tally.calls:,}", f"{tally.total_tokens:,}", format_usd(tally.cost_nano))
        table.add_row(escape_text(name), *cells, f"{tally.unpriced_calls or ''}")
    Console().print(table)


def _print_statement(statement: Statement) -> None:
    console = Console()
    head = f"{statement.tenant}, {statement.month}: ${statement.total_cents / 100:,.2f}"
    head += "" if statement.is_final else " so far"
    if statement.budget_nano is not None and statement.share is not None:
        head += f", {statement.share:.0%} of the budget of {format_usd(statement.budget_nano)}"
    console.print(head, highlight=False, markup=False)
    models = [(one, f"{one.cents / 100:,.2f}") for one in statement.by_model]
    models += [(one, "not priced") for one in statement.not_priced]
    tables = {
        "user": [(one.key, one.tally, f"{one.cents / 100:,.2f}") for one in statement.by_user],
        "kind of work": [
            (one.key, one.tally, f"{one.cents / 100:,.2f}") for one in statement.by_action
        ],
        "model": [
            (f"{one.price.provider} {one.price.model}", one.price.tally, cost)
            for one, cost in models
        ],
    }
    for title, rows in tables.items():
        table = create_table(title, numbers=("calls", "tokens", "USD"))
        for name, tally, cost in rows:
            table.add_row(escape_text(name), f"{tally.calls:,}", f"{tally.total_tokens:,}", cost)
        console.print(table)
