"""Counts what the models took while one request was worked on, and knows for whom that is."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from app.domain.usage import Spent
from app.usage.rows import NOBODY, Call, Spender


@dataclass(slots=True)
class Meter:
    """The calls of one request, in order. One object, so that every task of the run shares it."""

    by: Spender = NOBODY
    calls: list[Call] = field(default_factory=list)

    def for_chain(self, trace_id: str, message_id: str | None = None) -> None:
        """What is called from now on belongs to this chain of requests, as the task's state has it; and to
        this line of the history, if it is not the request's own.
        """
        message_id = self.by.message_id if message_id is None else message_id
        self.by = replace(self.by, trace_id=trace_id, message_id=message_id)

    @property
    def spent(self) -> Spent:
        """The sums so far; searches and embeddings cost, and are no calls of a model."""
        asked = [call.usage for call in self.calls if call.usage.kind == "model"]
        every = [call.usage for call in self.calls]
        return Spent(
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
def metered(by: Spender) -> Iterator[Meter]:
    """A meter for all that is called within, also by tasks that are started within; `by` pays."""
    meter = Meter(by)
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


def add_to_meter(call: Call) -> None:
    """Note the call on the request's meter, if there is a request."""
    meter = _meter.get()
    if meter is not None:
        meter.calls.append(call)


def spender() -> Spender:
    """Who pays for what is called now; `NOBODY` outside of every request."""
    meter = _meter.get()
    return meter.by if meter is not None else NOBODY
