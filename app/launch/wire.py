"""The protocol on a connection: uvicorn's, with bounds on what may come before a request is one.

The parser itself gathers headers without end and waits for them as long as a client likes; what comes
after them is bounded by the app, see `app.api.sizes`.
"""

import asyncio
import json
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_CONNECTIONS = 1_000  # of one process; a stream that waits is one, and takes about 50 kB

REASONS = {
    400: ("BAD_REQUEST", "Bad Request", "This is no HTTP request"),
    408: ("REQUEST_TIMEOUT", "Request Timeout", "The request came too slowly"),
    431: ("HEADERS_TOO_LARGE", "Request Header Fields Too Large", "The headers are too large"),
    503: ("TOO_MANY_CONNECTIONS", "Service Unavailable", "Too many connections are open"),
}


class Guarded(HttpToolsProtocol):
    """One connection. A request's line and headers take `most_head` bytes and come within `head_s`; of
    a body that was refused no more is waited for than `linger_s`.
    """

    most_head = 32 * 1024  # a key, a cookie jar of other programs on localhost, and room to spare
    head_s = 10.0
    linger_s = 5.0

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as uvicorn calls it
        super().__init__(*args, **kwargs)
        self._in_head = True
        self._head = 0
        self._timer: asyncio.TimerHandle | None = None
        self._status = 400

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request; one connection too many is told so."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(503)
            return
        self._wait_for(self.head_s)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, as long as it may still become a request."""
        if self.transport.is_closing():
            return
        if self._in_head:
            self._head += len(data)
            if self._timer is None:
                self._wait_for(self.head_s)
        super().data_received(data)
        if self._in_head and self._head > self.most_head and not self.transport.is_closing():
            self._refuse(431)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The request is known; raises, which the parser takes for a bad request, where it is too large."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.most_head:
            self._status = 431
            raise ValueError("the headers are too large")
        self._in_head, self._head = False, 0
        self._stop_waiting()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body is whole; what follows is another request."""
        self._in_head, self._head = True, 0
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is out; a body that goes on coming has a while to end."""
        super().on_response_complete()
        if not self._in_head and not self.transport.is_closing():
            self._wait_for(self.linger_s)

    def send_400_response(self, msg: str) -> None:
        """Say why this is no request, and end."""
        self._refuse(self._status)

    def _wait_for(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self._too_slow)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        if self._in_head and self._head:
            self._refuse(408)
        else:
            self.transport.close()

    def _refuse(self, status: int) -> None:
        self._stop_waiting()
        self.transport.write(refusal(status))
        self.transport.close()


def refusal(status: int) -> bytes:
    """An answer that needs no app: a problem, with the headers of every answer that matter for one."""
    code, reason, detail = REASONS[status]
    kind = f"urn:tabwright:problem:{code.lower().replace('_', '-')}"
    problem = {"type": kind, "title": reason, "status": status, "code": code, "detail": detail}
    body = json.dumps(problem | {"traceId": ""}).encode()
    head = [
        f"HTTP/1.1 {status} {reason}",
        "content-type: application/problem+json",
        f"content-length: {len(body)}",
        "cache-control: no-store",
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "connection: close",
        *(["retry-after: 5"] if status == 503 else []),
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def http_options() -> dict[str, Any]:
    """What uvicorn is to be configured with wherever the backend is served."""
    return {
        "http": "app.launch.wire:Guarded",
        "ws": "none",
        "server_header": False,
        "proxy_headers": False,  # those of configured proxies are believed by the app
        "timeout_keep_alive": 15,  # a runner's next request comes sooner, on the same connection
    }
