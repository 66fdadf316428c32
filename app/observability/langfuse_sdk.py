"""LangFuse's own SDK, held so that it can do no harm: it makes the spans, and sends nothing by itself.

It would flush for tens of seconds against a server that is away, on its own threads and when the process
ends. Here its spans are taken by an exporter that only keeps them, its queues stay empty, and so flushing
and closing it take no time. Importing this module takes seconds.
"""

import base64
import gzip
import json
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import httpx
from langfuse import (
    Langfuse,
    LangfuseEmbedding,
    LangfuseGeneration,
    LangfuseOtelSpanAttributes,
    LangfuseRetriever,
    LangfuseSpan,
    LangfuseTool,
    __version__,
)
from langfuse._client.constants import LANGFUSE_TRACER_NAME
from langfuse._client.propagation import LANGFUSE_TRACE_ID_BAGGAGE_KEY
from langfuse._client.resource_manager import LangfuseResourceManager
from langfuse.api.core import ApiError
from langfuse.logger import console_handler, httpx_logger
from opentelemetry.baggage import set_baggage
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

from app.observability.langfuse_config import LangfuseConfig
from app.observability.langfuse_shapes import Drawn, Kind, Observation, Score, Trace
from app.observability.langfuse_wire import Lost, answered, lost

CONNECT_S = 1.0
AT_ONCE = 128  # spans on their way through the SDK, whose own queue drops silently beyond 2,048
BREATH_S = 0.000_05  # else requests wait for the interpreter, 5 ms at a time
NEVER_S = 86_400.0  # the SDK's own timers have nothing to do
LONGEST_TEXT = 100_000  # characters; our longest prompts have some 30,000
Attributes = LangfuseOtelSpanAttributes

CLASSES: Final[dict[Kind, Any]] = {
    "span": LangfuseSpan,
    "generation": LangfuseGeneration,
    "embedding": LangfuseEmbedding,
    "tool": LangfuseTool,
    "retriever": LangfuseRetriever,
}


class LangfuseSdk:
    """Sends what was drawn. For one thread."""

    def __init__(self, config: LangfuseConfig) -> None:
        httpx_logger.removeHandler(console_handler)  # it prints to the terminal, past our logs
        self._config = config
        self._ids, self._kept = _Ids(), _Kept()
        self._provider = TracerProvider(
            resource=Resource({"service.name": "tabwright"}),
            id_generator=self._ids,
            shutdown_on_exit=False,
        )
        self._http = httpx.Client(timeout=httpx.Timeout(CONNECT_S), headers=_headers(config))
        self._client = Langfuse(
            public_key=config.public_key,
            secret_key=config.secret_key,
            base_url=config.base_url,
            environment=config.environment,
            release=config.release,
            tracer_provider=self._provider,
            span_exporter=self._kept,
            httpx_client=self._http,
            flush_at=AT_ONCE,
            flush_interval=NEVER_S,
        )
        assert self._client._resources is not None
        # It would upload what looks like a picture in a prompt, by calls of its own.
        self._client._resources._media_manager._enabled = False
        self._tracer = self._provider.get_tracer(
            LANGFUSE_TRACER_NAME, __version__, attributes={"public_key": config.public_key}
        )

    def send(self, drawn: Drawn, timeout_s: float) -> None:
        """Send it, observations first. Raises `Lost`."""
        if drawn.observations:
            self._send_spans(self._spans(drawn.observations), timeout_s)
        if drawn.scores:
            self._send_scores(drawn.scores, timeout_s)

    def close(self) -> None:
        """End the SDK's threads; what was not sent is gone."""
        self._client.shutdown()
        self._provider.shutdown()
        # It remembers its clients by key, and would hand this closed one to the next.
        with LangfuseResourceManager._lock:
            LangfuseResourceManager._instances.pop(self._config.public_key, None)
        self._http.close()

    def _spans(self, observations: Sequence[Observation]) -> list[ReadableSpan]:
        for start in range(0, len(observations), AT_ONCE):
            for one in observations[start : start + AT_ONCE]:
                self._make(one)
                time.sleep(BREATH_S)
            self._provider.force_flush()
        return self._kept.taken()

    def _make(self, one: Observation) -> None:
        self._ids.next = (one.trace.trace_id, one.span_id)
        span = self._tracer.start_span(
            one.name,
            context=_under(one),
            start_time=_nanoseconds(one.started_at),
            attributes=_shared(one.trace) | _prompt(one),
        )
        words: dict[str, Any] = {
            "input": _bounded(one.input),
            "output": _bounded(one.output),
            "metadata": dict(one.metadata) or None,
        }
        if one.kind in ("generation", "embedding"):
            words |= {"model": one.model, "usage_details": one.usage, "cost_details": one.cost}
        made = CLASSES[one.kind](otel_span=span, langfuse_client=self._client, **words)
        made.end(end_time=_nanoseconds(max(one.started_at, one.ended_at)))

    def _send_spans(self, spans: Sequence[ReadableSpan], timeout_s: float) -> None:
        if not spans:  # OTEL_SDK_DISABLED, LANGFUSE_TRACING_ENABLED=false
            return
        body = gzip.compress(encode_spans(spans).SerializeToString(), compresslevel=3)
        try:
            answer = self._http.post(
                f"{self._config.base_url}/api/public/otel/v1/traces",
                content=body,
                headers={
                    "content-type": "application/x-protobuf",
                    "content-encoding": "gzip",
                    "x-langfuse-ingestion-version": "4",
                },
                timeout=httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s)),
            )
        except httpx.HTTPError as error:
            raise lost(error) from None
        answered(answer.status_code)
        told = ExportTraceServiceResponse()
        if answer.content and "protobuf" in answer.headers.get("content-type", ""):
            told.ParseFromString(answer.content)
        if told.partial_success.rejected_spans:
            raise Lost("refused", count=told.partial_success.rejected_spans)

    def _send_scores(self, scores: Sequence[Score], timeout_s: float) -> None:
        bodies: Any = [_score(one, self._config.environment) for one in scores]
        try:
            told = self._client.api.scores.create(
                request=bodies,
                request_options={"timeout_in_seconds": timeout_s, "max_retries": 0},
            )
        except httpx.HTTPError as error:
            raise lost(error) from None
        except ApiError as error:
            answered(error.status_code or 0)
            raise Lost("away") from None
        if rejected := getattr(told, "rejected", 0):
            raise Lost("refused", count=rejected)


