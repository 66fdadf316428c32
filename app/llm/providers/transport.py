"""What an adapter of one vendor does, and what may go wrong between it and the vendor."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from app.domain.usage import CallOutcome
from app.errors import ModelFailed, ModelMisconfigured, ModelUnavailable
from app.llm.port import Recording
from app.text import patterns

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})  # 529: overloaded
KEY_REFUSED = frozenset({401, 403})
DETAIL_CHARS = 200
NEVER_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout")  # as every HTTP library names them
_KEYS = patterns.compile(r"\b(?:sk-|AIza|Bearer )[\w*.\-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call over the wire. `schema` is the JSON Schema of the reply; lengths in tokens.

    `thinking_tokens`: 0 for none, None for the provider's own choice. `heard` is told what has come, all of
    it each time, where the answer may come piece by piece.
    """

    model: str
    system: str
    prompt: str
    schema: dict[str, Any]
    images: tuple[bytes, ...] = ()
    recordings: tuple[Recording, ...] = ()
    max_output_tokens: int
    thinking_tokens: int | None = 0
    timeout_s: float
    heard: "Callable[[Answer], None] | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Tokens as the provider counted them; `cached` is part of `input`, `output` is without `thinking`.

    `known` is False where it did not count them, or not as they can be.
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    thinking: int = 0
    known: bool = True


UNCOUNTED = Counts(known=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back.

    `cut` when the provider stopped it at the length asked for; `flaw` names why there is no text.
    """

    text: str
    counts: Counts = Counts()
    cut: bool = False
    flaw: str = ""

    @property
    def unfinished(self) -> "Answer":
        """The same as far as it has come: what it takes in the end is not known yet."""
        return replace(self, counts=replace(self.counts, known=False))


class CallFailed(Exception):
    """A call without an answer: `error` is what the rest sees, `after` seconds is what the provider
    asked to wait, `counts` what it took all the same. `otherwise`: the transport now knows another
    form that the same question may be taken in.
    """

    def __init__(
        self,
        error: ModelFailed,
        *,
        retryable: bool = False,
        after: float | None = None,
        counts: Counts = Counts(),
        outcome: CallOutcome = "rejected",
        otherwise: bool = False,
    ) -> None:
        super().__init__(error.detail)
        self.error = error
        self.outcome = outcome
        self.otherwise = otherwise
        self.retryable = retryable
        self.after = after
        self.counts = counts


class Transport(Protocol):
    """One vendor. The SDK's own retries are off, and its errors do not leave it."""

    @property
    def provider(self) -> str:
        """The name for usage records and messages."""
        ...

    async def send(self, call: Call) -> Answer:
        """One answer to one request over the wire. Raises `CallFailed`."""
        ...

    async def reach(self, model: str, timeout_s: float) -> None:
        """Return when the provider answers and knows the model. Raises `CallFailed`."""
        ...

    async def close(self) -> None:
        """Let go of the connections."""
        ...


def refused(provider: str, status: int, message: str, after: float | None = None) -> CallFailed:
    """What an HTTP status other than 200 means. The message of a refused key is not repeated."""
    if status in RETRYABLE or status >= 500:
        busy = ModelUnavailable(f"{provider} answered {status}: {tidy(message)}")
        outcome: CallOutcome = "busy" if status in RETRYABLE else "failed"
        return CallFailed(busy, retryable=status in RETRYABLE, after=after, outcome=outcome)
    if status in KEY_REFUSED:
        return CallFailed(ModelMisconfigured(f"{provider} refused the key ({status})"))
    return CallFailed(ModelMisconfigured(f"{provider} answered {status}: {tidy(message)}"))


def unreachable(provider: str, error: BaseException) -> CallFailed:
    """A connection that was not made, or was cut. Only the kind of error is told.

    What was sent may have been worked on and billed.
    """
    kind = type(error).__name__
    return CallFailed(
        ModelUnavailable(f"{provider} could not be reached ({kind})"),
        retryable=True,
        counts=Counts() if kind in NEVER_SENT else UNCOUNTED,
        outcome="timeout" if kind.endswith("Timeout") else "failed",
    )


def no_answer_in(provider: str, error: BaseException) -> CallFailed:
    """A 200 whose body is not what the provider promises: a proxy's page, a cut body."""
    odd = f"{provider} answered with a body that is not its own ({type(error).__name__})"
    return CallFailed(ModelUnavailable(odd), counts=UNCOUNTED, outcome="failed")


def broken_off(provider: str) -> CallFailed:
    """An answer that ended before its end: nothing said why it stopped."""
    error = ModelUnavailable(f"{provider} broke off its answer")
    return CallFailed(error, retryable=True, counts=UNCOUNTED, outcome="failed")


def tidy(message: str) -> str:
    """One short line without keys."""
    return _KEYS.sub("[key]", " ".join(message.split()))[:DETAIL_CHARS] or "no reason given"


def seconds(text: str | None) -> float | None:
    """A `Retry-After` in seconds or a protobuf duration ("34s"); None for a date or nonsense."""
    found = patterns.fullmatch(r"(\d{1,6}(?:\.\d+)?)s?", (text or "").strip())
    return float(found[1]) if found else None
