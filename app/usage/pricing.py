"""What a call costs, by the prices in use."""

from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from app.domain.usage import CallUsage
from app.llm.locality import LOCAL
from app.text import patterns
from app.usage.price_file import ModelRate, PriceFile, Rate, in_use

MILLION = 1_000_000
FREE = Rate(input=0.0)

# What a name may end with and still be the same model: "-preview-09-2026", "-001", "-latest".
# Any other ending ("-pro", "-image") is another model, at another price.
_EDITION = patterns.compile(r"-(?:preview|latest|exp|\d+)$")


@dataclass(frozen=True, slots=True)
class Charge:
    """USD for a call. `known` is False where it is more, or nobody can say: `usd` is what is sure."""

    usd: float
    known: bool


class Prices:
    """The prices of one file, looked up by the names that providers use."""

    def __init__(self, file: PriceFile) -> None:
        self.file = file
        self._named = cache(self._rate)  # a handful of models, each asked for all the time

    def rate(self, provider: str, model: str, on: date) -> Rate | None:
        """What a model's tokens cost on that day, None for one that is in no file.

        A proxy on one's own machine sells what others bill: a name in the file has its price there.
        """
        found = self._named(model)
        if found is None:
            return FREE if provider == LOCAL else None
        return found.before if found.before and on < found.before.day else found

    def charge(self, usage: CallUsage, on: date) -> Charge:
        """What the call costs, made that day."""
        usd = self._usd(usage, on)
        if usd is None:
            return Charge(0.0, known=False)
        return Charge(usd, known=usage.counted or self._is_free(usage, on))

    def _usd(self, usage: CallUsage, on: date) -> float | None:
        if usage.kind == "search":
            price = self.file.searches.get(usage.provider.casefold())
            return None if price is None else usage.credits * price.credit
        rate = self.rate(usage.provider, usage.model, on)
        return None if rate is None else cost(usage, rate)

    def _is_free(self, usage: CallUsage, on: date) -> bool:
        """Whether it costs nothing, however much it took."""
        rate = None if usage.kind == "search" else self.rate(usage.provider, usage.model, on)
        return rate is not None and rate.input == rate.output == 0

    def _rate(self, model: str) -> ModelRate | None:
        name, shorter = "", model.rpartition("/")[2].casefold()
        while name != shorter:
            name = shorter
            if name in self.file.models:
                return self.file.models[name]
            if name in self.file.embeddings:
                return ModelRate(**dict(self.file.embeddings[name]))
            shorter = _EDITION.sub("", name)
        return None


def cost(usage: CallUsage, rate: Rate) -> float:
    """USD for the tokens of a call."""
    cached = min(usage.cached_tokens, usage.input_tokens)
    paid = (usage.input_tokens - cached) * rate.input
    paid += cached * (rate.input if rate.cached is None else rate.cached)
    output = usage.output_tokens + usage.thinking_tokens
    return (paid + output * rate.output) / MILLION


def open_prices(over: Path | None = None) -> Prices:
    """The prices in use. Raises `PricesUnusable`."""
    return Prices(in_use(over))