class _Kept(SpanExporter):
    """Takes the SDK's spans, and keeps them until they are asked for."""

    def __init__(self) -> None:
        self._spans: list[ReadableSpan] = []

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self._spans.extend(spans)
        return SpanExportResult.SUCCESS

    def taken(self) -> list[ReadableSpan]:
        """What was kept, which is kept no more."""
        spans, self._spans = self._spans, []
        return spans

    def shutdown(self) -> None:
        """Nothing to end."""

    def force_flush(self, timeout_millis: int = 0) -> bool:
        return True


class _Ids(IdGenerator):
    """The ids that were decided on: a pair of hex digits for the next span."""

    next: tuple[str, str] = ("1", "1")

    def generate_trace_id(self) -> int:
        return int(self.next[0], 16)

    def generate_span_id(self) -> int:
        return int(self.next[1], 16)


def _headers(config: LangfuseConfig) -> dict[str, str]:
    pair = base64.b64encode(f"{config.public_key}:{config.secret_key}".encode()).decode()
    return {
        "authorization": f"Basic {pair}",
        "x-langfuse-sdk-name": "python",
        "x-langfuse-sdk-version": __version__,
        "x-langfuse-public-key": config.public_key,
    }


def _under(one: Observation) -> Context:
    """The context of a span with that parent; never that of the thread."""
    if one.parent_id is None:
        return Context()
    parent = SpanContext(
        trace_id=int(one.trace.trace_id, 16),
        span_id=int(one.parent_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )
    # Else the SDK takes it for a root, since it does not know the parent: that has ended.
    told = set_baggage(LANGFUSE_TRACE_ID_BAGGAGE_KEY, one.trace.trace_id, Context())
    return set_span_in_context(NonRecordingSpan(parent), told)


def _shared(trace: Trace) -> dict[str, Any]:
    """LangFuse reads what is said of a trace from each of its observations."""
    named = {Attributes.TRACE_NAME: trace.name} if trace.name else {}
    return named | {
        Attributes.TRACE_USER_ID: trace.user,
        Attributes.TRACE_SESSION_ID: trace.session,
        Attributes.TRACE_TAGS: trace.tags,
        f"{Attributes.TRACE_METADATA}.tenant": json.dumps(trace.tenant),
    }


def _prompt(one: Observation) -> dict[str, Any]:
    if not one.prompt_name:
        return {}
    known = {Attributes.OBSERVATION_PROMPT_NAME: one.prompt_name}
    if not one.prompt_version.isdecimal():
        return known
    return known | {Attributes.OBSERVATION_PROMPT_VERSION: int(one.prompt_version)}


def _bounded(words: object) -> object:
    """The same with its long texts cut, and without halves of characters, which cannot be sent."""
    if isinstance(words, str):
        cut = len(words) - LONGEST_TEXT
        kept = f"{words[:LONGEST_TEXT]}… ({cut} more characters)" if cut > 0 else words
        return kept if kept.isascii() else kept.encode("utf-8", "replace").decode()
    if isinstance(words, list):
        return [_bounded(one) for one in words]
    if isinstance(words, dict):
        return {key: _bounded(one) for key, one in words.items()}
    return words


def _score(one: Score, environment: str) -> dict[str, Any]:
    of = {"observationId": one.observation_id} if one.observation_id else {}
    said = {"comment": one.comment} if one.comment else {}
    return {
        **of,
        **said,
        "id": one.score_id,
        "traceId": one.trace_id,
        "name": one.name,
        "value": one.value,
        "dataType": "NUMERIC",
        "environment": environment,
        "timestamp": one.at.isoformat(),
    }


def _nanoseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000) * 1000
