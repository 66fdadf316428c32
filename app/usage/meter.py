"""Counts what the models took while one request was worked on, and knows for whom that is."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from app.domain.metrics.usage import CallUsage, UsageRecord, UsageTotals

# Our calls do several things at once; each goes under the name a bill has for its main one.
ACTION_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "opening": "PLANNING",  # with the analysis of the context, and the first actions
        "acting": "REFINEMENT",  # with the actions, and what is expected of them
        "answering": "ACTION_GENERATION",  # the server's own action `extract`
        "weighing": "CONTEXT_ANALYSIS",
        "criticising": "CRITIC",
        "examining": "CRITIC",
        "hearing": "DYNAMIC_INTERRUPT",
        "judging": "VERIFICATION",
        "correcting": "SELF_CORRECTION",
        "searching": "WEB_SEARCH",
        "embedding": "EMBEDDING",
        "intent": "CHAT_INTENT",  # with the documents
        "inquire": "CHAT_INQUIRE",
        "summarize": "CHAT_SUMMARIZE",
        "compare": "CHAT_COMPARE",
        "audit": "CHAT_AUDIT",
        "support": "CHAT_SUPPORT",  # whether an answer's quotes say what it claims
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spender:
    """For whom and for what the calls were made."""

    tenant: str
    user: str
    session_id: str
    task_id: str
    trace_id: str
    request_id: str
    message_id: str = ""
    step_index: int = 0


NOBODY = Spender(tenant="-", user="-", session_id="", task_id="", trace_id="", request_id="")


@dataclass(frozen=True, slots=True)
class MeteredCall:
    """One call over the wire: what it took, when it ended, and its cost in USD; where that is not
    known as a whole (`priced` False), what is sure of it.

    `call_id` stays the same, however often the row of the call is written.
    """

    usage: CallUsage
    at: datetime
    cost_usd: float
    priced: bool
    call_id: str


def usage_row(call: MeteredCall, by: Spender) -> UsageRecord:
    """The row of a call that `by` pays for."""
    usage = call.usage
    output = usage.output_tokens + usage.thinking_tokens
    return UsageRecord(
        usage_id=call.call_id,
        tenant=by.tenant,
        user=by.user,
        session_id=by.session_id,
        message_id=by.message_id,
        task_id=by.task_id,
        trace_id=by.trace_id,
        request_id=by.request_id,
        step_index=by.step_index,
        kind=usage.kind,
        purpose=usage.purpose,
        action_type=ACTION_TYPES.get(usage.purpose, usage.purpose.upper()),
        provider=usage.provider,
        model=usage.model,
        input_tokens=usage.input_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=output,
        thinking_tokens=usage.thinking_tokens,
        total_tokens=usage.input_tokens + output,
        credits=usage.credits,
        cost_usd=call.cost_usd,
        priced=call.priced,
        counted=usage.counted,
        duration_ms=usage.duration_ms,
        ok=usage.ok,
        outcome=usage.outcome,
        created_at=call.at,
    )


@dataclass(slots=True)
class Meter:
    """The calls of one request, in order. One object, so that every task of the run shares it."""

    by: Spender = NOBODY
    calls: list[MeteredCall] = field(default_factory=list)

    def set_chain(self, trace_id: str, message_id: str | None = None) -> None:
        """What is called from now on belongs to this chain of requests, as the task's state has it; and to
        this line of the history, if it is not the request's own.
        """
        message_id = self.by.message_id if message_id is None else message_id
        self.by = replace(self.by, trace_id=trace_id, message_id=message_id)

    @property
    def spent(self) -> UsageTotals:
        """The sums so far; searches and embeddings cost, and are no calls of a model."""
        asked = [call.usage for call in self.calls if call.usage.kind == "model"]
        every = [call.usage for call in self.calls]
        return UsageTotals(
            calls=len(every),
            model_calls=len(asked),
            input_tokens=sum(one.input_tokens for one in every),
            output_tokens=sum(one.output_tokens + one.thinking_tokens for one in every),
            cost_usd=sum(call.cost_usd for call in self.calls),
            cost_known=all(call.priced for call in self.calls),
            model=asked[-1].model if asked else None,
        )


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def meter_calls(by: Spender) -> Iterator[Meter]:
    """A meter for all that is called within, also by tasks that are started within; `by` pays."""
    meter = Meter(by)
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


def add_to_meter(call: MeteredCall) -> None:
    """Note the call on the request's meter, if there is a request."""
    meter = _meter.get()
    if meter is not None:
        meter.calls.append(call)


def current_spender() -> Spender:
    """Who pays for what is called now; `NOBODY` outside of every request."""
    meter = _meter.get()
    return meter.by if meter is not None else NOBODY
