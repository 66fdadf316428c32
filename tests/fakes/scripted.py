"""A vendor's server that answers from a script, and fails the test when the script runs out.

    with FakeGemini().served() as gemini:
        gemini.script({"answer": "42"}, rate_limit(2), lambda call: {"id": call.id_of("Save")})
        gemini.when(asks_for("sensible"), {"sensible": True}, always=True)
        ...
    gemini.calls        every request, with what it cost

On leaving, `check()` raises what went wrong inside: a request the script has no step for, a callable
that raised.
"""

import asyncio
import json
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tests.fakes.calls import Call
from tests.fakes.serving import served
from tests.fakes.steps import (
    Behaviour,
    Blocked,
    Cut,
    Empty,
    Gate,
    Pieces,
    RateLimit,
    Raw,
    Say,
    Status,
    Wait,
    text_of,
)  # fmt: skip
from tests.fakes.tokens import shared_prefix, tokens_of

Match = Callable[[Call], bool]
Endpoint = Callable[[Request], Awaitable[Response]]
Hold = Callable[[Request, Gate], Awaitable[bool]]
PIECE, MOST_PIECES = 24, 60  # characters of a piece of a plain reply, at least, and pieces
POLL_S = 0.005
SHOWN = 2_000  # characters of an unexpected prompt that a failure prints


@dataclass
class _Rule:
    match: Match
    steps: deque[Any]
    always: bool


class CutResponse(Response):
    """Promises the whole body, sends a part of it, and hangs up."""

    def __init__(self, whole: Response, share: float) -> None:
        super().__init__(whole.body, whole.status_code, media_type=whole.media_type)
        self._sent = self.body[: int(len(self.body) * share)]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": self._sent, "more_body": True})


class StreamedResponse(Response):
    """Sends the events as they come due: `when` waits for the gate before each, and says whether to go on."""

    def __init__(self, sent: Sequence[bytes | Gate], wait: Hold, *, breaks: bool) -> None:
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]
        self._sent = sent
        self._wait = wait
        self._breaks = breaks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        for one in self._sent:
            if isinstance(one, bytes):
                await send({"type": "http.response.body", "body": one, "more_body": True})
            elif not await self._wait(Request(scope, receive), one):
                return
        if not self._breaks:
            await send({"type": "http.response.body", "body": b""})


