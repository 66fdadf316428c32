"""Model usage grouped by price."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from app.domain.metrics.budget import usd_to_nano
from app.domain.metrics.usage import ModelDayUsage, UsageSum
from app.usage.prices import MILLION, Prices

PER_MILLION, PER_CREDIT = "million tokens", "credit"
Unit = tuple[float | None, float | None, float | None, float | None]
NO_PRICE: Unit = (None, None, None, None)


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
    lines: list[tuple[ModelDayUsage, Unit, list[ModelDayUsage]]] = []
    for one in rated:
        unit = _unit(one, prices)
        if lines and _same(lines[-1][0], one) and lines[-1][1] == unit:
            lines[-1][2].append(one)
        else:
            lines.append((one, unit, [one]))
    return tuple(_line(days, unit) for _, unit, days in lines)


def _same(one: ModelDayUsage, other: ModelDayUsage) -> bool:
    return (one.provider, one.model, one.kind) == (other.provider, other.model, other.kind)


def _unit(one: ModelDayUsage, prices: Prices) -> Unit:
    """The unit prices on that day: input, cached input, output, search credit."""
    if one.kind == "search":
        found = prices.file.searches.get(one.provider.casefold())
        return (None, None, None, found.credit if found else None)
    rate = prices.rate(one.provider, one.model, one.day)
    if rate is None:
        return NO_PRICE
    return (rate.input, rate.input if rate.cached is None else rate.cached, rate.output, None)


def _line(days: Sequence[ModelDayUsage], unit: Unit) -> PriceLine:
    first, last = days[0], days[-1]
    tally = UsageSum(**{n: sum(getattr(day, n) for day in days) for n in UsageSum.model_fields})
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


def _changed(tally: UsageSum, unit: Unit) -> bool:
    """Whether these prices differ from what was charged; each call was rounded to a billionth."""
    of_input, of_cached, of_output, of_credit = (price or 0.0 for price in unit)
    tokens = (tally.input_tokens - tally.cached_tokens) * of_input
    tokens += tally.cached_tokens * of_cached + tally.output_tokens * of_output
    now = usd_to_nano(tokens / MILLION + tally.credits * of_credit)
    return abs(now - tally.cost_nano) > max(1, tally.calls)
