"""What the rest needs from a language model."""

from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

from pydantic import BaseModel

Tier = Literal["fast", "strong"]
Reply = TypeVar("Reply", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest(Generic[Reply]):
    """One question to a model, to be answered as `reply`.

    `system` is what every call of this `purpose` shares, word for word, so that a provider's prompt
    cache hits; `prompt` is what differs. `images` are JPEGs. `thinking_tokens` is the budget for
    thinking: 0 for none, None for the provider's own choice. `timeout_s`: None for the model's own.
    Times in seconds, lengths in tokens.
    """

    purpose: str
    system: str
    prompt: str
    reply: type[Reply]
    tier: Tier = "strong"
    images: tuple[bytes, ...] = ()
    max_output_tokens: int = 2_000
    thinking_tokens: int | None = 0
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """What one call over the wire took, as the provider counted it; `cached` is part of `input`.

    `ok` is False for a call that was paid for and whose reply could not be used.
    """

    provider: str
    model: str
    purpose: str
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    duration_ms: float = 0.0
    ok: bool = True


class Model(Protocol):
    """A model that answers in a given shape."""

    @property
    def names(self) -> dict[Tier, str]:
        """The provider's name for the model of each tier."""
        ...

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        """The reply, validated. Raises `ModelFailed` (see `app.errors`)."""
        ...


class UsageHook(Protocol):
    """Told of each call over the wire; must neither wait nor raise."""

    def __call__(self, usage: ModelUsage) -> None:
        """Take note of a call."""
        ...
