"""Meters the calls of one request, and knows who pays for them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from app.domain.metrics.usage import CallUsage, UsageRecord, UsageTotals

# Some calls do several things at once; each is billed under its main one.
ACTION_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "opening": "PLANNING",  # including the context analysis and the first actions
        "acting": "REFINEMENT",  # including the actions and their predictions
        "answering": "ACTION_GENERATION",  # the server-side action `extract`
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
        "support": "CHAT_SUPPORT",  # whether an answer's quotes support its claims
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spender:
    """Who pays for the calls, and what they are for."""

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
    """One remote call: its usage, end time, and cost in USD. If not everything has a price (`priced` is
    False), the cost is a lower bound.

    `call_id` stays the same if the row is written again.
    """

    usage: CallUsage
    at: datetime
    cost_usd: float
    priced: bool
    call_id: str


def usage_row(call: MeteredCall, by: Spender) -> UsageRecord:
    """The usage row of a call that `by` pays for."""
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
    """The calls of one request, in order. One mutable object, shared by all tasks of the run."""

    by: Spender = NOBODY
    calls: list[MeteredCall] = field(default_factory=list)

    def set_chain(self, trace_id: str, message_id: str | None = None) -> None:
        """Attribute subsequent calls to this chain of requests, and to this history entry if it is not
        the request's own.
        """
        message_id = self.by.message_id if message_id is None else message_id
        self.by = replace(self.by, trace_id=trace_id, message_id=message_id)

    @property
    def spent(self) -> UsageTotals:
        """The totals so far. Searches and embeddings add to the cost, but are not model calls."""
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
    """Meter all calls within the context, including those of tasks started in it; `by` pays."""
    meter = Meter(by)
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


def add_to_meter(call: MeteredCall) -> None:
    """Add the call to the request's meter, if there is one."""
    meter = _meter.get()
    if meter is not None:
        meter.calls.append(call)


def current_spender() -> Spender:
    """Who pays for calls made now; `NOBODY` outside of a request."""
    meter = _meter.get()
    return meter.by if meter is not None else NOBODY
