"""CSV export (RFC 4180), protected against formula injection."""

import csv
import io
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from app.domain.metrics.usage import CENT, NANO, UsageRecord, usd_to_nano
from app.usage.statement import NOT_PRICED, ROUNDING, Line, ModelLine, Statement

Cell = str | int | float | bool | Decimal | datetime | None
# Characters that start a formula in spreadsheets, their full-width forms, and those that are skipped
# before one.
_BEGINS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def csv_line(cells: Iterable[Cell]) -> str:
    """Format one record with its line end. An apostrophe is put before text that would be a formula."""
    line = io.StringIO()
    csv.writer(line).writerow([_format_cell(cell) for cell in cells])
    return line.getvalue()


def exact_usd(nano: int) -> Decimal:
    """USD with all digits, never as `1e-7`."""
    return Decimal(f"{Decimal(nano) / NANO:.9f}")


def _format_cell(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case Decimal():
            return f"{cell:f}"
        case datetime():
            return cell.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        case int() | float():
            return str(cell)
    return f"'{cell}" if cell.lstrip(" ").startswith(_BEGINS) else cell


COLUMNS = (
    "part", "name", "provider", "from", "to", "calls", "inputTokens", "cachedTokens", "outputTokens",
    "credits", "unit", "inputPrice", "cachedPrice", "outputPrice", "creditPrice", "usd", "note",
)  # fmt: skip


def statement_csv(statement: Statement) -> str:
    """The whole statement; `usd` is in cents, and each section adds up to the total."""
    rows: list[tuple[Cell, ...]] = [
        _plain("tenant", statement.tenant),
        _plain(
            "month", statement.month, note="" if statement.is_final else "the month is not over"
        ),
    ]
    if statement.user is not None:
        rows.append(_plain("user only", statement.user))
    rows += [_line("user", line) for line in statement.by_user]
    rows += [_line("action type", line) for line in statement.by_action]
    rows += [
        _model("model", line, "charged at earlier prices" if line.price.changed else "")
        for line in statement.by_model
    ]
    rows += [_model("not priced", line, NOT_PRICED) for line in statement.not_priced]
    rows.append(_plain("total", "", statement.total.calls, statement.total_cents))
    if statement.budget_nano is not None:
        rows.append(_plain("budget", "", None, None, usd=exact_usd(statement.budget_nano)))
    overrides = f", own prices of {statement.prices_over}" if statement.prices_over else ""
    rows.append(_plain("prices of", f"{statement.prices_of}{overrides}"))
    rows.append(_plain("rounding", "", note=ROUNDING))
    return "".join(map(csv_line, (COLUMNS, *rows)))


def _plain(
    part: str,
    name: str,
    calls: int | None = None,
    cents: int | None = None,
    *,
    usd: Cell = None,
    note: str = "",
) -> tuple[Cell, ...]:
    return (
        part,
        name,
        *[None] * 3,
        calls,
        *[None] * 9,
        usd if cents is None else _usd(cents),
        note,
    )


def _line(part: str, line: Line) -> tuple[Cell, ...]:
    tally = line.tally
    tokens = (tally.input_tokens - tally.cached_tokens, tally.cached_tokens, tally.output_tokens)
    cost = _usd(line.cents)
    return (part, line.key, *[None] * 3, tally.calls, *tokens, tally.credits, *[None] * 5, cost, "")


def _model(part: str, line: ModelLine, note: str) -> tuple[Cell, ...]:
    price = line.price
    quantities = (
        price.uncached,
        price.tally.cached_tokens,
        price.tally.output_tokens,
        price.tally.credits,
    )
    prices = (price.input_price, price.cached_price, price.output_price, price.credit_price)
    days = (price.first.isoformat(), price.last.isoformat())
    names = (part, price.model, price.provider)
    return (
        *names,
        *days,
        price.tally.calls,
        *quantities,
        price.unit,
        *prices,
        _usd(line.cents),
        note,
    )


def _usd(cents: int) -> Cell:
    return round(exact_usd(cents * CENT), 2)


USAGE_COLUMNS = (
    "createdAt", "usageId", "userId", "sessionId", "messageId", "taskId", "traceId", "requestId",
    "stepIndex", "kind", "actionType", "purpose", "provider", "model", "inputTokens",
    "cachedTokens", "thinkingTokens", "outputTokens", "totalTokens", "credits", "costUsd", "priced",
    "durationMs", "ok", "outcome",
)  # fmt: skip


def usage_cells(row: UsageRecord) -> tuple[Cell, ...]:
    """The cells of one call, in the order of `USAGE_COLUMNS`."""
    return (
        row.created_at, row.usage_id, row.user, row.session_id, row.message_id, row.task_id,
        row.trace_id, row.request_id, row.step_index, row.kind, row.action_type, row.purpose,
        row.provider, row.model, row.input_tokens, row.cached_tokens, row.thinking_tokens,
        row.output_tokens, row.total_tokens, row.credits, exact_usd(usd_to_nano(row.cost_usd)), row.priced,
        round(row.duration_ms, 1), row.ok, row.outcome,
    )  # fmt: skip