class Scripted(ABC):
    """The script, what was asked, and the way from a step to an HTTP answer; vendors are thin."""

    cache_from: ClassVar[int] = 1 << 30  # tokens a common beginning must have to be cached
    cache_step: ClassVar[int] = 1

    def __init__(self, *, api_key: str | None = None) -> None:
        self.url = ""
        self.api_key = api_key  # the one that is right; None takes any
        self.streams = True  # whether it answers piece by piece
        self.calls: list[Call] = []
        self.failures: list[str] = []
        self._queue: deque[Any] = deque()
        self._rules: list[_Rule] = []
        self._seen: dict[str, list[list[int]]] = {}
        self._closed = threading.Event()

    # The script

    def script(self, *steps: Any) -> None:
        """Answer the next requests with these, in order; what was left of another script goes."""
        self._queue = deque(steps)

    def then(self, *steps: Any) -> None:
        """Add to the script."""
        self._queue.extend(steps)

    def when(self, match: Match, *steps: Any, always: bool = False) -> None:
        """Requests that match take these steps instead; the last one for good with `always`."""
        self._rules.append(_Rule(match, deque(steps), always))

    def always(self, step: Any) -> None:
        """Answer all that is left over with this."""
        self.when(lambda _: True, step, always=True)

    def clear(self) -> None:
        """Forget the script, the calls and what went wrong; what is cached stays."""
        self._queue.clear()
        self._rules.clear()
        self.calls.clear()
        self.failures.clear()

    @property
    def left(self) -> int:
        """How many steps of the script were not asked for yet."""
        return len(self._queue)

    @property
    def input_tokens(self) -> int:
        return sum(call.input_tokens for call in self.calls)

    @property
    def output_tokens(self) -> int:
        return sum(call.output_tokens for call in self.calls)

    async def called(self, times: int, seconds: float = 60) -> None:
        """Wait until so many requests have come in."""
        async with asyncio.timeout(seconds):
            while len(self.calls) < times:
                await asyncio.sleep(POLL_S)

    def check(self) -> None:
        """Raises `AssertionError` with all that went wrong inside."""
        if self.failures:
            raise AssertionError("\n\n".join(self.failures))

    # Serving

    @contextmanager
    def served(self) -> Iterator[Self]:
        """At `url`, on a thread of its own. Checks on leaving, unless the test has failed anyway."""
        with served(self.app()) as self.url:
            try:
                yield self
            finally:
                self._closed.set()
        self.check()

    @abstractmethod
    def app(self) -> Starlette:
        """The vendor's paths."""

    def route(self, path: str, answer: Endpoint, method: str) -> Route:
        """One path; what breaks in the fake itself fails the test."""

        async def guarded(request: Request) -> Response:
            request.state.began = time.perf_counter()
            try:
                return await answer(request)
            except Exception as error:  # noqa: BLE001 - told to the test, not to the client
                failed = self._failed(f"could not read {path}: {type(error).__name__}: {error}")
                return JSONResponse(self.error(failed.code, failed.message), failed.code)

        return Route(path, guarded, methods=[method])

    # What vendors say in their own words

    @abstractmethod
    def refused(self, call: Call) -> Status | None:
        """The error a real server answers before any model sees the request."""

    @abstractmethod
    def said(self, call: Call, say: Say) -> Any:
        """The body of a reply; fills in the call's output tokens."""

    @abstractmethod
    def error(self, code: int, message: str) -> Any:
        """The body of an error."""

    @abstractmethod
    def rate_limited(self, call: Call, limit: RateLimit) -> Status:
        """Too many requests."""

    def text_in(self, body: Any) -> str:
        """What the model says in a body; "" where it says nothing."""
        raise TypeError("this vendor has no streams")

    def events(self, call: Call, body: Any, texts: Sequence[str]) -> tuple[list[Any], list[Any]]:
        """A body as the events of a stream, one a text, and those that end it."""
        raise TypeError("this vendor has no streams")

    def blocked(self, call: Call, blocked: Blocked) -> Any:
        raise TypeError("this vendor has no such answer")

    def emptied(self, call: Call, empty: Empty) -> Any:
        raise TypeError("this vendor has no such answer")

    # From a request to an answer

    def bill(self, call: Call, *parts: str, images: int = 0) -> None:
        """Count what was sent: the text in the vendor's order, and tokens for images."""
        sent = tokens_of("\n".join(part for part in parts if part))
        call.input_tokens = len(sent) + images
        earlier = self._seen.setdefault(call.model, [])
        shared = max((shared_prefix(sent, other) for other in earlier), default=0)
        if shared >= self.cache_from:
            call.cached_tokens = shared - shared % self.cache_step
        earlier.append(sent)

    async def answer(self, request: Request, call: Call) -> Response:
        """Keep the call and answer it: a refusal, else the script's next step."""
        self.calls.append(call)
        step = self.refused(call) or self._next(call)
        response = await self._act(request, call, step)
        call.status = call.status or response.status_code
        call.took_ms = (time.perf_counter() - request.state.began) * 1000
        return response

    def _next(self, call: Call) -> Any:
        for rule in self._rules:
            if rule.steps and rule.match(call):
                return (
                    rule.steps[0] if rule.always and len(rule.steps) == 1 else rule.steps.popleft()
                )
        if self._queue:
            return self._queue.popleft()
        return self._failed(
            f"call {len(self.calls)} has no step in the script:\n"
            f"system: {call.system[:SHOWN]}\nprompt: {call.prompt[:SHOWN]}"
        )

    def _failed(self, why: str) -> Status:
        self.failures.append(f"{type(self).__name__}: {why}")
        return Status(500, message=f"the test's script failed: {why}")

    async def _act(self, request: Request, call: Call, step: Any) -> Response:
        step = self._resolved(call, step)
        match step:
            case Wait():
                if not await self._wait(request, call, step):
                    return Response(status_code=499)
                return await self._act(request, call, step.then)
            case Cut():
                call.cut = True
                return CutResponse(await self._act(request, call, step.then), step.share)
            case RateLimit():
                return self._sent(call, self.rate_limited(call, step))
            case Status():
                return self._sent(call, step)
            case Raw():
                return Response(step.content, media_type=step.content_type)
        if call.streamed:
            return self._stream(call, step)
        return JSONResponse(self._body(call, step))

    def _stream(self, call: Call, step: Behaviour) -> Response:
        body = self._body(call, step)
        parts = step.parts if isinstance(step, Pieces) else tuple(_parted(self.text_in(body)))
        texts = [one for one in parts if isinstance(one, str)]
        told, ending = self.events(call, body, texts)
        coming = iter(told)
        sent = [one if isinstance(one, Gate) else _event(next(coming)) for one in parts]
        if not isinstance(step, Pieces):
            return Response(b"".join([*sent, *map(_event, ending)]), media_type="text/event-stream")
        if step.ends and not step.breaks:
            sent += map(_event, ending)
        if step.cut:
            sent = [piece for one in sent for piece in _cut(one, step.cut)]

        async def wait(request: Request, gate: Gate) -> bool:
            return await self._wait(request, call, Wait(gate=gate))

        return StreamedResponse(sent, wait, breaks=step.breaks)

    def _resolved(self, call: Call, step: Any) -> Behaviour:
        while callable(step):
            try:
                step = step(call)
            except Exception as error:  # noqa: BLE001 - told to the test, not to the client
                step = self._failed(f"a step of the script raised {type(error).__name__}: {error}")
        return step if isinstance(step, Behaviour) else Say(text_of(step))

    def _body(self, call: Call, step: Behaviour) -> Any:
        match step:
            case Blocked():
                return self.blocked(call, step)
            case Empty():
                return self.emptied(call, step)
            case Say():
                call.answer = step.text
                return self.said(call, step)
            case Pieces():
                call.answer = "".join(step.texts)
                return self.said(call, Say(call.answer, limited=False))
        raise TypeError(f"{step} is no answer")

    def _sent(self, call: Call, step: Status) -> Response:
        body = self.error(step.code, step.message) if step.body is None else step.body
        call.input_tokens = call.cached_tokens = 0  # a refused request is not billed
        if isinstance(body, str):
            return Response(body, step.code, dict(step.headers), media_type="text/html")
        return JSONResponse(body, step.code, dict(step.headers))

    async def _wait(self, request: Request, call: Call, wait: Wait) -> bool:
        """Whether the answer is still wanted when it may go."""
        loop = asyncio.get_running_loop()
        until = None if wait.seconds is None else loop.time() + wait.seconds
        while not self._closed.is_set():
            if await request.is_disconnected():
                call.abandoned = True
                return False
            if wait.gate is not None and wait.gate.is_set():
                return True
            if until is not None and loop.time() >= until:
                return True
            await asyncio.sleep(POLL_S)
        return False


def _event(data: Any) -> bytes:
    said = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return f"data: {said}\r\n\r\n".encode()


def _parted(text: str) -> Iterator[str]:
    size = max(PIECE, len(text) // MOST_PIECES)
    for at in range(0, len(text), size):
        yield text[at : at + size]


def _cut(sent: bytes | Gate, size: int) -> Iterator[bytes | Gate]:
    if isinstance(sent, Gate):
        yield sent
        return
    for at in range(0, len(sent), size):
        yield sent[at : at + size]


def asks_for(*fields: str) -> Match:
    """Matches calls whose reply has all these fields."""
    return lambda call: call.asks_for(*fields)
