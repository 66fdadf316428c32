"""The port to language models."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel

from app.net.policy import parse_address

Tier = Literal["fast", "strong"]
Reply = TypeVar("Reply", bound=BaseModel)
PartialCallback = Callable[[Mapping[str, Any]], Awaitable[None]]
"""Receives the fields of a partial reply as they arrive, not validated: the last text may be cut
anywhere. An empty mapping means that the reply starts over and earlier fields are void.
"""


@dataclass(frozen=True, slots=True)
class Recording:
    """Audio or video, with a media type such as "audio/mpeg"."""

    data: bytes
    media_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest(Generic[Reply]):
    """One question to a model, to be answered as `reply`.

    `system` is identical for every call of this `purpose`, so that the provider's prompt cache hits;
    `template` names its source file and version, such as `acting.v1`. `prompt` is what varies. `images`
    are JPEGs; `recordings` are for models that accept audio. `thinking_tokens` is the thinking budget:
    0 for none, None for the provider's default. `timeout_s` None uses the model's default. Times are in
    seconds, lengths in tokens. `on_partial` receives the partial reply if the provider streams it.
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
    """A model that replies in a given shape."""

    @property
    def names(self) -> dict[Tier, str]:
        """The provider's model name for each tier."""
        ...

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        """Return the validated reply. Raises `ModelFailed` (see `app.errors`)."""
        ...


LOCAL = "local"
_OWN_NAMES = (".local", ".lan", ".internal", ".home.arpa", ".localhost")


def is_own(base_url: str) -> bool:
    """Whether the address is on this machine or a private network; "ollama" is a container name."""
    host = (urlsplit(base_url).hostname or "").rstrip(".")
    if (address := parse_address(host)) is not None:
        return address.is_loopback or address.is_private
    return bool(host) and ("." not in host or host.endswith(_OWN_NAMES))
