"""The trace id, log line and metrics of every request."""

from contextlib import ExitStack
from time import perf_counter
from typing import Any

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import CLIENT_GONE
from app.domain.metrics.telemetry import new_trace_id
from app.logs import bind_context, sanitize
from app.observability.prometheus import PrometheusMetrics
from app.vitals import working_on


class TraceId:
    """Gives each request a trace id, which the response returns as `X-Trace-Id`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        trace = scope["trace_id"] = new_trace_id()

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-trace-id", trace.encode())]
            await send(message)

        await self._app(scope, receive, tell)


log = structlog.get_logger(__name__)

NO_ROUTE = "(none)"  # for unmatched paths, which are unbounded
QUIET = frozenset({"/healthz", "/readyz", "/metrics"})  # polled every few seconds
FAILED = 500
LONGEST_PATH = 80


class AccessLog:
    """Records method, route template, status and duration of each request; never its query or body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        bind_context(trace=scope.get("trace_id", ""))
        visit = _Visit(scope)

        async def track(message: Message) -> None:
            if message["type"] == "http.response.start":
                visit.answered(message)
            elif not message.get("more_body", False):
                visit.whole = True
            await send(message)

        path = sanitize(scope["path"], LONGEST_PATH)
        work = working_on(f"{scope['method']} {path}", traceId=scope.get("trace_id", ""))
        with visit.open, work:
            try:
                await self._app(scope, receive, track)
                if visit.streams and not visit.whole:  # the server is stopping
                    await send({"type": "http.response.body", "body": b""})
            except Exception:
                visit.status = FAILED
                raise
            finally:
                visit.over()


class _Visit:
    """One request, from its arrival until the response has ended."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._signals: PrometheusMetrics | None = scope.get("state", {}).get("signals")
        self._began = perf_counter()
        self._first_byte: float | None = None
        self.open = ExitStack()
        self.status = CLIENT_GONE
        self.streams = self.whole = False

    def answered(self, message: Message) -> None:
        """Record the start of the response. Streams are timed until here, since they last as long
        as a client listens.
        """
        self.status = message["status"]
        kind = next((v for k, v in message["headers"] if k.lower() == b"content-type"), b"")
        if kind.startswith(b"text/event-stream"):
            self.streams = True
            self._first_byte = perf_counter() - self._began
            if self._signals is not None:
                self.open.enter_context(self._signals.count_stream())

    def over(self) -> None:
        """Record the end of the response: count and log it."""
        method, route = self._scope["method"], route_of(self._scope)
        seconds = perf_counter() - self._began
        if self._signals is not None:
            timed = seconds if self._first_byte is None else self._first_byte
            self._signals.count_request(method, route, self.status, timed)
        tell = log.debug if route in QUIET and self.status < FAILED else log.info
        tell("request", method=method, route=route, status=self.status, ms=round(seconds * 1000, 1))


def route_of(scope: Scope) -> str:
    """The template of the matched route, which bounds the number of labels."""
    route: Any = scope.get("route")
    return str(getattr(route, "path", None) or NO_ROUTE)
