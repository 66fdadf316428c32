"""What the rest tells those who watch, and the fan-out to all of them."""

from collections.abc import Sequence
from typing import Protocol

import structlog

from app.domain.metrics.telemetry import ModelExchange, RunReport, Satisfaction
from app.domain.metrics.usage import UsageRecord

log = structlog.get_logger(__name__)


class Observer(Protocol):
    """Told of what has happened, on the event loop: it must neither wait nor take long."""

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        """A call over the wire has ended; `exchange` where its words are at hand."""
        ...

    def on_run(self, report: RunReport) -> None:
        """A pass through the graph has ended."""
        ...

    def on_rating(self, given: Satisfaction) -> None:
        """A person said what they think of an answer."""
        ...


class Observers:
    """All of them as one. What one raises is logged, and reaches neither the others nor the run."""

    def __init__(self, several: Sequence[Observer] = ()) -> None:
        self._several = tuple(several)

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        """A call over the wire has ended."""
        for one in self._several:
            try:
                one.on_call(record, exchange)
            except Exception:
                log.exception("observer failed", observer=type(one).__name__)

    def on_run(self, report: RunReport) -> None:
        """A pass through the graph has ended."""
        for one in self._several:
            try:
                one.on_run(report)
            except Exception:
                log.exception("observer failed", observer=type(one).__name__)

    def on_rating(self, given: Satisfaction) -> None:
        """A person said what they think of an answer."""
        for one in self._several:
            try:
                one.on_rating(given)
            except Exception:
                log.exception("observer failed", observer=type(one).__name__)
