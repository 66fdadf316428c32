"""`tabwright review`: statistics and records of the review queue."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.cli.output import plain
from app.domain.review import ID_CHARS, Location, Record
from app.review.service import MOST
from app.review.stats import DAY_MS, ReviewStats, stats
from app.settings import Settings
from app.store.open import open_reviews

review = typer.Typer(no_args_is_help=True, help="The review queue: statistics and records.")
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Tenant = Annotated[str, typer.Option(help="The tenant.")]
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
def show_stats(
    tenant: Tenant = "default",
    days: Annotated[
        int, typer.Option(min=1, max=3_650, help="The period in days, until now.")
    ] = DAYS,
    as_json: Json = False,
) -> None:
    """Show depth, age, throughput, review times, agreement and invalid attempts."""
    now_ms = _now_ms()
    found = asyncio.run(_stats(tenant, now_ms - days * DAY_MS, now_ms))
    if as_json:
        told = {"tenant": tenant, "days": days, **found.model_dump()}
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    _show_stats(found, tenant, days, Console())


@review.command("list")
def show_list(
    location: Annotated[Location, typer.Option(help="The location.")] = "pending",
    tenant: Tenant = "default",
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="Maximum number.")] = 20,
    as_json: Json = False,
) -> None:
    """List the records of one location, newest first."""
    found = asyncio.run(_listed(tenant, location, limit))
    if as_json:
        typer.echo("[" + ", ".join(one.model_dump_json() for one in found) + "]")
        return
    if not found:
        typer.echo(EMPTY[location].format(tenant=tenant))
        return
    console = Console()
    if not console.is_terminal:
        console.width = WIDE
    console.print(_table(found, _now_ms()))


async def _stats(tenant: str, since_ms: int, now_ms: int) -> ReviewStats:
    """Includes records submitted in this millisecond."""
    async with open_reviews(Settings()) as reviews:
        return await stats(reviews, tenant, since_ms, now_ms + 1, now_ms)


async def _listed(tenant: str, location: Location, limit: int) -> Sequence[Record]:
    async with open_reviews(Settings()) as reviews:
        return await reviews.listed(tenant, location, limit=limit)


def _show_stats(found: ReviewStats, tenant: str, days: int, console: Console) -> None:
    if not any((found.pending, found.approved, found.rejected, found.refused, found.damaged)):
        console.print(NONE.format(tenant=tenant), highlight=False, markup=False, soft_wrap=True)
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in _rows(found, days):
        table.add_row(name, value)
    console.print(table)


def _rows(found: ReviewStats, days: int) -> list[tuple[str, str]]:
    last = f"in {days} days"
    return [
        ("pending", f"{found.pending:,}"),
        ("approved", f"{found.approved:,}"),
        ("rejected", f"{found.rejected:,}"),
        ("oldest pending", _length(found.oldest_age_ms)),
        (f"submitted {last}", f"{found.submitted:,}"),
        (f"reviewed {last}", f"{found.reviewed:,} ({found.reviewed_per_day:.2f} a day)"),
        ("median time to review", _length(found.median_review_ms)),
        ("90 % reviewed within", _length(found.p90_review_ms)),
        ("median in working days", _number(found.median_business_days)),
        ("agreement with the agent", f"{_share(found.agreement)} of {found.judged:,}"),
        ("invalid write attempts", f"{found.refused:,} ({_share(found.refused_share)} of all)"),
        ("damaged records", f"{found.damaged:,}"),
    ]


def _table(found: Sequence[Record], now_ms: int) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("id", no_wrap=True, min_width=ID_CHARS)
    for column in ("age", "confidence", "impact", "site", "about"):
        table.add_column(column, no_wrap=True)
    for one in found:
        about = " ".join((one.issue.goal or one.issue.reported_symptom).split())
        table.add_row(
            one.id,
            _length(max(0, now_ms - one.submitted_at_ms)),
            one.investigation.confidence,
            one.investigation.impact,
            plain(one.issue.site or "-"),
            plain(about if len(about) <= CUT else about[: CUT - 1] + "…"),
        )
    return table


def _length(ms: int | None) -> str:
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


def _number(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


def _now_ms() -> int:
    return int(datetime.now(UTC).timestamp() * 1000)
