"""A `Model` over any transport: guarded calls, parsing, one repair attempt, and usage records."""

import asyncio
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.domain.metrics.telemetry import ModelExchange
from app.domain.metrics.usage import (
    CallIntent,
    CallOutcome,
    CallUsage,
    UsageGate,
    UsageHook,
    allow_all_calls,
)
from app.errors import ModelFailed, ModelReplyInvalid
from app.llm.port import ModelRequest, Reply, Tier
from app.llm.providers.guards import CallGuards
from app.llm.providers.replies import UnusableReply, parse_reply, reply_schema
from app.llm.providers.transport import (
    UNCOUNTED,
    Answer,
    Call,
    CallFailed,
    PartialAnswer,
    Transport,
    forward_partials,
)

AGAIN = (
    "\n\nYour last reply could not be used: {flaw}. Reply with one JSON object of the asked shape."
)
TIMEOUT_S = 30.0  # a strong model thinks for some seconds while the user waits
INLINE_CHARS = 2_000  # longer texts are parsed on a thread
BYTES_A_CHARACTER = 100  # of a recording: 32 tokens per second of speech, at 16 kB
MORE_ROOM = 2  # factor for the length if a reply was truncated


class GuardedModel:
    """Calls one provider. `names` has the model of each tier; `timeout_s` is a request's default."""

    def __init__(
        self,
        transport: Transport,
        names: Mapping[Tier, str],
        hook: UsageHook,
        guards: CallGuards | None = None,
        timeout_s: float = TIMEOUT_S,
        gate: UsageGate = allow_all_calls,
    ) -> None:
        self._transport = transport
        self._names = dict(names)
        self._hook = hook
        self._gate = gate
        self._guards = guards or CallGuards()
        self._timeout_s = timeout_s

    @property
    def names(self) -> dict[Tier, str]:
        return dict(self._names)

    async def ask(self, request: ModelRequest[Reply]) -> Reply:
        """Return the validated reply; an invalid one is requested once more.

        The timeout covers everything, waiting and retries included. Raises `ModelFailed`.
        """
        timeout_s = self._timeout_s if request.timeout_s is None else request.timeout_s
        deadline = asyncio.get_running_loop().time() + timeout_s
        call = _call(request, self._names[request.tier], timeout_s)
        try:
            return await self._reply(request, call, deadline)
        except UnusableReply as flaw:
            again = _repair_call(call, flaw)
        if request.on_partial is not None:
            await request.on_partial({})
        try:
            return await self._reply(request, again, deadline)
        except UnusableReply as flaw:
            raise ModelReplyInvalid(f"{call.model} was asked twice: {flaw}") from flaw

    async def _reply(self, request: ModelRequest[Reply], call: Call, deadline: float) -> Reply:
        """Request one reply. Raises `UnusableReply`, `ModelFailed`."""

        async def attempt() -> _SentCall:
            return await self._send(request, call, deadline)

        try:
            sent = await self._guards.run(call.model, deadline, attempt)
        except CallFailed as failure:
            raise _name_model(failure, call.model) from failure.__cause__
        try:
            reply = await _read(sent.answer, request.reply)
        except UnusableReply:
            self._note(request, call, sent, "unusable")
            raise
        except BaseException as error:
            self._note(request, call, sent, _outcome_of(error, deadline))
            raise
        self._note(request, call, sent, "ok")
        return reply

    async def _send(self, request: ModelRequest[Reply], call: Call, deadline: float) -> "_SentCall":
        """Send the call in a form that the provider accepts. Raises `CallFailed`, `BudgetReached`."""
        while True:
            self._gate(self._intent(request, call))
            started = time.perf_counter()
            left = max(0.001, deadline - asyncio.get_running_loop().time())
            try:
                async with forward_partials(request.on_partial) as come:
                    heard = come.take if request.on_partial is not None else None
                    answer = await self._transport.send(
                        replace(call, timeout_s=left, on_partial=heard)
                    )
            except BaseException as error:
                sent = _SentCall(_so_far(error, come), started)
                self._note(request, call, sent, _outcome_of(error, deadline, come))
                if not isinstance(error, CallFailed):
                    raise
                if request.on_partial is not None and come.was_forwarded:
                    await request.on_partial({})
                if not error.try_other_form:
                    raise
                continue
            return _SentCall(answer, started)

    def _intent(self, request: ModelRequest[Reply], call: Call) -> CallIntent:
        return CallIntent(
            kind="model",
            provider=self._transport.provider,
            model=call.model,
            purpose=request.purpose,
            characters=len(call.system) + len(call.prompt) + _recording_size(call),
            images=len(call.images),
            most_output=call.max_output_tokens,
        )

    def _note(
        self, request: ModelRequest[Reply], call: Call, sent: "_SentCall", outcome: CallOutcome
    ) -> None:
        counts = sent.answer.counts
        usage = CallUsage(
            provider=self._transport.provider,
            model=call.model,
            purpose=request.purpose,
            input_tokens=counts.input,
            cached_tokens=counts.cached,
            output_tokens=counts.output,
            thinking_tokens=counts.thinking,
            counted=counts.known,
            duration_ms=sent.took_ms,
            outcome=outcome,
        )
        name, _, version = request.template.partition(".v")
        exchange = ModelExchange(
            system=call.system,
            prompt=call.prompt,
            reply=sent.answer.text,
            images=len(call.images),
            prompt_name=name,
            prompt_version=version,
        )
        self._hook(usage, exchange)


