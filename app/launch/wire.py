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
    a body that was refused no more is waited for than `linger_s`. What is sent is taken within `send_s`:
    who reads nothing holds neither an answer nor what makes it.
    """

    most_head = 32 * 1024  # a key, a cookie jar of other programs on localhost, and room to spare
    head_s = 10.0
    linger_s = 5.0
    send_s = 60.0  # for the 48 kB between a transport's high and low water: 0.8 kB/s at least

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as uvicorn calls it
        super().__init__(*args, **kwargs)
        self._in_head = True
        self._head = 0
        self._trailers = 0
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
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
        self._is_read()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client takes what is sent more slowly than it comes; it has a while to."""
        super().pause_writing()
        self._end_unread()

    def resume_writing(self) -> None:
        """The client has caught up."""
        if not self.transport.is_closing():  # then the last of it is still to be read
            self._is_read()
        super().resume_writing()

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

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. What comes behind a body would be a header of a request that was let in without
        it: it is dropped; raises, which the parser takes for a bad request, where there is too much of it.
        """
        if self._in_head:
            super().on_header(name, value)
            return
        self._trailers += len(name) + len(value) + 4
        if self._trailers > self.most_head:
            self._status = 431
            raise ValueError("the trailers are too large")

    def on_headers_complete(self) -> None:
        """The request is known; raises, which the parser takes for a bad request, where it is too large."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.most_head:
            self._status = 431
            raise ValueError("the headers are too large")
        self._in_head, self._head, self._trailers = False, 0, 0
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
        if self.transport.is_closing():
            self._end_unread()
        elif not self._in_head:
            self._wait_for(self.linger_s)

    def timeout_keep_alive_handler(self) -> None:
        """No further request came."""
        super().timeout_keep_alive_handler()
        self._end_unread()

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
            self._end_unread()

    def _refuse(self, status: int) -> None:
        self._stop_waiting()
        self.transport.write(refusal(status))
        self.transport.close()
        self._end_unread()

    def _end_unread(self) -> None:
        """Cut the connection in a while; closing alone would wait until all of it is read."""
        if self._unread is None and self.transport.get_write_buffer_size():
            self._unread = self.loop.call_later(self.send_s, self.transport.abort)

    def _is_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


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
