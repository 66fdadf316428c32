"""Sends observations and scores to LangFuse: OTLP with OpenTelemetry's batch processor, scores with its
REST API.

OpenTelemetry takes 0.3 s to import. Its global tracer provider is not touched.
"""

import asyncio
import base64
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from threading import Lock, Thread
from typing import Any

import httpx
import structlog
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential

from app.observability.config import LangfuseConfig, release
from app.observability.langfuse_traces import Observation, Score

log = structlog.get_logger(__name__)

MOST_SPANS = 20_000  # queued
MOST_CHARACTERS = 32_000_000  # of their attributes
BATCH = 50  # spans
REQUEST_CHARACTERS = 2_000_000  # per request; LangFuse accepts 4.5 MB
DELAY_S = 0.5  # spans within it are sent together
EXPORT_S = 60.0  # per batch with its retries, which back off from 1 to 16 s
MOST_SCORES = 5_000  # queued
SCORE_TRIES = 6
WARN_EVERY_S = 60.0


class SpanSender:
    """Queues observations and exports them on a thread; `send` never blocks.

    `waiting` counts queued spans, `dropped` those lost to a full queue or a failed export.
    """

    def __init__(self, config: LangfuseConfig) -> None:
        # The library would log each failed attempt; `_BoundedExporter` warns once a minute.
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        keys = base64.b64encode(f"{config.public_key}:{config.secret_key}".encode()).decode()
        self._exporter = _BoundedExporter(
            OTLPSpanExporter(
                endpoint=f"{config.base_url}/api/public/otel/v1/traces",
                headers={"Authorization": f"Basic {keys}", "x-langfuse-ingestion-version": "4"},
                timeout=EXPORT_S,
                compression=Compression.Gzip,
            )
        )
        self._ids = _ChosenIds()
        self._provider = TracerProvider(
            resource=Resource({"service.name": "tabwright"}),
            sampler=ALWAYS_ON,
            id_generator=self._ids,
            shutdown_on_exit=False,
        )
        self._provider.add_span_processor(
            BatchSpanProcessor(
                self._exporter,
                max_queue_size=MOST_SPANS,
                schedule_delay_millis=DELAY_S * 1000,
                max_export_batch_size=BATCH,
            )
        )
        self._tracer = self._provider.get_tracer("tabwright", release())
        self._labels: dict[str, str] = {
            "langfuse.environment": config.environment,
            "langfuse.release": release(),
        }

    @property
    def waiting(self) -> int:
        return self._exporter.waiting

    @property
    def dropped(self) -> int:
        return self._exporter.dropped

    def send(self, observations: Iterable[Observation]) -> None:
        """Queue the observations. Not thread-safe."""
        for observation in observations:
            self._ids.next = (observation.trace_id, observation.span_id)
            span = self._tracer.start_span(
                observation.name,
                context=_parent_context(observation),
                attributes={**self._labels, **observation.attributes},
                start_time=_nanoseconds(observation.started_at),
            )
            if isinstance(span, ReadableSpan) and self._exporter.admit(span):
                span.end(_nanoseconds(observation.ended_at))

    def close(self, within_s: float) -> None:
        """Export the queued spans within that time; the rest is dropped."""
        # The processor's own shutdown waits up to 30 s for a server that hangs.
        closing = Thread(target=self._provider.shutdown, name="langfuse-close", daemon=True)
        closing.start()
        closing.join(within_s)
        self._exporter.abandon()


