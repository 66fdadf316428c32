"""`Model` over any transport: guarded, read, asked a second time, and written down."""

import asyncio
import math
import time
from collections.abc import Mapping
from dataclasses import replace

from app.errors import ModelFailed, ModelReplyInvalid
from app.llm.guards import Guards
from app.llm.port import ModelRequest, ModelUsage, Reply, Tier, UsageHook
from app.llm.repair import UnusableReply, read
from app.llm.schemas import schema_of
from app.llm.transport import Answer, Call, CallFailed, Counts, Transport

AGAIN = (
    "\n\nYour last reply could not be used: {flaw}. Reply with one JSON object of the asked shape."
)
TIMEOUT_S = 30.0  # a strong model thinks for some seconds; a person waits meanwhile
INLINE_CHARS = 2_000  # longer texts are read on a thread
MORE_ROOM = 2  # times the length, when a reply was cut at it


class GuardedModel:
    """Asks one provider; `names` gives the model of each tier, `timeout_s` what a question that
    says nothing of its own may take.
    """

    def __init__(
        self,
        transport: Transport,
        names: Mapping[Tier, str],
        hook: UsageHook,
        guards: Guards | None = None,
        timeout_s: float = TIMEOUT_S,
    ) -> None:
        self._transport = transport
        self._names = dict(names)
        self._hook = hook
        self._guards = guards or Guards()
        self._timeout_s = timeout_s

    @property
    def names(self) -> dict[Tier, str]:
        """The provider's name for the model of each tier."""
        return dict(self._names)

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        """The reply, validated; asked for once more when the first is not of the shape.

        Its time covers all of it, waiting and retries included. Raises `ModelFailed`.
        """
        timeout_s = self._timeout_s if request.timeout_s is None else request.timeout_s
        deadline = asyncio.get_running_loop().time() + timeout_s
        call = _call(request, self._names[request.tier], timeout_s)
        try:
            return await self._reply(request, call, deadline)
        except UnusableReply as flaw:
            again = _again(call, flaw)
        try:
            return await self._reply(request, again, deadline)
        except UnusableReply as flaw:
            raise ModelReplyInvalid(f"{call.model} was asked twice: {flaw}") from flaw

    async def _reply(self, request: ModelRequest[Reply], call: Call, deadline: float) -> Reply:
        """One reply. Raises `UnusableReply`, `ModelFailed`."""

        async def attempt() -> tuple[Answer, float]:
            return await self._sent(request.purpose, call, deadline)

        try:
            answer, took_ms = await self._guards.run(call.model, deadline, attempt)
        except CallFailed as failure:
            raise _told(failure, call.model) from failure.__cause__
        try:
            reply = await _read(answer, request.reply)
        except UnusableReply:
            self._note(request.purpose, call.model, answer.counts, took_ms, ok=False)
            raise
        self._note(request.purpose, call.model, answer.counts, took_ms, ok=True)
        return reply

    async def _sent(self, purpose: str, call: Call, deadline: float) -> tuple[Answer, float]:
        """One call over the wire, and how many milliseconds it took."""
        started = time.perf_counter()
        left = max(0.001, deadline - asyncio.get_running_loop().time())
        counts = Counts()
        try:
            answer = await self._transport.send(replace(call, timeout_s=left))
        except BaseException as error:
            if isinstance(error, CallFailed):
                counts = error.counts
            took_ms = (time.perf_counter() - started) * 1000
            self._note(purpose, call.model, counts, took_ms, ok=False)
            raise
        return answer, (time.perf_counter() - started) * 1000

    def _note(self, purpose: str, model: str, counts: Counts, took_ms: float, *, ok: bool) -> None:
        self._hook(
            ModelUsage(
                provider=self._transport.provider,
                model=model,
                purpose=purpose,
                input_tokens=counts.input,
                cached_tokens=counts.cached,
                output_tokens=counts.output,
                thinking_tokens=counts.thinking,
                duration_ms=took_ms,
                ok=ok,
            )
        )


def _call(request: ModelRequest[Reply], model: str, timeout_s: float) -> Call:
    return Call(
        model=model,
        system=request.system,
        prompt=request.prompt,
        schema=schema_of(request.reply),
        images=request.images,
        max_output_tokens=request.max_output_tokens,
        thinking_tokens=request.thinking_tokens,
        timeout_s=timeout_s,
    )


def _again(call: Call, flaw: UnusableReply) -> Call:
    """The same with what was wrong at its end, so that a prompt cache still hits."""
    more = MORE_ROOM if flaw.cut else 1
    return replace(
        call,
        prompt=call.prompt + AGAIN.format(flaw=flaw),
        max_output_tokens=call.max_output_tokens * more,
    )


async def _read(answer: Answer, reply: type[Reply]) -> Reply:
    """The reply; a long text is read on a thread, since repairing one can take a second."""
    if len(answer.text) <= INLINE_CHARS:
        return read(answer, reply)
    return await asyncio.to_thread(read, answer, reply)


def _told(failure: CallFailed, model: str) -> ModelFailed:
    """The error for the rest, which names the model and how long to wait."""
    error = failure.error
    wait = error.retry_after if failure.after is None else max(1, math.ceil(failure.after))
    return type(error)(f"{model}: {error.detail}", retry_after=wait)
