"""A LangFuse server: OTLP over HTTP at `/api/public/otel/v1/traces`, and `/api/public/scores`.

It decodes what OpenTelemetry's real exporter sends, checks the keys, and keeps observations and scores
by their ids, as LangFuse does: what is sent twice is there once. `fails` makes it answer another status,
`hangs` not at all, `slow_s` late.
"""

import asyncio
import base64
import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.fakes.serving import served

TRACES = "/api/public/otel/v1/traces"
SCORES = "/api/public/scores"
PUBLIC_KEY, SECRET_KEY = "pk-lf-fake", "sk-lf-fake"
PREFIX = "langfuse."


@dataclass(frozen=True, slots=True)
class Seen:
    """One observation as LangFuse would keep it; `attributes` without the prefix `langfuse.`."""

    trace_id: str
    id: str
    parent_id: str | None
    name: str
    began: datetime
    ended: datetime
    attributes: dict[str, Any]
    resource: dict[str, Any]

    @property
    def kind(self) -> str:
        """`span`, `generation`, ..."""
        return str(self.attributes["observation.type"])

    def read(self, key: str) -> Any:
        """What is JSON in an attribute of the observation, `usage_details` or `metadata.priced`."""
        return json.loads(self.attributes[f"observation.{key}"])

    @property
    def metadata(self) -> dict[str, Any]:
        """What was said beside it."""
        start = "observation.metadata."
        return {
            key.removeprefix(start): value
            for key, value in self.attributes.items()
            if key.startswith(start)
        }


@dataclass(slots=True)
class FakeLangfuse:
    """What was sent, and how it is to be taken. The server runs on a thread of its own."""

    url: str = ""
    secret_key: str = SECRET_KEY
    most_bytes: int = 4_500_000  # of one body, unpacked
    fails: int | None = None
    hangs: bool = False
    slow_s: float = 0.0
    posts: int = 0  # requests to take something, taken or not
    sent: int = 0  # observations that were taken, those that came twice counted twice
    observations: dict[tuple[str, str], Seen] = field(default_factory=dict)
    scores: dict[str, dict[str, Any]] = field(default_factory=dict)
    bodies: list[bytes] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def environment(self) -> dict[str, str]:
        """For a backend in another process."""
        return {
            "LANGFUSE_PUBLIC_KEY": PUBLIC_KEY,
            "LANGFUSE_SECRET_KEY": self.secret_key,
            "LANGFUSE_BASE_URL": self.url,
        }

    @property
    def seen(self) -> list[Seen]:
        """All observations, in order of time."""
        with self.lock:
            return sorted(self.observations.values(), key=lambda one: (one.began, one.ended))

    @property
    def generations(self) -> list[Seen]:
        """The calls of models."""
        return [one for one in self.seen if one.kind == "generation"]

    def children(self, of: Seen) -> list[Seen]:
        """What hangs right under it."""
        return [one for one in self.seen if (one.trace_id, one.parent_id) == (of.trace_id, of.id)]

    def scored(self) -> dict[str, float]:
        """The value of each score, by name; one of several with the same name."""
        with self.lock:
            return {one["name"]: one["value"] for one in self.scores.values()}

    async def _trouble(self, request: Request) -> Response | None:
        self.posts += request.method == "POST"
        while self.hangs:
            await asyncio.sleep(0.02)
        await asyncio.sleep(self.slow_s)
        if self.fails is not None:
            return Response("it failed", self.fails)
        pair = base64.b64encode(f"{PUBLIC_KEY}:{self.secret_key}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {pair}":
            return JSONResponse({"message": "Invalid credentials"}, 401)
        return None

    async def take_traces(self, request: Request) -> Response:
        """OTLP, as protobuf."""
        body = await request.body()
        if (trouble := await self._trouble(request)) is not None:
            return trouble
        if request.headers.get("content-type") != "application/x-protobuf":
            return JSONResponse({"message": "Unsupported content type"}, 400)
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if len(body) > self.most_bytes:
            return Response("too large", 413)
        told = ExportTraceServiceRequest.FromString(body)
        with self.lock:
            self.bodies.append(body)
            for one in _seen(told):
                self.sent += 1
                self.observations[one.trace_id, one.id] = one
        answer = ExportTraceServiceResponse().SerializeToString()
        return Response(answer, media_type="application/x-protobuf")

    async def take_scores(self, request: Request) -> Response:
        """One score, or a list of them."""
        body = await request.body()
        if (trouble := await self._trouble(request)) is not None:
            return trouble
        told = json.loads(body)
        scores = told if isinstance(told, list) else [told]
        if any(not {"name", "value", "traceId"} <= one.keys() for one in scores):
            return JSONResponse({"message": "Invalid request data"}, 400)
        with self.lock:
            self.bodies.append(body)
            self.scores |= {one["id"]: one for one in scores}
        return JSONResponse({"accepted": len(scores)}, 202)

    async def projects(self, request: Request) -> Response:
        """What the SDK asks to check its keys."""
        if (trouble := await self._trouble(request)) is not None:
            return trouble
        return JSONResponse({"data": [{"id": "p", "name": "p", "metadata": {}}]})

    def app(self) -> Starlette:
        """What is served."""
        return Starlette(
            routes=[
                Route(TRACES, self.take_traces, methods=["POST"]),
                Route(SCORES, self.take_scores, methods=["POST"]),
                Route("/api/public/projects", self.projects),
            ]
        )


@contextmanager
def langfuse() -> Iterator[FakeLangfuse]:
    """One that is up."""
    fake = FakeLangfuse()
    with served(fake.app()) as url:
        fake.url = url
        yield fake
        fake.hangs = False


def _seen(told: ExportTraceServiceRequest) -> Iterator[Seen]:
    for group in told.resource_spans:
        resource = _attributes(group.resource.attributes)
        for scope in group.scope_spans:
            for span in scope.spans:
                attributes = _attributes(span.attributes)
                yield Seen(
                    trace_id=span.trace_id.hex(),
                    id=span.span_id.hex(),
                    parent_id=span.parent_span_id.hex() or None,
                    name=span.name,
                    began=_moment(span.start_time_unix_nano),
                    ended=_moment(span.end_time_unix_nano),
                    attributes={k.removeprefix(PREFIX): v for k, v in attributes.items()},
                    resource=resource,
                )


def _attributes(pairs: Any) -> dict[str, Any]:
    return {pair.key: _plain(MessageToDict(pair.value)) for pair in pairs}


def _plain(value: dict[str, Any]) -> Any:
    """An OTLP value, `{"stringValue": ...}`, as Python has it."""
    ((kind, inner),) = value.items() or (("none", None),)
    if kind == "arrayValue":
        return [_plain(one) for one in inner.get("values", [])]
    return int(inner) if kind == "intValue" else inner


def _moment(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)
