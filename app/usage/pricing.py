"""What models cost: the one table of prices."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import NamedTuple

from app.llm.locality import LOCAL
from app.llm.port import ModelUsage

AS_OF = "2026-11-22"  # when the prices below were looked up
MILLION = 1_000_000


class Price(NamedTuple):
    """USD for a million tokens; thinking is paid as output."""

    input: float
    cached: float
    output: float


# From https://ai.google.dev/gemini-api/docs/pricing and https://openai.com/api/pricing, standard
# tier, text and images, prompts up to 200,000 tokens (ours are bounded far below).
_FLASH, _FLASH_HALVED = Price(1.50, 0.15, 7.50), Price(0.75, 0.075, 3.75)
_ARGON, _ARGON_HALVED = Price(4.00, 0.20, 20.00), Price(2.00, 0.10, 10.00)
PRICES: Mapping[str, Price] = MappingProxyType(
    {
        "gemini-4-argon": _ARGON,
        "gemini-4-carbon": _ARGON,
        "gemini-4-hydrogen": Price(1.50, 0.075, 7.50),
        "gemini-3.8-flash": _FLASH,
        "gemini-3.7-flash": _FLASH,
        "gemini-3.6-flash": _FLASH,
        "gemini-3.5-flash": Price(1.50, 0.15, 9.00),
        "gemini-3.5-flash-lite": Price(0.30, 0.03, 2.50),
        "gemini-3.1-pro": Price(2.00, 0.20, 12.00),
        "gemini-3.1-flash-lite": Price(0.25, 0.025, 1.50),
        "gemini-3-pro": Price(2.00, 0.20, 12.00),
        "gemini-3-flash": Price(0.50, 0.05, 3.00),
        "gemini-2.5-pro": Price(1.25, 0.125, 10.00),
        "gemini-2.5-flash": Price(0.30, 0.03, 2.50),
        "gemini-2.5-flash-lite": Price(0.10, 0.01, 0.40),
        "gpt-6.1-sol": Price(2.00, 0.10, 10.00),
        "gpt-6.1-terra": Price(1.00, 0.05, 5.00),
        "gpt-6-sol": Price(2.00, 0.20, 10.00),
        "gpt-6-luna": Price(0.10, 0.01, 0.50),
        "gpt-5.6-terra": Price(2.00, 0.20, 12.00),
        "gpt-5.5": Price(5.00, 0.50, 30.00),
        "gpt-5.4": Price(2.50, 0.25, 15.00),
        "gpt-5.4-mini": Price(0.75, 0.075, 4.50),
    }
)
# Announced with an end: half price through 31 December 2026, of Gemini 4 through 30 November.
UNTIL: Mapping[str, tuple[date, Price]] = MappingProxyType(
    {
        name: (date(2027, 1, 1), _FLASH_HALVED)
        for name in ("gemini-3.8-flash", "gemini-3.7-flash", "gemini-3.6-flash")
    }
    | {name: (date(2026, 12, 1), _ARGON_HALVED) for name in ("gemini-4-argon", "gemini-4-carbon")}
)
FREE = Price(0.0, 0.0, 0.0)

# What a name may end with and still be the same model: "-preview-09-2026", "-001", "-latest".
# Any other ending ("-pro", "-image") is another model, at another price.
_EDITION = re.compile(r"(?:-(?:preview|latest|exp|\d+))+$")


def price_of(provider: str, model: str, on: date) -> Price | None:
    """The price of a model on that day, None for one that is in no table."""
    name = model.rpartition("/")[2].casefold()
    name = name if name in PRICES else _EDITION.sub("", name)
    end, reduced = UNTIL.get(name, (date.min, FREE))
    if on < end:
        return reduced
    price = PRICES.get(name)
    # A proxy on one's own machine sells what others bill: a name in the table has its price there.
    return FREE if price is None and provider == LOCAL else price


def cost(usage: ModelUsage, on: date | None = None) -> float | None:
    """USD for a call made that day (today); None when the model's price is not known."""
    price = price_of(usage.provider, usage.model, on or datetime.now(UTC).date())
    if price is None:
        return None
    cached = min(usage.cached_tokens, usage.input_tokens)
    output = usage.output_tokens + usage.thinking_tokens
    paid = (usage.input_tokens - cached) * price.input + cached * price.cached
    return (paid + output * price.output) / MILLION