@dataclass(slots=True)
class _SentCall:
    """The result of one remote call that began at `started` (performance counter)."""

    answer: Answer
    started: float
    took_ms: float = 0.0

    def __post_init__(self) -> None:
        self.took_ms = (time.perf_counter() - self.started) * 1000


def _recording_size(call: Call) -> int:
    """The cost of recordings, as the number of text characters that costs the same."""
    return sum(len(one.data) for one in call.recordings) // BYTES_A_CHARACTER


def _so_far(error: BaseException, come: PartialAnswer) -> Answer:
    """The answer and usage of a failed call as far as known; unknown if nothing had arrived."""
    counts = error.counts if isinstance(error, CallFailed) else UNCOUNTED
    if come.answer is None:
        return Answer(text="", counts=counts)
    refused = counts.known and counts.input > 0
    return replace(come.answer, counts=counts) if refused else come.answer


def _outcome_of(
    error: BaseException, deadline: float, come: PartialAnswer | None = None
) -> CallOutcome:
    """The outcome of a failed call. Cancellation at the deadline is a `timeout`. A provider error after
    the answer began is `failed`, never `busy` or `rejected`.
    """
    if isinstance(error, CallFailed):
        begun = come is not None and come.answer is not None
        return "failed" if begun and error.outcome in ("busy", "rejected") else error.outcome
    if isinstance(error, asyncio.CancelledError):
        late = asyncio.get_running_loop().time() >= deadline
        return "timeout" if late else "cancelled"
    return "failed"


def _call(request: ModelRequest[Reply], model: str, timeout_s: float) -> Call:
    return Call(
        model=model,
        system=request.system,
        prompt=request.prompt,
        schema=reply_schema(request.reply),
        images=request.images,
        recordings=request.recordings,
        max_output_tokens=request.max_output_tokens,
        thinking_tokens=request.thinking_tokens,
        timeout_s=timeout_s,
    )


def _repair_call(call: Call, flaw: UnusableReply) -> Call:
    """Append the validation error to the prompt; at the end, so that the prompt cache still hits."""
    more = MORE_ROOM if flaw.cut else 1
    return replace(
        call,
        prompt=call.prompt + AGAIN.format(flaw=flaw),
        max_output_tokens=call.max_output_tokens * more,
    )


async def _read(answer: Answer, reply: type[Reply]) -> Reply:
    """Parse the reply; on a thread if it is long, since repairing one can take a second."""
    if len(answer.text) <= INLINE_CHARS:
        return parse_reply(answer, reply)
    return await asyncio.to_thread(parse_reply, answer, reply)


def _name_model(failure: CallFailed, model: str) -> ModelFailed:
    """Translate the error, adding the model's name and the retry delay."""
    error = failure.error
    wait = error.retry_after if failure.after is None else max(1, math.ceil(failure.after))
    return type(error)(f"{model}: {error.detail}", retry_after=wait)
