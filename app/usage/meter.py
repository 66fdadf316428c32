"""Meters the calls of one request, and knows who pays for them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from uuid import uuid4

from app.domain.metrics.telemetry import RequestIds
from app.domain.metrics.usage import CallUsage, UsageRecord, UsageTotals
from app.usage.prices import Charge

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
class Spender(RequestIds):
    """Who pays for the calls, and what they are for."""

    message_id: str = ""
    step_index: int = 0


NOBODY = Spender(tenant="-", user="-", session_id="", task_id="", trace_id="", request_id="")


def usage_row(usage: CallUsage, by: Spender, charge: Charge, at: datetime) -> UsageRecord:
    """The usage row of a call that ended `at` that time and that `by` pays for."""
    output = usage.output_tokens + usage.thinking_tokens
    counted = asdict(usage) | {
        "output_tokens": output,
        "total_tokens": usage.input_tokens + output,
        "action_type": ACTION_TYPES.get(usage.purpose, usage.purpose.upper()),
    }
    return UsageRecord(
        usage_id=str(uuid4()),
        cost_usd=charge.usd,
        priced=charge.known,
        ok=usage.ok,
        created_at=at,
        **counted,
        **asdict(by),
    )


@dataclass(slots=True)
class Meter:
    """The calls of one request, in order. One mutable object, shared by all tasks of the run."""

    by: Spender = NOBODY
    calls: list[UsageRecord] = field(default_factory=list)

    def set_chain(self, trace_id: str, message_id: str | None = None) -> None:
        """Attribute subsequent calls to this chain, and to this history entry if it is not the request's."""
        message_id = self.by.message_id if message_id is None else message_id
        self.by = replace(self.by, trace_id=trace_id, message_id=message_id)

    @property
    def spent(self) -> UsageTotals:
        """The totals so far. Searches and embeddings add to the cost, but are not model calls."""
        model_calls = [call for call in self.calls if call.kind == "model"]
        return UsageTotals(
            calls=len(self.calls),
            model_calls=len(model_calls),
            input_tokens=sum(call.input_tokens for call in self.calls),
            output_tokens=sum(call.output_tokens for call in self.calls),
            cost_usd=sum(call.cost_usd for call in self.calls),
            cost_known=all(call.priced for call in self.calls),
            model=model_calls[-1].model if model_calls else None,
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


def add_to_meter(call: UsageRecord) -> None:
    meter = _meter.get()
    if meter is not None:
        meter.calls.append(call)


def current_spender() -> Spender:
    """Who pays for calls made now; `NOBODY` outside of a request."""
    meter = _meter.get()
    return meter.by if meter is not None else NOBODY