class _BoundedExporter(SpanExporter):
    """Counts queued and lost spans, and splits batches that are too large for one request."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._lock = Lock()
        self._characters = 0
        self._abandoned = False
        self._warned_at = -WARN_EVERY_S
        self.waiting = 0
        self.dropped = 0

    def admit(self, span: ReadableSpan) -> bool:
        """Whether there is room for another span; if not, it counts as dropped."""
        size = _size(span.attributes)
        with self._lock:
            if self.waiting >= MOST_SPANS or self._characters + size > MOST_CHARACTERS:
                self.dropped += 1
                return False
            self.waiting += 1
            self._characters += size
            return True

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        for batch in _split(spans):
            if self._abandoned:
                break
            sent = self._exporter.export(batch) is SpanExportResult.SUCCESS
            with self._lock:
                if self._abandoned:
                    break
                self.waiting -= len(batch)
                self._characters -= sum(_size(span.attributes) for span in batch)
                self.dropped += 0 if sent else len(batch)
            if not sent:
                self._warn()
        return SpanExportResult.SUCCESS

    def abandon(self) -> None:
        """Count the queued spans as dropped, and send no more."""
        with self._lock:
            self._abandoned = True
            self.dropped += self.waiting
            self.waiting = 0

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def _warn(self) -> None:
        now = time.monotonic()
        if now - self._warned_at >= WARN_EVERY_S:
            self._warned_at = now
            log.warning("langfuse: export failed", waiting=self.waiting, dropped=self.dropped)


class ScoreSender:
    """Queues scores and posts them in batches; `send` never blocks. Use `run` as a background task."""

    def __init__(self, http: httpx.AsyncClient, environment: str) -> None:
        self._http = http
        self._environment = environment
        self._queue: asyncio.Queue[Score] = asyncio.Queue(MOST_SCORES)
        self.waiting = 0
        self.dropped = 0

    def send(self, scores: Iterable[Score]) -> None:
        """Queue the scores; they are dropped if the queue is full."""
        for score in scores:
            try:
                self._queue.put_nowait({**score, "environment": self._environment})
                self.waiting += 1
            except asyncio.QueueFull:
                self.dropped += 1

    async def run(self) -> None:
        """Post queued scores until cancelled."""
        while True:
            batch = [await self._queue.get()]
            while len(batch) < BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                self.dropped += await self._post(batch)
            except httpx.HTTPError as error:
                self.dropped += len(batch)
                log.warning("langfuse: scores lost", error=type(error).__name__, count=len(batch))
            self.waiting -= len(batch)
            for _ in batch:
                self._queue.task_done()

    async def close(self, within_s: float) -> None:
        """Wait until all scores are posted, for that time at most; the rest is dropped."""
        try:
            async with asyncio.timeout(within_s):
                await self._queue.join()
        except TimeoutError:
            self.dropped += self.waiting
            self.waiting = 0

    async def _post(self, batch: Sequence[Score]) -> int:
        """Post the scores; returns how many were rejected. Raises `httpx.HTTPError`."""
        retrying = AsyncRetrying(
            stop=stop_after_attempt(SCORE_TRIES),
            wait=wait_exponential(max=16),
            retry=retry_if_exception(_is_temporary),
            reraise=True,
        )
        async for attempt in retrying:
            with attempt:
                response = await self._http.post("/api/public/scores", json=batch)
                response.raise_for_status()
        if response.status_code != httpx.codes.MULTI_STATUS:
            return 0
        rejected: int = response.json().get("rejected", 0)
        return rejected


class _ChosenIds(IdGenerator):
    """An id generator that returns chosen ids, given in hex digits, for the next span."""

    next: tuple[str, str] = ("1", "1")

    def generate_trace_id(self) -> int:
        return int(self.next[0], 16)

    def generate_span_id(self) -> int:
        return int(self.next[1], 16)


def _is_temporary(error: BaseException) -> bool:
    if isinstance(error, httpx.HTTPStatusError):
        status = error.response.status_code
        return status == httpx.codes.TOO_MANY_REQUESTS or status >= 500
    return isinstance(error, httpx.TransportError)


def _parent_context(observation: Observation) -> Context:
    """A context with only the observation's parent, independent of the caller's."""
    if observation.parent_id is None:
        return Context()
    parent = SpanContext(
        trace_id=int(observation.trace_id, 16),
        span_id=int(observation.parent_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
    return set_span_in_context(NonRecordingSpan(parent), Context())


def _split(spans: Sequence[ReadableSpan]) -> Iterator[list[ReadableSpan]]:
    """Split spans into batches of at most `REQUEST_CHARACTERS`; a larger span gets its own."""
    batch: list[ReadableSpan] = []
    characters = 0
    for span in spans:
        size = _size(span.attributes)
        if batch and characters + size > REQUEST_CHARACTERS:
            yield batch
            batch, characters = [], 0
        batch.append(span)
        characters += size
    if batch:
        yield batch


def _size(attributes: Mapping[str, Any] | None) -> int:
    """The number of characters in the attributes' names and values."""
    return sum(
        len(name) + (len(value) if isinstance(value, str) else 0)
        for name, value in (attributes or {}).items()
    )


def _nanoseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000) * 1000
