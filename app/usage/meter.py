"""Counts what the models took while one request was worked on."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import uuid4

from app.domain.usage import Spent
from app.llm.port import ModelUsage
from app.usage.pricing import cost


@dataclass(frozen=True, slots=True)
class Call:
    """One call over the wire: what it took, when it ended, its cost in USD (None: not known).

    `call_id` stays the same, however often the row of the call is written.
    """

    usage: ModelUsage
    at: datetime
    cost_usd: float | None
    call_id: str


@dataclass(slots=True)
class Meter:
    """The calls of one request, in order. One object, so that every task of the run shares it."""

    calls: list[Call] = field(default_factory=list)

    def add(self, usage: ModelUsage) -> None:
        """Take note of a call."""
        now = datetime.now(UTC)
        self.calls.append(Call(usage, now, cost(usage, now.date()), str(uuid4())))

    @property
    def spent(self) -> Spent:
        """The sums so far."""
        return Spent(
            model_calls=len(self.calls),
            input_tokens=sum(call.usage.input_tokens for call in self.calls),
            output_tokens=sum(
                call.usage.output_tokens + call.usage.thinking_tokens for call in self.calls
            ),
            cost_usd=sum(call.cost_usd or 0.0 for call in self.calls),
            cost_known=all(call.cost_usd is not None for call in self.calls),
            model=self.calls[-1].usage.model if self.calls else None,
        )


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)


@contextmanager
def metered() -> Iterator[Meter]:
    """A meter for all that is called within, also by tasks that are started within."""
    meter = Meter()
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)


def record(usage: ModelUsage) -> None:
    """The hook for `app.llm`: notes the call on the request's meter, if there is a request."""
    meter = _meter.get()
    if meter is not None:
        meter.add(usage)
