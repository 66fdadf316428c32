"""The statement as CSV: one table, each record naming its part."""

from app.domain.money import CENT
from app.usage.csv_rows import Cell, amount, table
from app.usage.statement import NOT_PRICED, ROUNDING, Line, ModelLine, Statement

COLUMNS = (
    "part", "name", "provider", "from", "to", "calls", "inputTokens", "cachedTokens", "outputTokens",
    "credits", "unit", "inputPrice", "cachedPrice", "outputPrice", "creditPrice", "usd", "note",
)  # fmt: skip


def as_csv(found: Statement) -> str:
    """All of it; `usd` is in cents, and each part adds up to the total."""
    rows: list[tuple[Cell, ...]] = [
        _plain("tenant", found.tenant),
        _plain("month", found.month, note="" if found.is_final else "the month is not over"),
    ]
    if found.user is not None:
        rows.append(_plain("user only", found.user))
    rows += [_line("user", line) for line in found.by_user]
    rows += [_line("action type", line) for line in found.by_action]
    rows += [_model("model", line, _changed(line)) for line in found.by_model]
    rows += [_model("not priced", line, NOT_PRICED) for line in found.not_priced]
    rows.append(_plain("total", "", found.total.calls, found.total_cents))
    if found.budget_nano is not None:
        rows.append(_plain("budget", "", None, None, usd=amount(found.budget_nano)))
    own = f", own prices of {found.prices_over}" if found.prices_over else ""
    rows.append(_plain("prices of", f"{found.prices_of}{own}"))
    rows.append(_plain("rounding", "", note=ROUNDING))
    return table(COLUMNS, rows)


def _changed(line: ModelLine) -> str:
    return "charged at earlier prices" if line.price.changed else ""


def _plain(
    part: str,
    name: str,
    calls: int | None = None,
    cents: int | None = None,
    *,
    usd: Cell = None,
    note: str = "",
) -> tuple[Cell, ...]:
    paid = usd if cents is None else _usd(cents)
    return (part, name, *[None] * 3, calls, *[None] * 9, paid, note)


def _line(part: str, line: Line) -> tuple[Cell, ...]:
    one = line.tally
    tokens = (one.input_tokens - one.cached_tokens, one.cached_tokens, one.output_tokens)
    paid = _usd(line.cents)
    return (part, line.key, *[None] * 3, one.calls, *tokens, one.credits, *[None] * 5, paid, "")


def _model(part: str, line: ModelLine, note: str) -> tuple[Cell, ...]:
    one = line.price
    took = (one.uncached, one.tally.cached_tokens, one.tally.output_tokens, one.tally.credits)
    prices = (one.input_price, one.cached_price, one.output_price, one.credit_price)
    days = (one.first.isoformat(), one.last.isoformat())
    named = (part, one.model, one.provider)
    return (*named, *days, one.tally.calls, *took, one.unit, *prices, _usd(line.cents), note)


def _usd(cents: int) -> Cell:
    return round(amount(cents * CENT), 2)
