"""Rejects requests with a foreign Host, a foreign Origin or a compressed body."""

from collections.abc import Collection
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.client_address import is_loopback
from app.api.problems import problem_response
from app.errors import Forbidden, HostRefused, TabwrightError, UnsupportedEncoding

log = structlog.get_logger(__name__)

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_NAMES = frozenset({"localhost", "localhost."})


class HostCheck:
    """Checks Host, Origin and encoding, and turns exceptions of inner middleware into problem
    responses.

    `hosts` and `origins` are the configured ones, in lower case.
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
        except TabwrightError as error:
            if started:
                raise
            await problem_response(error, scope)(scope, receive, send)
        except Exception as error:
            if started:
                raise
            log.exception("request failed", path=scope["path"])
            await problem_response(error, scope)(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        """Raises `HostRefused`, `Forbidden` or `UnsupportedEncoding`."""
        headers = Headers(scope=scope)
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
        name = _name_of(host)
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


def _name_of(host: str) -> str:
    """The name or address in a Host header, without port and brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
