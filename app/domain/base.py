"""The base of every frozen value."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value; equal when its fields are. These may reach a checkpoint."""

    model_config = ConfigDict(frozen=True, extra="forbid")
