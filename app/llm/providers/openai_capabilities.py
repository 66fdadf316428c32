"""Learns which parameters a model of an OpenAI-compatible endpoint accepts."""

from dataclasses import dataclass, replace
from typing import Literal

Format = Literal["json_schema", "json_object", "text"]
Limit = Literal["max_tokens", "max_completion_tokens"]

FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "text")
# Ways to disable thinking: newer OpenAI models and Ollama, GPT-5, older reasoning models, others.
NO_THINKING = ("none", "minimal", "low", None)
ROOM = {"none": 0, "minimal": 512, "low": 4_096, "medium": 8_192, "high": 16_384}
# Errors of Ollama, vLLM and llama.cpp for a text-only model; others name the part's type.
SIGHT = ("image", "vision", "multimodal", "multi-modal", "mmproj")
REFUSING = frozenset({400, 404, 415, 422, 500, 501})  # 500: llama.cpp, for a schema it cannot parse


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The parameters that one model accepts. `efforts` is the index in `NO_THINKING`; without `images`,
    pages are sent as text only.
    """

    limit: Limit
    format: Format = "json_schema"
    temperature: bool = True
    efforts: int = 0
    images: bool = True

    def reasoning_effort(self, tokens: int | None) -> tuple[str | None, int]:
        """The reasoning effort to request, and the tokens to add for it, since they count as output."""
        least = NO_THINKING[self.efforts]
        if tokens is None or least is None:
            return None, 0 if tokens == 0 else ROOM["medium"]
        if tokens == 0:
            return least, ROOM[least]
        effort = next((name for name in ("low", "medium") if tokens <= ROOM[name]), "high")
        return effort, ROOM[effort]

    def without_refused(self, message: str) -> "Capabilities | None":
        """The capabilities to try after this rejection; None if the message is no help."""
        text = message.lower()
        if "context" in text:
            return None  # the prompt is too long; such messages mention max_tokens, too
        if "max_tokens" in text or "max_completion_tokens" in text:
            swapped: Limit = "max_completion_tokens" if self.limit == "max_tokens" else "max_tokens"
            return replace(self, limit=swapped)
        if "reasoning" in text or "think" in text:
            later = self.efforts + 1
            return replace(self, efforts=later) if later < len(NO_THINKING) else None
        if "temperature" in text and self.temperature:
            return replace(self, temperature=False)
        if self.images and any(word in text for word in SIGHT):
            return replace(self, images=False)
        shape = ("response_format", "json_schema", "json_object", "schema", "grammar", "guided")
        if any(word in text for word in shape) and self.format != "text":
            return replace(self, format=FORMATS[FORMATS.index(self.format) + 1])
        return None


class CapabilityMemory:
    """The capabilities of each model of one endpoint, for the lifetime of the process."""

    def __init__(self, *, own_endpoint: bool) -> None:
        # OpenAI's reasoning models reject the older name, some servers do not know the newer one.
        self._first = Capabilities("max_tokens" if own_endpoint else "max_completion_tokens")
        self._known: dict[str, Capabilities] = {}
        self._tried: dict[str, set[Capabilities]] = {}

    def of(self, model: str) -> Capabilities:
        return self._known.get(model, self._first)

    def learn(self, model: str, sent: Capabilities, status: int, message: str) -> bool:
        """Learn from the rejection of `sent`; return whether the call is worth retrying."""
        if status not in REFUSING:
            return False
        if self.of(model) != sent:
            return True  # another call has learned it meanwhile
        tried = self._tried.setdefault(model, set())
        tried.add(sent)
        found = sent.without_refused(message)
        if found is None or found in tried:
            return False
        self._known[model] = found
        return True
