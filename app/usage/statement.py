"""The monthly statement: spending by user, kind of work and model, with unit prices."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any

from app.domain.metrics.usage import (
    CENT,
    ModelDayUsage,
    UsageFilter,
    UsageGroup,
    UsageSum,
    nano_to_cents,
    nano_to_usd,
    sum_usage,
    usd_to_nano,
)
from app.errors import Invalid
from app.store.repositories import Store
from app.text import patterns
from app.usage.prices import MILLION, Prices

PER_MILLION, PER_CREDIT = "million tokens", "credit"
UnitPrices = tuple[float | None, float | None, float | None, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceLine:
    """One model's usage from the `first` to the `last` day on which it had these prices, in USD per
    `unit`.

    `changed` means that current prices differ from those charged; charges are not recomputed.
    """

    provider: str
    model: str
    kind: str
    first: date
    last: date
    tally: UsageSum
    unit: str
    input_price: float | None
    cached_price: float | None
    output_price: float | None
    credit_price: float | None
    changed: bool

    @property
    def uncached(self) -> int:
        """Input tokens billed at the full price."""
        return self.tally.input_tokens - self.tally.cached_tokens


def group_by_price(rated: Sequence[ModelDayUsage], prices: Prices) -> tuple[PriceLine, ...]:
    """Group days of one model at one price into lines. `rated` is ordered by model and day."""
    groups = groupby(
        rated, lambda one: (one.provider, one.model, one.kind, _unit_prices(one, prices))
    )
    return tuple(_price_line(list(days), key[3]) for key, days in groups)


def _unit_prices(usage: ModelDayUsage, prices: Prices) -> UnitPrices:
    """The unit prices on that day: input, cached input, output, search credit."""
    if usage.kind == "search":
        return (None, None, None, prices.credit(usage.provider))
    rate = prices.rate(usage.provider, usage.model, usage.day)
    if rate is None:
        return (None, None, None, None)
    return (rate.input, rate.cached_input, rate.output, None)


def _price_line(days: Sequence[ModelDayUsage], unit: UnitPrices) -> PriceLine:
    first, last = days[0], days[-1]
    tally = sum_usage(days)
    return PriceLine(
        provider=first.provider,
        model=first.model,
        kind=first.kind,
        first=first.day,
        last=last.day,
        tally=tally,
        unit=PER_CREDIT if first.kind == "search" else PER_MILLION,
        input_price=unit[0],
        cached_price=unit[1],
        output_price=unit[2],
        credit_price=unit[3],
        changed=_changed(tally, unit),
    )


def _changed(tally: UsageSum, unit: UnitPrices) -> bool:
    """Whether these prices differ from what was charged; each call was rounded to a billionth."""
    of_input, of_cached, of_output, of_credit = (price or 0.0 for price in unit)
    tokens = (tally.input_tokens - tally.cached_tokens) * of_input
    tokens += tally.cached_tokens * of_cached + tally.output_tokens * of_output
    current_cost = usd_to_nano(tokens / MILLION + tally.credits * of_credit)
    return abs(current_cost - tally.cost_nano) > max(1, tally.calls)


ROUNDING = (
    "Every call's cost is kept to a billionth of a dollar and added up exactly. The total is rounded "
    "once, to cents, half to even. In each table the lines are rounded down and the cents that are "
    "left go to the lines that lost most, so that they add up to the total; no line is off by a "
    "whole cent."
)
NOT_PRICED = (
    "No price is known for these calls, or the provider did not count them: their cost is not in the "
    "total, or only what is sure of it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One table row; `cents` is its share of the rounded total."""

    key: str
    tally: UsageSum
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLine:
    """One model at one price; for calls without a price, a lower bound."""

    price: PriceLine
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One month of a tenant, or of one of its users. `is_final` means that the month was over when the
    statement was created. `prices_of` is the date of the price file, `prices_over` that of the
    operator's overrides; `budget_nano` is the monthly limit.
    """

    tenant: str
    user: str | None
    month: str
    made_at: datetime
    is_final: bool
    total: UsageSum
    by_user: tuple[Line, ...]
    by_action: tuple[Line, ...]
    by_model: tuple[ModelLine, ...]
    not_priced: tuple[ModelLine, ...]
    budget_nano: int | None
    prices_of: date
    prices_over: date | None

    @property
    def total_cents(self) -> int:
        return nano_to_cents(self.total.cost_nano)

    @property
    def share(self) -> float | None:
        """Spending as a share of the budget; None without a budget."""
        return None if not self.budget_nano else self.total.cost_nano / self.budget_nano


async def create_statement(
    store: Store, prices: Prices, tenant: str, month: str, *, user: str | None, now: datetime
) -> Statement:
    """Create a statement from the rows stored now. Raises `Invalid` for a malformed month."""
    whole = span_of_month(month)
    span = UsageFilter(since=whole.since, until=whole.until, user=user)
    users = await store.usage.sum_by(tenant, span, "user")
    actions = await store.usage.sum_by(tenant, span, "actionType")
    rated = await store.usage.sum_by_model_and_day(tenant, span)
    budgets = await store.budgets.get(tenant)
    limit = budgets.whole if user is None else budgets.limit_of_user(user)
    known = group_by_price([one for one in rated if one.priced], prices)
    unknown = group_by_price([one for one in rated if not one.priced], prices)
    shares = round_to_cents([one.tally.cost_nano for one in (*known, *unknown)])
    lines = [
        ModelLine(price=one, cents=share)
        for one, share in zip((*known, *unknown), shares, strict=True)
    ]
    return Statement(
        tenant=tenant,
        user=user,
        month=month,
        made_at=now,
        is_final=now >= whole.until,
        total=sum_usage(users),
        by_user=_lines(users),
        by_action=_lines(actions),
        by_model=tuple(lines[: len(known)]),
        not_priced=tuple(lines[len(known) :]),
        budget_nano=usd_to_nano(limit.limit_usd) if limit else None,
        prices_of=prices.file.as_of,
        prices_over=prices.file.over,
    )


def _lines(groups: Sequence[UsageGroup]) -> tuple[Line, ...]:
    """Rows by descending cost."""
    ordered = sorted(groups, key=lambda group: (-group.cost_nano, group.key))
    shares = round_to_cents([group.cost_nano for group in ordered])
    return tuple(
        Line(key=group.key, tally=group, cents=share)
        for group, share in zip(ordered, shares, strict=True)
    )


def statement_view(statement: Statement) -> dict[str, Any]:
    """The statement as JSON: amounts in USD with two decimals, and the exact total."""
    return {
        "tenantId": statement.tenant,
        "userId": statement.user,
        "month": statement.month,
        "madeAt": statement.made_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
        "final": statement.is_final,
        "currency": "USD",
        "totalUsd": statement.total_cents / 100,
        "exactUsd": nano_to_usd(statement.total.cost_nano),
        "calls": statement.total.calls,
        "unpricedCalls": statement.total.unpriced_calls,
        "budgetUsd": None if statement.budget_nano is None else nano_to_usd(statement.budget_nano),
        "budgetShare": statement.share,
        "byUser": [_line_view(line) for line in statement.by_user],
        "byActionType": [_line_view(line) for line in statement.by_action],
        "byModel": [_price_view(one) for one in statement.by_model],
        "notPriced": [_price_view(one) for one in statement.not_priced],
        "pricesOf": statement.prices_of.isoformat(),
        "ownPricesOf": statement.prices_over.isoformat() if statement.prices_over else None,
        "rounding": ROUNDING,
    }


def _line_view(line: Line) -> dict[str, Any]:
    return {
        "key": line.key,
        "calls": line.tally.calls,
        "totalTokens": line.tally.total_tokens,
        "credits": line.tally.credits,
        "unpricedCalls": line.tally.unpriced_calls,
        "usd": line.cents / 100,
    }


def _price_view(line: ModelLine) -> dict[str, Any]:
    price = line.price
    return {
        "provider": price.provider,
        "model": price.model,
        "kind": price.kind,
        "from": price.first.isoformat(),
        "to": price.last.isoformat(),
        "calls": price.tally.calls,
        "inputTokens": price.uncached,
        "cachedTokens": price.tally.cached_tokens,
        "outputTokens": price.tally.output_tokens,
        "credits": price.tally.credits,
        "unit": price.unit,
        "inputPrice": price.input_price,
        "cachedPrice": price.cached_price,
        "outputPrice": price.output_price,
        "creditPrice": price.credit_price,
        "pricesChanged": price.changed,
        "usd": line.cents / 100,
    }


def round_to_cents(lines: Sequence[int]) -> list[int]:
    """Round lines to whole cents that add up to their total, which is rounded once, half to even.

    Largest remainder method: every line is rounded down, and the remaining cents go one each to the
    lines with the largest remainders, earlier lines first. Every line is within a cent of its exact
    amount.
    """
    cents = [line // CENT for line in lines]
    remaining = nano_to_cents(sum(lines)) - sum(cents)
    most_lost = sorted(range(len(lines)), key=lambda index: -(lines[index] % CENT))
    raised = set(most_lost[: max(0, remaining)])
    return [cent + (index in raised) for index, cent in enumerate(cents)]


_MONTH = patterns.compile(r"(\d{4})-(0[1-9]|1[0-2])", patterns.ASCII)


def month_of(moment: datetime) -> str:
    """The month of a time, such as `2026-11`."""
    return moment.astimezone(UTC).strftime("%Y-%m")


def span_of_month(month: str) -> UsageFilter:
    """The start of the month and of the next one. Raises `Invalid` for a malformed month."""
    match = _MONTH.fullmatch(month)
    year, number = (int(part) for part in match.groups()) if match else (0, 0)
    if not 0 < year < 9999:  # the year 9999 has no next month
        raise Invalid("month: write it as 2026-11")
    first = datetime(year, number, 1, tzinfo=UTC)
    return UsageFilter(
        since=first, until=datetime(year + number // 12, number % 12 + 1, 1, tzinfo=UTC)
    )
