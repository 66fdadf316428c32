"""Compare what the fakes billed with what the rows say, to the last token and billionth of a dollar."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from app.domain.metrics.usage import UsageRecord
from app.usage.prices import bundled_prices
from bench.accounting.mix import Fakes
from tests.fakes.calls import Call

MILLION = Decimal(1_000_000)


@dataclass
class Sums:
    """Sums over calls. `unpriced` counts those without a known price."""

    calls: int = 0
    input: int = 0
    cached: int = 0
    thinking: int = 0
    output: int = 0  # thinking included
    credits: Decimal = Decimal(0)
    usd: Decimal = Decimal(0)
    unpriced: int = 0
    uncounted: int = 0
    ends: Counter[str] = field(default_factory=Counter)

    def lines(self) -> dict[str, str]:
        """Each sum as printed; dollars to the billionth."""
        numbers = ("calls", "input", "cached", "thinking", "output", "unpriced", "uncounted")
        return {name: f"{getattr(self, name):,}" for name in numbers} | {
            "credits": f"{self.credits.normalize():f}",
            "usd": f"{self.usd:.9f}",
            **{f"ended: {end}": f"{count:,}" for end, count in sorted(self.ends.items()) if count},
        }


def billed(fakes: Fakes, on: date) -> Sums:
    """The fakes' own counters. An answer that was cut off is not counted, since no other party can count
    it.
    """
    sums = Sums(ends=fakes.ends.copy())
    for call in fakes.calls:
        sums.calls += 1
        lost = call.cut or call.abandoned
        sums.uncounted += lost
        usd = Decimal(0) if lost else _usd(call, on)
        sums.unpriced += lost or usd is None
        if lost:
            continue
        sums.input += call.input_tokens if call.model else 0
        sums.cached += call.cached_tokens
        sums.thinking += call.thinking_tokens
        sums.output += call.output_tokens + call.thinking_tokens
        sums.credits += call.credits
        sums.usd += usd or 0
    return sums


def recorded(rows: Sequence[UsageRecord]) -> Sums:
    """The sums of the rows."""
    sums = Sums(calls=len(rows))
    for row in rows:
        sums.input += row.input_tokens
        sums.cached += row.cached_tokens
        sums.thinking += row.thinking_tokens
        sums.output += row.output_tokens
        sums.credits += Decimal(str(row.credits))
        sums.usd += Decimal(str(row.cost_usd))
        sums.unpriced += not row.priced
        sums.uncounted += not row.counted
        sums.ends[row.outcome] += 1
    return sums


def _usd(call: Call, on: date) -> Decimal | None:
    """The price from the file, computed independently in decimals; None for an unknown model."""
    if not call.model:
        return call.credits * Decimal(str(bundled_prices().searches["tavily"].credit))
    rate = bundled_prices().models.get(call.model)
    if rate is None:
        return None
    price = rate.before if rate.before and on < rate.before.day else rate
    paid = (call.input_tokens - call.cached_tokens) * Decimal(str(price.input))
    paid += call.cached_tokens * Decimal(str(price.cached))
    said = call.output_tokens + call.thinking_tokens
    return (paid + said * Decimal(str(price.output))) / MILLION
