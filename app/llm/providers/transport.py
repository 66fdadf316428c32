"""What an adapter of one vendor does, and what may go wrong between it and the vendor."""

import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import httpx2

from app.domain.metrics.usage import CallOutcome
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
    on_partial: "Callable[[Answer], None] | None" = None


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
    def as_partial(self) -> "Answer":
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
        try_other_form: bool = False,
    ) -> None:
        super().__init__(error.detail)
        self.error = error
        self.outcome = outcome
        self.try_other_form = try_other_form
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

    async def check_model(self, model: str, timeout_s: float) -> None:
        """Return when the provider answers and knows the model. Raises `CallFailed`."""
        ...

    async def close(self) -> None:
        """Let go of the connections."""
        ...


def status_failure(
    provider: str, status: int, message: str, after: float | None = None
) -> CallFailed:
    """What an HTTP status other than 200 means. The message of a refused key is not repeated."""
    if status in RETRYABLE or status >= 500:
        busy = ModelUnavailable(f"{provider} answered {status}: {shorten_message(message)}")
        outcome: CallOutcome = "busy" if status in RETRYABLE else "failed"
        return CallFailed(busy, retryable=status in RETRYABLE, after=after, outcome=outcome)
    if status in KEY_REFUSED:
        return CallFailed(ModelMisconfigured(f"{provider} refused the key ({status})"))
    return CallFailed(
        ModelMisconfigured(f"{provider} answered {status}: {shorten_message(message)}")
    )


def connection_failure(provider: str, error: BaseException) -> CallFailed:
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


def invalid_body_failure(provider: str, error: BaseException) -> CallFailed:
    """A 200 whose body is not what the provider promises: a proxy's page, a cut body."""
    odd = f"{provider} answered with a body that is not its own ({type(error).__name__})"
    return CallFailed(ModelUnavailable(odd), counts=UNCOUNTED, outcome="failed")


def truncation_failure(provider: str) -> CallFailed:
    """An answer that ended before its end: nothing said why it stopped."""
    error = ModelUnavailable(f"{provider} broke off its answer")
    return CallFailed(error, retryable=True, counts=UNCOUNTED, outcome="failed")


def shorten_message(message: str) -> str:
    """One short line without keys."""
    return _KEYS.sub("[key]", " ".join(message.split()))[:DETAIL_CHARS] or "no reason given"


def parse_retry_after(text: str | None) -> float | None:
    """A `Retry-After` in seconds or a protobuf duration ("34s"); None for a date or nonsense."""
    found = patterns.fullmatch(r"(\d{1,6}(?:\.\d+)?)s?", (text or "").strip())
    return float(found[1]) if found else None


BODY_BYTES = 4_000_000  # 100,000 tokens are some 0.5 MB
CONNECT_S = 5.0
POOL = httpx2.Limits(max_connections=64, max_keepalive_connections=16)


class BodyTooLong(httpx2.DecodingError):
    """The body went over its limit; the rest was not read."""


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._inner:
            read += len(part)
            if read > BODY_BYTES:
                raise BodyTooLong(f"over {BODY_BYTES} bytes")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _bound(response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


async def _timed(request: httpx2.Request) -> None:
    """Connecting is bounded here; how long the answer may take, the deadline of the ask says."""
    request.extensions["timeout"] = {
        "connect": CONNECT_S,
        "read": None,
        "write": None,
        "pool": None,
    }


@cache
def tls_context() -> ssl.SSLContext:
    """The system's certificates; loading them takes 20 to 60 ms."""
    return httpx2.create_ssl_context()


def create_http_client() -> httpx2.AsyncClient:
    """A client for one provider. It follows no redirects: they would carry the key elsewhere."""
    return httpx2.AsyncClient(
        verify=tls_context(),
        limits=POOL,
        event_hooks={"request": [_timed], "response": [_bound]},
        follow_redirects=False,
    )


MOST_TOKENS = 10_000_000  # of one call: five times the longest context that is sold


def parse_counts(
    sent: object, *, cached: object = None, output: object = None, thinking: object = None
) -> Counts:
    """The counts as they came, None for what was not told.

    What is no number of tokens (negative, NaN, text, beyond `MOST_TOKENS`) counts as 0, and more
    cached than sent as all of it; `known` is False then, and where nothing was sent: something was.
    """
    read = [_tokens(one) for one in (sent, cached, output, thinking)]
    known = None not in read
    whole, part, said, thought = (one or 0 for one in read)
    return Counts(
        input=whole,
        cached=min(part, whole),
        output=said,
        thinking=thought,
        known=known and whole > 0 and part <= whole,
    )


def _tokens(given: object) -> int | None:
    """None for what is no number of tokens."""
    if given is None:
        return 0
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    # NaN is in no range.
    return int(given) if 0 <= given <= MOST_TOKENS and given == int(given) else None
