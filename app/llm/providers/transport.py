"""The transport port for model vendors, and its errors."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import httpx2
from pydantic_core import from_json

from app.domain.metrics.usage import CallOutcome
from app.errors import ModelFailed, ModelMisconfigured, ModelRefused, ModelUnavailable
from app.llm.port import PartialCallback, Recording
from app.text import patterns

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})  # 529: overloaded
KEY_REFUSED = frozenset({401, 403})
DETAIL_CHARS = 200
# Exception names that the HTTP libraries share.
NEVER_SENT = ("ConnectError", "ConnectTimeout", "PoolTimeout")
_KEYS = patterns.compile(r"\b(?:sk-|AIza|Bearer )[\w*.\-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One remote call. `schema` is the JSON Schema of the reply; lengths are in tokens.

    `thinking_tokens`: 0 for none, None for the provider's default. `on_partial` receives the accumulated
    answer after each piece if the provider streams.
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
    """Token counts from the provider. `cached` is part of `input`; `output` excludes `thinking`.

    `known` is False if the counts are missing or invalid.
    """

    input: int = 0
    cached: int = 0
    output: int = 0
    thinking: int = 0
    known: bool = True


UNCOUNTED = Counts(known=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a call.

    `cut` means that it was truncated at the length limit; `flaw` says why there is no text.
    """

    text: str
    counts: Counts = Counts()
    cut: bool = False
    flaw: str = ""

    @property
    def as_partial(self) -> "Answer":
        """The answer so far; its final usage is not known yet."""
        return replace(self, counts=replace(self.counts, known=False))


class CallFailed(Exception):
    """A failed call. `error` is what callers see, `after` the retry delay in seconds that the provider
    asked for, `counts` what the call cost anyway. `try_other_form` means that the transport now knows
    another form to try.
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
    """The port to one vendor. Disables the SDK's retries and translates its errors."""

    @property
    def provider(self) -> str:
        """The name in usage records and messages."""
        ...

    async def send(self, call: Call) -> Answer:
        """Make one request. Raises `CallFailed`."""
        ...

    async def check_model(self, model: str, timeout_s: float) -> None:
        """Check that the provider responds and has the model. Raises `CallFailed`."""
        ...

    async def close(self) -> None: ...


def status_failure(
    provider: str, status: int, message: str, after: float | None = None
) -> CallFailed:
    """The error for an HTTP status other than 200. The message for a rejected key is not quoted."""
    if status in RETRYABLE or status >= 500:
        busy = ModelUnavailable(f"{provider} answered {status}: {shorten_message(message)}")
        outcome: CallOutcome = "busy" if status in RETRYABLE else "failed"
        return CallFailed(busy, retryable=status in RETRYABLE, after=after, outcome=outcome)
    if status in KEY_REFUSED:
        return CallFailed(ModelMisconfigured(f"{provider} refused the key ({status})"))
    return CallFailed(
        ModelMisconfigured(f"{provider} answered {status}: {shorten_message(message)}")
    )


def refusal(provider: str, reason: str, counts: Counts) -> CallFailed:
    """The model or a filter refused to answer."""
    error = ModelRefused(f"{provider}: {reason}")
    return CallFailed(error, counts=counts, outcome="refused")


def connection_failure(provider: str, error: BaseException) -> CallFailed:
    """A connection that failed or was cut. Only the type of the error is reported.

    The request may have been processed and billed.
    """
    kind = type(error).__name__
    return CallFailed(
        ModelUnavailable(f"{provider} could not be reached ({kind})"),
        retryable=True,
        counts=Counts() if kind in NEVER_SENT else UNCOUNTED,
        outcome="timeout" if kind.endswith("Timeout") else "failed",
    )


def invalid_body_failure(provider: str, error: BaseException) -> CallFailed:
    """A 200 with an unexpected body: a proxy's page, or a truncated body."""
    reason = f"{provider} answered with an unexpected body ({type(error).__name__})"
    return CallFailed(ModelUnavailable(reason), counts=UNCOUNTED, outcome="failed")


@contextmanager
def translate_failures(provider: str) -> Iterator[None]:
    """Translate errors of the HTTP client and of parsing. Raises `CallFailed`."""
    try:
        yield
    except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
        setting = f"TABWRIGHT_{provider.upper()}_BASE_URL"
        raise CallFailed(ModelMisconfigured(f"{setting} is no URL")) from error
    except (BodyTooLong, ValueError) as error:
        raise invalid_body_failure(provider, error) from error
    except httpx2.HTTPError as error:
        raise connection_failure(provider, error) from error


def truncation_failure(provider: str) -> CallFailed:
    """A stream that ended without a finish reason."""
    error = ModelUnavailable(f"{provider} broke off its answer")
    return CallFailed(error, retryable=True, counts=UNCOUNTED, outcome="failed")


def shorten_message(message: str) -> str:
    """Shorten the message to one line and remove keys."""
    return _KEYS.sub("[key]", " ".join(message.split()))[:DETAIL_CHARS] or "no reason given"


