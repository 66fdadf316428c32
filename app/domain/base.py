"""The base of every frozen value."""

from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field


class Value(BaseModel):
    """A frozen value; equal when its fields are. These may reach a checkpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def renamed_field(default: object, name: str, *, stored: str) -> Any:  # noqa: ANN401 - as `Field`
    """A field whose older name is `stored`: rows and the wire keep that one, checkpoints may hold either."""
    return Field(default, validation_alias=AliasChoices(name, stored), serialization_alias=stored)
