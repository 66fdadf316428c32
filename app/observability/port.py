"""The observer port, the fan-out to all observers, and the nodes that the current run visited."""

from collections.abc import Callable, Sequence
from contextvars import ContextVar

import structlog

from app.domain.metrics.telemetry import ModelExchange, RunReport, Satisfaction
from app.domain.metrics.usage import UsageRecord

log = structlog.get_logger(__name__)


class Observer:
    """Notified of events on the event loop: must not block. Does nothing by default."""

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        """A remote call has ended; `exchange` has its texts if available."""

    def on_run(self, report: RunReport) -> None:
        """A run of the graph has ended."""

    def on_rating(self, rating: Satisfaction) -> None:
        """A user rated an answer."""


class Observers(Observer):
    """All observers as one. An exception in one is logged, and affects neither others nor the run."""

    def __init__(self, observers: Sequence[Observer] = ()) -> None:
        self._observers = tuple(observers)

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        self._notify(lambda observer: observer.on_call(record, exchange))

    def on_run(self, report: RunReport) -> None:
        self._notify(lambda observer: observer.on_run(report))

    def on_rating(self, rating: Satisfaction) -> None:
        self._notify(lambda observer: observer.on_rating(rating))

    def _notify(self, event: Callable[[Observer], None]) -> None:
        for observer in self._observers:
            try:
                event(observer)
            except Exception:
                log.exception("observer failed", observer=type(observer).__name__)


MOST_VISITS = 50

_trail: ContextVar[list[str] | None] = ContextVar("trail", default=None)


def start_trail() -> None:
    """Start the trail of a run, in this task and those it starts."""
    _trail.set([])


def add_visit(node: str) -> None:
    trail = _trail.get()
    if trail is not None:
        trail.append(node)
        del trail[:-MOST_VISITS]


def visited_nodes() -> tuple[str, ...]:
    """The visited nodes in order; empty outside of a run."""
    return tuple(_trail.get() or ())
