"""LangFuse as an observer: traces, generations and scores. Off without its keys."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import httpx
import structlog

from app.domain.metrics.telemetry import ModelExchange, RunReport, Satisfaction
from app.domain.metrics.usage import UsageRecord
from app.observability.config import LangfuseConfig, Misconfigured, langfuse_config
from app.observability.langfuse_traces import (
    Call,
    observe_call,
    observe_run,
    score_rating,
    score_run,
)
from app.observability.port import Observer
from app.settings import Settings
from app.threads import background_task

if TYPE_CHECKING:
    from app.observability.langfuse_export import ScoreSender, SpanSender

log = structlog.get_logger(__name__)

HOLD_S = 60.0  # a run with a few slow model calls; a call held longer is sent under its request
MOST_HELD = 2_000  # calls; beyond that the oldest are sent under their request
REQUEST_S = 5.0
CLOSE_S = 1.2  # together with Sentry, which closes after it: two seconds in total


@dataclass(slots=True)
class _Held:
    """The calls of one request, until its run is reported or the timer runs out."""

    timer: asyncio.TimerHandle
    calls: list[Call] = field(default_factory=list)


class LangfuseObserver(Observer):
    """Builds and queues traces. Calls are reported before their run and held until then."""

    def __init__(self, spans: "SpanSender", scores: "ScoreSender") -> None:
        self._spans, self._scores = spans, scores
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._held_calls = 0

    @property
    def waiting(self) -> int:
        """Calls, spans and scores that are not sent yet."""
        return self._held_calls + self._spans.waiting + self._scores.waiting

    @property
    def dropped(self) -> int:
        """Spans and scores lost since the process started."""
        return self._spans.dropped + self._scores.dropped

    def on_call(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        """Hold the call for its run; send it at once if it belongs to no request."""
        request = record.request_id
        if not request:
            self._spans.send([observe_call(record, exchange)])
            return
        if request not in self._held:
            timer = asyncio.get_running_loop().call_later(HOLD_S, self._release, request)
            self._held[request] = _Held(timer)
        self._held[request].calls.append((record, exchange))
        self._held_calls += 1
        if self._held_calls > MOST_HELD:
            self._release(next(iter(self._held)))

    def on_run(self, report: RunReport) -> None:
        """Send the run with the calls made in it, and its scores."""
        self._spans.send(observe_run(report, self._take(report.request_id)))
        self._scores.send(score_run(report))

    def on_rating(self, rating: Satisfaction) -> None:
        self._scores.send([score_rating(rating)])

    async def close(self, within_s: float) -> None:
        """Send everything held and queued, within that time."""
        for request in tuple(self._held):
            self._release(request)
        await asyncio.gather(
            asyncio.to_thread(self._spans.close, within_s), self._scores.close(within_s)
        )
        if self.dropped:
            log.error("langfuse: traces lost", dropped=self.dropped)

    def _take(self, request: str) -> list[Call]:
        held = self._held.pop(request, None)
        if held is None:
            return []
        held.timer.cancel()
        self._held_calls -= len(held.calls)
        return held.calls

    def _release(self, request: str) -> None:
        """Send the calls of the request without their run."""
        self._spans.send(observe_call(*call) for call in self._take(request))


@asynccontextmanager
async def open_langfuse(settings: Settings) -> AsyncIterator[LangfuseObserver | None]:
    """Open the observer, and close it at the end; None if LangFuse is not configured, or invalid."""
    try:
        config = langfuse_config(settings)
    except Misconfigured as error:
        log.warning("langfuse is off", reason=str(error))
        config = None
    if config is None:
        yield None
        return
    spans = await asyncio.to_thread(_span_sender, config)
    from app.observability.langfuse_export import ScoreSender  # noqa: PLC0415 (loaded by now)

    keys = (config.public_key, config.secret_key)
    async with httpx.AsyncClient(base_url=config.base_url, auth=keys, timeout=REQUEST_S) as http:
        scores = ScoreSender(http, config.environment)
        observer = LangfuseObserver(spans, scores)
        async with background_task(scores.run()):
            try:
                yield observer
            finally:
                await observer.close(CLOSE_S)


def _span_sender(config: LangfuseConfig) -> "SpanSender":
    # Its import takes 0.3 s: import it off the event loop, and only if it is used.
    from app.observability.langfuse_export import SpanSender  # noqa: PLC0415

    return SpanSender(config)
