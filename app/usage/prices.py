"""Price files: the bundled one and an operator's overrides, validated on load."""

import tomllib
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from app.domain.base import Value
from app.domain.metrics.usage import CallUsage
from app.errors import PricesUnusable
from app.llm.port import LOCAL
from app.text import patterns

OURS = Path(__file__).with_name("prices.toml")
MOST_BYTES = 1_000_000

Usd = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False, strict=True)]


class Rate(Value):
    """USD per million tokens; thinking is billed as output. `cached` defaults to `input`."""

    input: Usd
    cached: Usd | None = None
    output: Usd = 0.0

    @property
    def cached_input(self) -> float:
        return self.input if self.cached is None else self.cached


class Reduced(Rate):
    """The price for calls before a day (UTC)."""

    day: date


class ModelRate(Rate):
    """The price of a model, and the one `before`, if it has changed."""

    before: Reduced | None = None


class Credit(Value):
    """USD per search credit."""

    credit: Usd


class PriceFile(Value):
    """A price file, with lower-case names. `over` is the date of the file merged over it."""

    as_of: date
    models: dict[str, ModelRate] = {}
    embeddings: dict[str, Rate] = {}
    searches: dict[str, Credit] = {}
    over: date | None = None

    def overridden_by(self, other: "PriceFile") -> "PriceFile":
        return PriceFile(
            as_of=self.as_of,
            models=self.models | other.models,
            embeddings=self.embeddings | other.embeddings,
            searches=self.searches | other.searches,
            over=other.as_of,
        )


@cache
def bundled_prices() -> PriceFile:
    return read_price_file(OURS)


def load_price_file(over: Path | None) -> PriceFile:
    """The bundled prices with the operator's overrides. Raises `PricesUnusable`."""
    return (
        bundled_prices() if over is None else bundled_prices().overridden_by(read_price_file(over))
    )


def read_price_file(path: Path) -> PriceFile:
    """Read one file. Raises `PricesUnusable`, which names the location without quoting the content."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise PricesUnusable(f"{path} is not a price file: it is over {MOST_BYTES} bytes")
        tables = tomllib.loads(text.decode("utf-8"))
        return PriceFile.model_validate(_with_lower_case_names(tables))
    except OSError as error:
        raise PricesUnusable(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise PricesUnusable(f"{path}: {_faults(error)}") from None
    except (ValueError, RecursionError) as error:
        raise PricesUnusable(f"{path} is not valid TOML: {str(error)[:200]}") from None


def _with_lower_case_names(tables: dict[str, Any]) -> dict[str, Any]:
    return {
        part: {str(name).casefold(): rate for name, rate in rates.items()}
        if isinstance(rates, dict)
        else rates
        for part, rates in tables.items()
    }


def _faults(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[:3]
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in first)


MILLION = 1_000_000
FREE = Rate(input=0.0)

# Suffixes that do not make a different model: "-preview-09-2026", "-001", "-latest". Any other suffix
# ("-pro", "-image") is another model with another price.
_EDITION = patterns.compile(r"-(?:preview|latest|exp|\d+)$")


@dataclass(frozen=True, slots=True)
class Charge:
    """The cost of a call in USD. If `known` is False, `usd` is a lower bound."""

    usd: float
    known: bool


class Prices:
    """Looks up prices by the names that providers use."""

    def __init__(self, file: PriceFile) -> None:
        self.file = file
        self._cached_rate = cache(self._rate)  # a few models, looked up for every call

    def rate(self, provider: str, model: str, on: date) -> Rate | None:
        """The price of a model's tokens on that day, None if unknown.

        A local proxy may resell a billed model, so names in the price file keep their price there.
        """
        model_rate = self._cached_rate(model)
        if model_rate is None:
            return FREE if provider == LOCAL else None
        return model_rate.before if model_rate.before and on < model_rate.before.day else model_rate

    def credit(self, provider: str) -> float | None:
        """USD per search credit, None if unknown."""
        entry = self.file.searches.get(provider.casefold())
        return entry.credit if entry is not None else None

    def charge(self, usage: CallUsage, on: date) -> Charge:
        if usage.kind == "search":
            credit = self.credit(usage.provider)
            if credit is None:
                return Charge(0.0, known=False)
            return Charge(usage.credits * credit, known=usage.counted)
        rate = self.rate(usage.provider, usage.model, on)
        if rate is None:
            return Charge(0.0, known=False)
        is_free = rate.input == rate.output == 0
        return Charge(_cost_of_tokens(usage, rate), known=usage.counted or is_free)

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


def _cost_of_tokens(usage: CallUsage, rate: Rate) -> float:
    cached = min(usage.cached_tokens, usage.input_tokens)
    paid = (usage.input_tokens - cached) * rate.input + cached * rate.cached_input
    output = usage.output_tokens + usage.thinking_tokens
    return (paid + output * rate.output) / MILLION


def open_prices(over: Path | None = None) -> Prices:
    """Open the configured prices. Raises `PricesUnusable`."""
    return Prices(load_price_file(over))
