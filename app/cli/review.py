"""`tabwright review`: statistics and records of the review queue."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.cli.terminal import (
    Json,
    Tenant,
    create_table,
    escape_text,
    print_json,
    print_text,
    run_async,
)
from app.domain.review import ID_CHARS, Location, Record
from app.review import DAY_MS, MOST_RECORDS, ReviewStats, compute_review_stats
from app.settings import Settings
from app.store.open import open_reviews

review = typer.Typer(no_args_is_help=True, help="The review queue: statistics and records.")
DAYS = 30
CUT = 60  # characters of a goal
WIDE = 160  # columns, if output is not a terminal
MINUTE_MS, HOUR_MS = 60_000, 3_600_000
EMPTY = {
    "pending": "No pending records for {tenant}. For decided ones: --location approved, or rejected",
    "approved": "No approved records for {tenant}. For pending ones: tabwright review list",
    "rejected": "No rejected records for {tenant}. For pending ones: tabwright review list",
}
NONE = (
    "No records for {tenant}. Uncertain or critical tasks and answers are filed automatically. For another"
    " tenant: --tenant."
)


@review.command("stats")
@run_async
async def review_stats_command(
    tenant: Tenant = "default",
    days: Annotated[
        int, typer.Option(min=1, max=3_650, help="The period in days, until now.")
    ] = DAYS,
    as_json: Json = False,
) -> None:
    """Show queue depth, age, throughput, review times, agreement and rejected writes."""
    now_ms = _now_ms()
    async with open_reviews(Settings()) as reviews:
        # Up to and including this millisecond.
        stats = await compute_review_stats(
            reviews, tenant, now_ms - days * DAY_MS, now_ms + 1, now_ms
        )
    if as_json:
        print_json({"tenant": tenant, "days": days, **stats.model_dump()})
    elif not any((stats.pending, stats.approved, stats.rejected, stats.refused, stats.damaged)):
        print_text(NONE.format(tenant=tenant), Console())
    else:
        table = create_table("", numbers=("",))
        table.show_header = False
        for name, value in _rows(stats, days):
            table.add_row(name, value)
        Console().print(table)


@review.command("list")
@run_async
async def review_list_command(
    location: Annotated[Location, typer.Option(help="The location.")] = "pending",
    tenant: Tenant = "default",
    limit: Annotated[int, typer.Option(min=1, max=MOST_RECORDS, help="Maximum number.")] = 20,
    as_json: Json = False,
) -> None:
    """List the records of one location, newest first."""
    async with open_reviews(Settings()) as reviews:
        records = await reviews.listed(tenant, location, limit=limit)
    if as_json:
        typer.echo("[" + ", ".join(one.model_dump_json() for one in records) + "]")
        return
    if not records:
        typer.echo(EMPTY[location].format(tenant=tenant))
        return
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    console.print(_table(records, _now_ms()))


def _rows(stats: ReviewStats, days: int) -> list[tuple[str, str]]:
    last, business_days = f"in {days} days", stats.median_business_days
    return [
        ("pending", f"{stats.pending:,}"),
        ("approved", f"{stats.approved:,}"),
        ("rejected", f"{stats.rejected:,}"),
        ("oldest pending", _duration(stats.oldest_age_ms)),
        (f"submitted {last}", f"{stats.submitted:,}"),
        (f"reviewed {last}", f"{stats.reviewed:,} ({stats.reviewed_per_day:.2f} a day)"),
        ("median time to review", _duration(stats.median_review_ms)),
        ("90 % reviewed within", _duration(stats.p90_review_ms)),
        ("median in working days", "-" if business_days is None else f"{business_days:.2f}"),
        ("agreement with the agent", f"{_share(stats.agreement)} of {stats.judged:,}"),
        ("rejected writes", f"{stats.refused:,} ({_share(stats.refused_share)} of all)"),
        ("damaged records", f"{stats.damaged:,}"),
    ]


def _table(records: Sequence[Record], now_ms: int) -> Table:
    table = create_table("id", "age", "confidence", "impact", "site", "about")
    for column in table.columns:
        column.no_wrap = True
    table.columns[0].min_width = ID_CHARS
    for record in records:
        about = " ".join((record.issue.goal or record.issue.reported_symptom).split())
        table.add_row(
            record.id,
            _duration(max(0, now_ms - record.submitted_at_ms)),
            record.investigation.confidence,
            record.investigation.impact,
            escape_text(record.issue.site or "-"),
            escape_text(about if len(about) <= CUT else about[: CUT - 1] + "…"),
        )
    return table


def _duration(ms: int | None) -> str:
    """Format a duration in its two largest units."""
    if ms is None:
        return "-"
    if ms < MINUTE_MS:
        return f"{ms / 1000:.0f} s"
    days, rest = divmod(ms, DAY_MS)
    hours, rest = divmod(rest, HOUR_MS)
    minutes = rest // MINUTE_MS
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _now_ms() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)
