"""How much a Gemini model is let think, in the words that model knows."""

from google.genai import types

from app.llm.providers.transport import Call

Step = tuple[types.ThinkingLevel | int | None, int]  # level or budget, and tokens of room for it

LEVELS = types.ThinkingLevel
# Gemini counts thoughts against the length of the reply: each level is given room of its own.
MINIMAL: Step = (LEVELS.MINIMAL, 512)
LOW: Step = (LEVELS.LOW, 4_096)
MEDIUM: Step = (LEVELS.MEDIUM, 8_192)
HIGH: Step = (LEVELS.HIGH, 16_384)
UNSAID: Step = (None, 16_384)
SMALLEST_BUDGET = 128  # what 2.5 Pro takes at least
# From here on no level below LOW (ai.google.dev/gemini-api/docs/thinking, November 2026).
WITHOUT_MINIMAL = ("gemini-3.1-pro", "gemini-3.7", "gemini-3.8", "gemini-4")
BEFORE_LEVELS = ("gemini-2.", "gemini-1.")


class Thinking:
    """The steps to try for each model, and which of them it took.

    A model that refuses a step (HTTP 400, before anything is billed) is asked with the next one,
    and from then on.
    """

    def __init__(self) -> None:
        self._rungs: dict[tuple[str, int | None], int] = {}

    def rung(self, call: Call) -> int:
        """Which step to begin with."""
        return self._rungs.get((call.model, call.thinking_tokens), 0)

    def config(self, call: Call, rung: int) -> tuple[types.ThinkingConfig | None, int]:
        """What to send, and how many tokens to add to the length of the reply."""
        said, room = _ladder(call.model, call.thinking_tokens)[rung]
        if said is None:
            return None, room
        if isinstance(said, int):
            return types.ThinkingConfig(thinking_budget=said), room
        return types.ThinkingConfig(thinking_level=said), room

    def learn(self, call: Call, rung: int, status: int, message: str) -> bool:
        """Whether another step is worth a try after this refusal."""
        steps = _ladder(call.model, call.thinking_tokens)
        if status != 400 or "think" not in message.lower() or rung + 1 >= len(steps):
            return False
        self._rungs[call.model, call.thinking_tokens] = rung + 1
        return True

    def temperature(self, model: str) -> float | None:
        """0 where it is heeded; Gemini 3 ignores it, or loops at low values, says its guide."""
        return 0.0 if model.startswith(BEFORE_LEVELS) else None


def _ladder(model: str, tokens: int | None) -> list[Step]:
    if tokens is None:
        return [UNSAID]
    if model.startswith(BEFORE_LEVELS):
        least = [(SMALLEST_BUDGET, SMALLEST_BUDGET)] if tokens < SMALLEST_BUDGET else []
        return [(tokens, tokens), *least, UNSAID]
    if tokens > MEDIUM[1]:
        return [HIGH, UNSAID]
    if tokens > 1_024:
        return [MEDIUM, HIGH, UNSAID]
    if tokens > 0 or model.startswith(WITHOUT_MINIMAL):
        return [LOW, UNSAID]
    return [MINIMAL, LOW, UNSAID]
