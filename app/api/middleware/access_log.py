"""Middleware that sets the trace id, and logs and counts each request."""

from contextlib import ExitStack
from time import perf_counter

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import CLIENT_GONE
from app.domain.metrics.telemetry import new_trace_id
from app.logs import bind_context, sanitize
from app.observability.prometheus import PrometheusMetrics
from app.vitals import working_on

log = structlog.get_logger(__name__)

NO_ROUTE = "(none)"  # unmatched paths are unbounded; others are counted by their template
QUIET = frozenset({"/healthz", "/readyz", "/metrics"})  # polled every few seconds
FAILED = 500
LONGEST_PATH = 80


class AccessLog:
    """Sets the trace id, and records method, route, status and duration; never the query or the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        trace = scope["trace_id"] = new_trace_id()
        bind_context(trace=trace)
        record = _RequestRecord(scope)

        async def track(message: Message) -> None:
            if message["type"] == "http.response.start":
                record.start_response(message)
            elif not message.get("more_body", False):
                record.is_complete = True
            await send(message)

        path = sanitize(scope["path"], LONGEST_PATH)
        work = working_on(f"{scope['method']} {path}", traceId=trace)
        with record.open, work:
            try:
                await self._app(scope, receive, track)
                if record.streams and not record.is_complete:  # the server is stopping
                    await send({"type": "http.response.body", "body": b""})
            except Exception:
                record.status = FAILED
                raise
            finally:
                record.finish()


class _RequestRecord:
    """One request, from its arrival until the response has ended."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._metrics: PrometheusMetrics | None = scope.get("state", {}).get("metrics")
        self._began = perf_counter()
        self._first_byte: float | None = None
        self.open = ExitStack()
        self.status = CLIENT_GONE
        self.streams = self.is_complete = False

    def start_response(self, message: Message) -> None:
        """Record the start of the response. Streams are timed until here, since they last as long
        as a client listens.
        """
        self.status = message["status"]
        media_type = next((v for k, v in message["headers"] if k.lower() == b"content-type"), b"")
        if media_type.startswith(b"text/event-stream"):
            self.streams = True
            self._first_byte = perf_counter() - self._began
            if self._metrics is not None:
                self.open.enter_context(self._metrics.count_stream())

    def finish(self) -> None:
        method, route = self._scope["method"], getattr(self._scope.get("route"), "path", NO_ROUTE)
        seconds = perf_counter() - self._began
        if self._metrics is not None:
            timed = seconds if self._first_byte is None else self._first_byte
            self._metrics.count_request(method, route, self.status, timed)
        write = log.debug if route in QUIET and self.status < FAILED else log.info
        write(
            "request", method=method, route=route, status=self.status, ms=round(seconds * 1000, 1)
        )
