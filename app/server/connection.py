"""uvicorn's HTTP protocol, with limits on what a client may send before it is a request.

The parser itself collects headers without limit, and waits for them forever; the app bounds what
follows, see `app.api.middleware.body_limits`.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from time import monotonic
from typing import Any, Literal

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.net.peers import is_within, peer_of
from app.settings import Settings

log = structlog.get_logger(__name__)

Refusal = Literal[429, 503]

REASONS = {
    400: ("BAD_REQUEST", "Bad Request", "This is not an HTTP request"),
    408: ("REQUEST_TIMEOUT", "Request Timeout", "The request arrived too slowly"),
    429: (
        "TOO_MANY_CONNECTIONS",
        "Too Many Requests",
        "Too many connections are open from this address",
    ),
    431: ("HEADERS_TOO_LARGE", "Request Header Fields Too Large", "The headers are too large"),
    503: ("TOO_MANY_CONNECTIONS", "Service Unavailable", "Too many connections are open"),
}
RETRYABLE = frozenset({429, 503})
MOST_REJECTED_HELD = 64  # rejected connections that are still read, so that their response arrives
LOG_EVERY_S = 10.0


class ConnectionLimits:
    """Counts the connections of one process. The per-peer limit does not apply to `proxies`, which
    stand for many clients, and to peers without an address, such as Unix sockets.
    """

    def __init__(self, *, most: int, most_of_peer: int, proxies: Collection[str] = ()) -> None:
        self._most = most
        self._most_of_peer = most_of_peer
        self._proxies = tuple(proxies)
        self._held: Counter[str] = Counter()
        self._rejected_held = 0
        self._logged_at = -LOG_EVERY_S

    def enter(self, host: str) -> Refusal | None:
        """Count a connection; return the status to reject it with if there are too many."""
        peer = peer_of(host)
        if self._held.total() >= self._most:
            return self._refuse(503, host, self._most)
        shared = not host or is_within(host, self._proxies)
        if not shared and self._held[peer] >= self._most_of_peer:
            return self._refuse(429, host, self._most_of_peer)
        self._held[peer] += 1
        return None

    def leave(self, host: str) -> None:
        peer = peer_of(host)
        self._held[peer] -= 1
        if not self._held[peer]:
            del self._held[peer]

    def hold_rejected(self) -> bool:
        """Whether a rejected connection may stay open until its response is read."""
        if self._rejected_held >= MOST_REJECTED_HELD:
            return False
        self._rejected_held += 1
        return True

    def release_rejected(self) -> None:
        self._rejected_held -= 1

    def _refuse(self, status: Refusal, host: str, most: int) -> Refusal:
        if monotonic() - self._logged_at >= LOG_EVERY_S:
            self._logged_at = monotonic()
            setting = "TABWRIGHT_CONNECTIONS" + ("_PER_ADDRESS" if status == 429 else "")
            log.warning("too many connections", address=host, most=most, setting=setting)
        return status


class Closable:
    """A transport whose `close` is carried out by the protocol, whoever calls it."""

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        self._transport = transport
        self._close = close
        self._is_closed = False

    def close(self) -> None:
        if not self.is_closing():
            self._is_closed = True
            self._close()

    def write(self, data: bytes) -> None:
        if not self._is_closed:
            self._transport.write(data)

    def is_closing(self) -> bool:
        return self._is_closed or self._transport.is_closing()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the transport has
        return getattr(self._transport, name)


class BoundedProtocol(HttpToolsProtocol):
    """One connection among those that `gate` admits. The request line and headers are at most
    `most_head` bytes and must arrive within `head_s`; after a rejected body the client has `linger_s`
    to stop sending. Responses must be read within `send_s`, so that a client that does not read cannot
    hold resources.

    If the client is still sending when the connection ends, only our side is closed, and input is read
    for another `linger_s`: an immediate close would reset the connection, and the client might lose the
    response.
    """

    # An API key, a cookie jar of other programs on localhost, and some margin.
    most_head = 32 * 1024
    head_s = 10.0
    linger_s = 5.0
    send_s = 60.0  # for the 48 kB between a transport's high and low water marks: at least 0.8 kB/s

    def __init__(self, *args: Any, gate: ConnectionLimits, **kwargs: Any) -> None:  # noqa: ANN401 - as uvicorn calls it
        super().__init__(*args, **kwargs)
        self._gate = gate
        self._raw_transport: asyncio.Transport
        self._release: Callable[[], None] = lambda: None
        self._may_linger = True
        self._in_head = True
        self._has_begun = False  # a request whose headers are incomplete
        self._ignores_input = False  # after a rejected request
        self._unanswered = 0  # requests
        self._refusal: int | None = None  # to send once these are answered
        self._head = 0
        self._trailers = 0
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._status = 400

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, or reject the connection if there are too many."""
        self._raw_transport = transport
        super().connection_made(Closable(transport, self._hang_up))  # type: ignore[arg-type]
        host = self.client[0] if self.client else ""
        refused = self._gate.enter(host)
        if refused is None:
            self._release = partial(self._gate.leave, host)
            self._wait_for(self.head_s)
            return
        self._may_linger = self._gate.hold_rejected()
        if self._may_linger:
            self._release = self._gate.release_rejected
        self._refuse(refused)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._cancel_unread()
        self._release()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The client reads too slowly: start the `send_s` timeout."""
        super().pause_writing()
        self._end_unread()

    def resume_writing(self) -> None:
        """The client has caught up: cancel the timeout."""
        if not self.transport.is_closing():  # otherwise it still has to read the rest
            self._cancel_unread()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        if self._ignores_input or self.transport.is_closing():
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > self.most_head and not self.transport.is_closing():
            self._refuse(431)

    def on_message_begin(self) -> None:
        self._in_head = self._has_begun = True
        self._wait_for(self.head_s)
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. Trailers are dropped: they would become headers of a request already
        authorized without them. Raises if they are too large, which the parser treats as a bad
        request.
        """
        if self._in_head:
            super().on_header(name, value)
            return
        self._trailers += len(name) + len(value) + 4
        if self._trailers > self.most_head:
            self._status = 431
            raise ValueError("the trailers are too large")

    def on_headers_complete(self) -> None:
        """Raises if the headers are too large, which the parser treats as a bad request."""
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if size > self.most_head:
            self._status = 431
            raise ValueError("the headers are too large")
        self._in_head, self._head, self._trailers = False, 0, 0
        self._has_begun = False
        self._stop_waiting()
        self._unanswered += 1
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head, self._head = True, 0
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The response is sent; a body that is still arriving has a while to end."""
        self._unanswered -= 1
        super().on_response_complete()
        if self.transport.is_closing() or self._unanswered:
            return
        if self._ignores_input:
            self._end()
        elif not self._in_head:
            self._wait_for(self.linger_s)

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._status)

    def _wait_for(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self._on_timeout)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timeout(self) -> None:
        self._timer = None
        if not self._has_begun:
            self.transport.close()
        elif self.flow.read_paused:
            # Still busy with earlier requests: the delay is ours, not the client's.
            self._wait_for(self.head_s)
        else:
            self._refuse(408)

    def _refuse(self, status: int) -> None:
        """Reject the request after answering earlier ones, and ignore all further input."""
        self._stop_waiting()
        self._ignores_input = True
        if self._in_head:
            self._refusal = status
        elif self._unanswered == 1 and not self.cycle.response_started:
            # The response to the request whose body is rejected.
            self._refusal, self._unanswered = status, 0
        if not self._unanswered:
            self._end()

    def _end(self) -> None:
        """Send the pending rejection, if there is one, and close."""
        if self._refusal is not None:
            self.transport.write(rejection_response(self._refusal))
        self.transport.close()

    def _hang_up(self) -> None:
        self._stop_waiting()
        self._end_unread()
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # further output is dropped
            self.cycle.message_event.set()
        still_sends = self._has_begun or not self._in_head or self._ignores_input
        if not (still_sends and self._may_linger and self._raw_transport.can_write_eof()):
            self._raw_transport.close()
            return
        self._raw_transport.write_eof()
        self._raw_transport.resume_reading()
        self._timer = self.loop.call_later(self.linger_s, self._raw_transport.close)

    def _end_unread(self) -> None:
        """Abort the connection after a while; `close` alone would wait until everything is read."""
        if self._unread is None and self.transport.get_write_buffer_size():
            self._unread = self.loop.call_later(self.send_s, self.transport.abort)

    def _cancel_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


def rejection_response(status: int) -> bytes:
    """A problem response built without the app, with the security headers that apply to it."""
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
        *(["retry-after: 5"] if status in RETRYABLE else []),
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def http_options(settings: Settings) -> dict[str, Any]:
    """The uvicorn options for every way to serve the backend."""
    gate = ConnectionLimits(
        most=settings.connections,
        most_of_peer=settings.connections_per_address,
        proxies=settings.trusted_proxies,
    )
    return {
        "http": partial(BoundedProtocol, gate=gate),
        "ws": "none",
        "server_header": False,
        "proxy_headers": False,  # the app evaluates those of configured proxies
        "timeout_keep_alive": 15,  # a runner sends its next request sooner, on the same connection
    }
