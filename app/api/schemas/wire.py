"""The bases of all wire shapes: camelCase, frozen."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class Received(BaseModel):
    """What a client sends. Unknown keys are ignored, as CONTRACT says."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore"
    )


class Reply(BaseModel):
    """What a client gets."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="forbid"
    )
