"""What an OpenAI-compatible endpoint takes: found out by asking, and remembered."""

from dataclasses import dataclass, replace
from typing import Literal

Format = Literal["json_schema", "json_object", "text"]
Limit = Literal["max_tokens", "max_completion_tokens"]

FORMATS: tuple[Format, ...] = ("json_schema", "json_object", "text")
# How to ask for no thinking: OpenAI's newer models and Ollama, GPT-5, older reasoning models, others.
NO_THINKING = ("none", "minimal", "low", None)
ROOM = {"none": 0, "minimal": 512, "low": 4_096, "medium": 8_192, "high": 16_384}
# Ollama, vLLM and llama.cpp, of a model that reads text alone; others name the type of the part.
SIGHT = ("image", "vision", "multimodal", "multi-modal", "mmproj")
REFUSING = frozenset({400, 404, 415, 422, 500, 501})  # 500: llama.cpp, for a schema it cannot parse


@dataclass(frozen=True, slots=True)
class Habits:
    """What is sent to one model. `efforts` is the place in `NO_THINKING`; without `images` it goes on
    with the page in words.
    """

    limit: Limit
    format: Format = "json_schema"
    temperature: bool = True
    efforts: int = 0
    images: bool = True

    def thought(self, tokens: int | None) -> tuple[str | None, int]:
        """The reasoning effort to name, and the tokens to add for it: they count as output."""
        least = NO_THINKING[self.efforts]
        if tokens is None or least is None:
            return None, 0 if tokens == 0 else ROOM["medium"]
        if tokens == 0:
            return least, ROOM[least]
        effort = next((name for name in ("low", "medium") if tokens <= ROOM[name]), "high")
        return effort, ROOM[effort]

    def after(self, message: str) -> "Habits | None":
        """What to try once the endpoint refused these in such words; None when they tell nothing."""
        said = message.lower()
        if "context" in said:
            return None  # too long a prompt; such messages name max_tokens, too
        if "max_tokens" in said or "max_completion_tokens" in said:
            swapped: Limit = "max_completion_tokens" if self.limit == "max_tokens" else "max_tokens"
            return replace(self, limit=swapped)
        if "reasoning" in said or "think" in said:
            later = self.efforts + 1
            return replace(self, efforts=later) if later < len(NO_THINKING) else None
        if "temperature" in said and self.temperature:
            return replace(self, temperature=False)
        if self.images and any(word in said for word in SIGHT):
            return replace(self, images=False)
        shape = ("response_format", "json_schema", "json_object", "schema", "grammar", "guided")
        if any(word in said for word in shape) and self.format != "text":
            return replace(self, format=FORMATS[FORMATS.index(self.format) + 1])
        return None


class HabitsOfModels:
    """The habits of each model of one endpoint, for as long as the process lives."""

    def __init__(self, *, own_endpoint: bool) -> None:
        # OpenAI's reasoning models refuse the older name, some servers do not know the newer.
        self._first = Habits("max_tokens" if own_endpoint else "max_completion_tokens")
        self._known: dict[str, Habits] = {}
        self._tried: dict[str, set[Habits]] = {}

    def of(self, model: str) -> Habits:
        """What to send."""
        return self._known.get(model, self._first)

    def learn(self, model: str, sent: Habits, status: int, message: str) -> bool:
        """Whether the same call is worth another try, after `sent` was refused."""
        if status not in REFUSING:
            return False
        if self.of(model) != sent:
            return True  # another call has found out meanwhile
        tried = self._tried.setdefault(model, set())
        tried.add(sent)
        found = sent.after(message)
        if found is None or found in tried:
            return False
        self._known[model] = found
        return True
