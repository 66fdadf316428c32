"""Base models and field types of requests and responses: camelCase, frozen."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Self

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.alias_generators import to_camel

from app.text import patterns


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# Clients compare times as text, so every endpoint formats them alike.
Timestamp = Annotated[
    datetime,
    PlainSerializer(_iso, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


# Examples for OpenAPI, by the model's name.
EXAMPLES: dict[str, Any] = orjson.loads(Path(__file__).with_name("examples.json").read_bytes())
# Models nested in the schemas of `json_schema`, by name; the OpenAPI document includes them.
NESTED_SCHEMAS: dict[str, Any] = {}


def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model, for a part of the OpenAPI document that FastAPI does not generate."""
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    NESTED_SCHEMAS.update(schema.pop("$defs", {}))
    return schema


class RequestModel(BaseModel):
    """Base of request bodies. Unknown keys are ignored (CONTRACT)."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore"
    )


class ResponseModel(BaseModel):
    """Base of responses."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        extra="forbid",
        from_attributes=True,
    )

    @classmethod
    def from_fields(cls, source: object, /, **values: Any) -> Self:  # noqa: ANN401 - any field's value
        """Copy fields of the same name from `source`, nested ones too; `values` set or override others."""
        names = [name for name in cls.model_fields if name not in values and hasattr(source, name)]
        return cls(**{name: getattr(source, name) for name in names}, **values)


LONGEST_PATTERN = 260  # characters: 253 of a host name, a colon and a port, `*.`
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = rf"{_LABEL}(?:\.{_LABEL})*"
_PATTERN = patterns.compile(
    rf"\*|(?:(?:\*\.)?{_HOST}|\[[0-9a-f:.]{{2,45}}\])(?::(?P<port>\d{{1,5}}))?"
)
_LAST_PORT = 65_535


def _normalize_pattern(value: str) -> str:
    """Normalize a pattern: lower case, international names in Punycode. Raises `ValueError`."""
    text = value.strip().lower().rstrip(".")
    try:
        text = text if text.isascii() else text.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise ValueError("not a host name") from error
    found = _PATTERN.fullmatch(text)
    if found is None or not 0 < int(found["port"] or 1) <= _LAST_PORT:
        raise ValueError("must be host, *.host, host:port or *, without scheme and path")
    return text


def normalize_site(value: str) -> str:
    """Normalize the name of a single site. Raises `ValueError` for a wildcard."""
    text = _normalize_pattern(value)
    if text.startswith("*"):
        raise ValueError("must be host or host:port")
    return text


SitePattern = Annotated[str, Field(max_length=LONGEST_PATTERN), AfterValidator(_normalize_pattern)]
