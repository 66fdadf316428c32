"""The file of prices, and one of the operator's own that is laid over it: read once, and checked."""

import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from app.domain.base import Value
from app.errors import PricesUnusable

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
def ours() -> PriceFile:
    """The file that comes with the product."""
    return read(OURS)


def in_use(over: Path | None) -> PriceFile:
    """Ours, with the operator's own over it. Raises `PricesUnusable`."""
    return ours() if over is None else ours().under(read(over))


def read(path: Path) -> PriceFile:
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
