"""What the rest needs from a language model."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

Tier = Literal["fast", "strong"]
Reply = TypeVar("Reply", bound=BaseModel)
PartialCallback = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Told what has come of a reply, as its fields stand so far and not validated: the last text may be cut
anywhere. An empty one says that what was told counts for nothing, and that the reply begins anew.
"""


@dataclass(frozen=True, slots=True)
class Recording:
    """Sound or film, as in "audio/mpeg"."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest(Generic[Reply]):
    """One question to a model, to be answered as `reply`.

    `system` is what every call of this `purpose` shares, word for word, so that a provider's prompt
    cache hits; `template` names the file that it was made of, with its version, as in `acting.v1`.
    `prompt` is what differs. `images` are JPEGs; `recordings` are for a
    model that can listen. `thinking_tokens` is the budget for
    thinking: 0 for none, None for the provider's own choice. `timeout_s`: None for the model's own.
    Times in seconds, lengths in tokens. `heard` is told of the reply while it comes, where the provider
    sends it piece by piece.
    """

    purpose: str
    system: str
    prompt: str
    reply: type[Reply]
    tier: Tier = "strong"
    images: tuple[bytes, ...] = ()
    recordings: tuple[Recording, ...] = ()
    max_output_tokens: int = 2_000
    thinking_tokens: int | None = 0
    timeout_s: float | None = None
    template: str = ""
    on_partial: PartialCallback | None = None


class Model(Protocol):
    """A model that answers in a given shape."""

    @property
    def names(self) -> dict[Tier, str]:
        """The provider's name for the model of each tier."""
        ...

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        """The reply, validated. Raises `ModelFailed` (see `app.errors`)."""
        ...