def parse_retry_delay(text: str | None) -> float | None:
    """Parse a `Retry-After` in seconds or a protobuf duration ("34s"); None for anything else."""
    found = patterns.fullmatch(r"(\d{1,6}(?:\.\d+)?)s?", (text or "").strip())
    return float(found[1]) if found else None


BODY_BYTES = 4_000_000  # 100,000 tokens are about 0.5 MB
CONNECT_S = 5.0
POOL = httpx2.Limits(max_connections=64, max_keepalive_connections=16)


class BodyTooLong(httpx2.DecodingError):
    """The body exceeded its limit; the rest was not read."""


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


async def _limit_body(response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


async def _set_timeouts(request: httpx2.Request) -> None:
    """Connect timeouts only; the deadline of the request bounds the response."""
    others = dict.fromkeys(("read", "write", "pool"))
    request.extensions["timeout"] = {"connect": CONNECT_S} | others


@cache
def tls_context() -> ssl.SSLContext:
    """Load the system's certificates, which takes 20 to 60 ms."""
    return httpx2.create_ssl_context()


def create_http_client() -> httpx2.AsyncClient:
    """Create a client for one provider. It does not follow redirects, which would leak the key."""
    return httpx2.AsyncClient(
        verify=tls_context(),
        limits=POOL,
        event_hooks={"request": [_set_timeouts], "response": [_limit_body]},
        follow_redirects=False,
    )


MOST_TOKENS = 10_000_000  # per call: five times the longest context on the market


def parse_counts(
    prompt: object, *, cached: object = None, output: object = None, thinking: object = None
) -> Counts:
    """Parse token counts; None for those that are missing.

    An invalid count (negative, NaN, text, over `MOST_TOKENS`) becomes 0, and `cached` is at most
    `input`. `known` is then False, as it is if the input count is 0 or missing.
    """
    parsed = [_tokens(one) for one in (prompt, cached, output, thinking)]
    total, from_cache, written, thought = (one or 0 for one in parsed)
    return Counts(
        input=total,
        cached=min(from_cache, total),
        output=written,
        thinking=thought,
        known=None not in parsed and 0 < total >= from_cache,
    )


def _tokens(count: object) -> int | None:
    if count is None:
        return 0
    if isinstance(count, bool) or not isinstance(count, int | float):
        return None
    # NaN fails every range check.
    return int(count) if 0 <= count <= MOST_TOKENS and count == int(count) else None


REFUSING = frozenset({404, 405, 501})
PACE_S = 0.05  # between two updates: faster ones cannot be seen
LONGEST_PARTIAL = 16_000  # characters; longer replies are not forwarded in part


class StreamSupport:
    """Which models stream: all, until one rejects it."""

    def __init__(self) -> None:
        self._whole: set[str] = set()

    def should_stream(self, call: Call) -> bool:
        return call.on_partial is not None and call.model not in self._whole

    def learn(self, call: Call, status: int, message: str) -> bool:
        """Learn from a rejected stream; return whether to retry the call without streaming."""
        refused = status in REFUSING or (status in {400, 422} and "stream" in message.lower())
        if not (refused and self.should_stream(call)):
            return False
        self._whole.add(call.model)
        return True


def is_event_stream(response: httpx2.Response) -> bool:
    """Whether the body is an event stream; servers without streaming send a whole response."""
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "text/event-stream"


class PartialAnswer:
    """The latest partial answer of one call; `was_forwarded` says whether any was sent on."""

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.was_forwarded = False
        self._fresh = asyncio.Event()

    def take(self, answer: Answer) -> None:
        self.answer = answer.as_partial
        self._fresh.set()

    async def forward(self, on_partial: PartialCallback) -> None:
        """Forward the latest partial answer at a readable pace until the call ends."""
        while True:
            await self._fresh.wait()
            self._fresh.clear()
            fields = _fields(self.answer.text) if self.answer else {}
            if fields:
                self.was_forwarded = True
                await on_partial(fields)
                await asyncio.sleep(PACE_S)


@asynccontextmanager
async def forward_partials(on_partial: PartialCallback | None) -> AsyncIterator[PartialAnswer]:
    """Forward a call's partial answers. Errors raised by `on_partial` are re-raised after the call."""
    partial = PartialAnswer()
    if on_partial is None:
        yield partial
        return
    forwarding = asyncio.create_task(partial.forward(on_partial))
    try:
        yield partial
    finally:
        forwarding.cancel()
        await asyncio.wait([forwarding])
        if not forwarding.cancelled() and (error := forwarding.exception()) is not None:
            raise error


def _fields(text: str) -> Mapping[str, Any]:
    """The fields of the JSON object that begins in the text; empty if it cannot be parsed yet."""
    start = text.find("{")
    if start < 0 or len(text) > LONGEST_PARTIAL:
        return {}
    try:
        found = from_json(text[start:], allow_partial="trailing-strings")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
