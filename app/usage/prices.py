"""The file of prices, and one of the operator's own that is laid over it: read once, and checked."""

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
from app.llm.locality import LOCAL
from app.text import patterns

OURS = Path(__file__).with_name("prices.toml")
MOST_BYTES = 1_000_000

Usd = Annotated[float, Field(ge=0, le=100_000, allow_inf_nan=False, strict=True)]


class Rate(Value):
    """USD for a million tokens; thinking is paid as output. Without `cached`: as `input`."""

    input: Usd
    cached: Usd | None = None
    output: Usd = 0.0


class Reduced(Rate):
    """A price for calls made before that day, in UTC."""

    day: date


class ModelRate(Rate):
    """The price of a model, with the one `before`, where an end of that was announced."""

    before: Reduced | None = None


class Credit(Value):
    """USD for a credit of a search."""

    credit: Usd


class PriceFile(Value):
    """All of a file, names in lower case. `over` is the day of the file that was laid over it."""

    as_of: date
    models: dict[str, ModelRate] = {}
    embeddings: dict[str, Rate] = {}
    searches: dict[str, Credit] = {}
    over: date | None = None

    def under(self, other: "PriceFile") -> "PriceFile":
        """These prices with the other's in the place of those that it names."""
        return PriceFile(
            as_of=self.as_of,
            models=self.models | other.models,
            embeddings=self.embeddings | other.embeddings,
            searches=self.searches | other.searches,
            over=other.as_of,
        )


@cache
def bundled_prices() -> PriceFile:
    """The file that comes with the product."""
    return read_price_file(OURS)


def load_price_file(over: Path | None) -> PriceFile:
    """Ours, with the operator's own over it. Raises `PricesUnusable`."""
    return bundled_prices() if over is None else bundled_prices().under(read_price_file(over))


def read_price_file(path: Path) -> PriceFile:
    """One file. Raises `PricesUnusable`, which names the place and never repeats what stands there."""
    try:
        with path.open("rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise PricesUnusable(f"{path} is no file of prices: it is over {MOST_BYTES} bytes")
        found = tomllib.loads(text.decode("utf-8"))
        return PriceFile.model_validate(_lowered(found))
    except OSError as error:
        raise PricesUnusable(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise PricesUnusable(f"{path}: {_faults(error)}") from None
    except (ValueError, RecursionError) as error:
        raise PricesUnusable(f"{path} is no TOML: {str(error)[:200]}") from None


def _lowered(found: dict[str, Any]) -> dict[str, Any]:
    """The same with names in lower case, as they are looked up."""
    return {
        part: {str(name).casefold(): rate for name, rate in rates.items()}
        if isinstance(rates, dict)
        else rates
        for part, rates in found.items()
    }


def _faults(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[:3]
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in first)


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
        return None if rate is None else cost_of_tokens(usage, rate)

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


def cost_of_tokens(usage: CallUsage, rate: Rate) -> float:
    """USD for the tokens of a call."""
    cached = min(usage.cached_tokens, usage.input_tokens)
    paid = (usage.input_tokens - cached) * rate.input
    paid += cached * (rate.input if rate.cached is None else rate.cached)
    output = usage.output_tokens + usage.thinking_tokens
    return (paid + output * rate.output) / MILLION


def open_prices(over: Path | None = None) -> Prices:
    """The prices in use. Raises `PricesUnusable`."""
    return Prices(load_price_file(over))
