"""A `Model` over any transport: guarded calls, parsing, one repair attempt, and usage records."""

import asyncio
import math
import time
from collections.abc import Mapping
from dataclasses import replace

from app.domain.metrics.telemetry import ModelExchange
from app.domain.metrics.usage import (
    CallIntent,
    CallOutcome,
    CallUsage,
    UsageGate,
    UsageHook,
    allow_all_calls,
)
from app.errors import ModelReplyInvalid
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
INLINE_CHARS = 2_000  # longer texts are parsed on a thread: repairing one can take a second
BYTES_A_CHARACTER = (
    100  # of a recording that cost as much: 32 tokens per second of speech, at 16 kB
)
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
            # The error goes to the end of the prompt, so that the prompt cache still hits.
            again = replace(
                call,
                prompt=call.prompt + AGAIN.format(flaw=flaw),
                max_output_tokens=call.max_output_tokens * (MORE_ROOM if flaw.cut else 1),
            )
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
            error, after = failure.error, failure.after
            wait = error.retry_after if after is None else max(1, math.ceil(after))
            named = type(error)(f"{call.model}: {error.detail}", retry_after=wait)
            raise named from failure.__cause__
        try:
            if len(sent.answer.text) <= INLINE_CHARS:
                reply = parse_reply(sent.answer, request.reply)
            else:
                reply = await asyncio.to_thread(parse_reply, sent.answer, request.reply)
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
                async with forward_partials(request.on_partial) as partial:
                    on_partial = partial.take if request.on_partial is not None else None
                    answer = await self._transport.send(
                        replace(call, timeout_s=left, on_partial=on_partial)
                    )
            except BaseException as error:
                sent = _SentCall(_so_far(error, partial), started)
                self._note(request, call, sent, _outcome_of(error, deadline, partial))
                if not isinstance(error, CallFailed):
                    raise
                if request.on_partial is not None and partial.was_forwarded:
                    await request.on_partial({})
                if not error.try_other_form:
                    raise
                continue
            return _SentCall(answer, started)

    def _intent(self, request: ModelRequest[Reply], call: Call) -> CallIntent:
        recorded = sum(len(one.data) for one in call.recordings)
        return CallIntent(
            kind="model",
            provider=self._transport.provider,
            model=call.model,
            purpose=request.purpose,
            characters=len(call.system) + len(call.prompt) + recorded // BYTES_A_CHARACTER,
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


class _SentCall:
    """The result of one remote call that began at `started` (performance counter)."""

    def __init__(self, answer: Answer, started: float) -> None:
        self.answer = answer
        self.took_ms = (time.perf_counter() - started) * 1000


def _so_far(error: BaseException, partial: PartialAnswer) -> Answer:
    """The answer and usage of a failed call as far as known; unknown if nothing had arrived."""
    counts = error.counts if isinstance(error, CallFailed) else UNCOUNTED
    if partial.answer is None:
        return Answer(text="", counts=counts)
    refused = counts.known and counts.input > 0
    return replace(partial.answer, counts=counts) if refused else partial.answer


def _outcome_of(
    error: BaseException, deadline: float, partial: PartialAnswer | None = None
) -> CallOutcome:
    """The outcome of a failed call. Cancellation at the deadline is a `timeout`. A provider error after
    the answer began is `failed`, never `busy` or `rejected`.
    """
    if isinstance(error, CallFailed):
        begun = partial is not None and partial.answer is not None
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
