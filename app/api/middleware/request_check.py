"""Middleware that checks a request before it is routed, and sets the headers of each response."""

from collections.abc import Collection
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import problem_response
from app.errors import (
    Forbidden,
    HostRefused,
    Invalid,
    ProtocolUnsupported,
    TabwrightError,
    UnsupportedEncoding,
)
from app.net.peers import is_loopback

HEADER = "X-Tabwright-Protocol"
PROTOCOL = 1  # incremented by incompatible changes
OLDEST_PROTOCOL = 1  # oldest version served; also assumed without a header


# Responses are data: they must not be executed, framed or embedded. Our own pages set their own
# `Content-Security-Policy`, which is kept.
DEFAULT_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    HEADER: str(PROTOCOL),
}
HSTS = "max-age=31536000"  # a year; subdomains are not ours


class ResponseHeaders:
    """Adds the headers that a response does not set itself, and the trace id as `X-Trace-Id`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in DEFAULT_HEADERS.items():
                    headers.setdefault(name, value)
                headers["X-Trace-Id"] = scope.get("trace_id", "")
                if scope["scheme"] == "https":
                    headers.setdefault("Strict-Transport-Security", HSTS)
            await send(message)

        await self._app(scope, receive, add_headers)


log = structlog.get_logger(__name__)

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_NAMES = frozenset({"localhost", "localhost."})


class RequestCheck:
    """Checks protocol version, Host, Origin and encoding, and turns exceptions of inner middleware into
    problem responses. `hosts` and `origins` are the configured ones, in lower case.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], origins: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def track(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            self._check(scope)
            await self._app(scope, receive, track)
        except Exception as error:
            if started:
                raise
            if not isinstance(error, TabwrightError):
                log.exception("request failed", path=scope["path"])
            await problem_response(error, scope)(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        """Raises the reason to reject the request."""
        headers = Headers(scope=scope)
        check_protocol(headers.get(HEADER))
        server = scope.get("server")
        if server is not None and is_loopback(str(server[0])):
            for host in headers.getlist("host"):
                self._refuse_host(host)
        if scope["method"] not in SAFE_METHODS:
            for origin in headers.getlist("origin"):
                self._refuse_origin(origin, headers.get("host", ""))
        for encoding in headers.getlist("content-encoding"):
            if encoding.strip().lower() not in ("", "identity"):
                raise UnsupportedEncoding("Send the body uncompressed, without Content-Encoding.")

    def _refuse_host(self, host: str) -> None:
        """Prevent DNS rebinding: a foreign name may resolve to the loopback address."""
        try:
            name = urlsplit(f"//{host}").hostname or ""  # without port and brackets
        except ValueError:
            name = ""
        if name in LOCAL_NAMES or is_loopback(name) or name in self._hosts:
            return
        raise HostRefused(
            "This server is not known by that host name. To allow it, add it to TABWRIGHT_ALLOWED_HOSTS."
        )

    def _refuse_origin(self, origin: str, host: str) -> None:
        origin = origin.lower()
        if origin in self._origins or (host and urlsplit(origin).netloc == host.lower()):
            return
        raise Forbidden(
            "This origin is not allowed. To allow it, add it to TABWRIGHT_ALLOWED_ORIGINS."
        )


def check_protocol(sent: str | None) -> None:
    """Raises `ProtocolUnsupported`, which says which side to update, or `Invalid`."""
    if sent is None:
        return
    if not (sent.isascii() and sent.isdecimal() and len(sent) <= 6):
        raise Invalid(f"{HEADER}: must be an integer.")
    if int(sent) > PROTOCOL:
        raise ProtocolUnsupported(
            f"Update the Tabwright server: it supports protocol {PROTOCOL}, the extension uses {int(sent)}."
        )
    if int(sent) < OLDEST_PROTOCOL:
        raise ProtocolUnsupported(
            f"Update the Tabwright extension: it uses protocol {int(sent)}, the server requires at least"
            f" {OLDEST_PROTOCOL}."
        )
