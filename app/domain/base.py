"""The base class of frozen values."""

from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class Value(BaseModel):
    """A frozen value with equality by fields. Values may be written to a checkpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def renamed_field(default: object, name: str, *, stored: str) -> Any:  # noqa: ANN401 - as `Field`
    """A field renamed from `stored`, which rows and the wire keep; checkpoints may use either."""
    return Field(default, validation_alias=AliasChoices(name, stored), serialization_alias=stored)
