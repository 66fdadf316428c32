"""What is refused before it is looked at: a Host that is not ours, a strange page, a packed body."""

from collections.abc import Collection
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.client_address import is_loopback
from app.api.problems import answer
from app.errors import Forbidden, HostRefused, TabwrightError, UnsupportedEncoding

log = structlog.get_logger(__name__)

READS = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL_NAMES = frozenset({"localhost", "localhost."})


class HostCheck:
    """Turns away what no client of ours sends, and answers for what failed within.

    `hosts` and `origins` are those that are configured, in lower case.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], origins: Collection[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def told(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            self._look(scope)
            await self._app(scope, receive, told)
        except TabwrightError as error:
            if begun:
                raise
            await answer(error, scope)(scope, receive, send)
        except Exception as error:
            if begun:
                raise
            log.exception("request failed", path=scope["path"])
            await answer(error, scope)(scope, receive, send)

    def _look(self, scope: Scope) -> None:
        """Raises what the request is refused with."""
        headers = Headers(scope=scope)
        server = scope.get("server")
        if server is not None and is_loopback(str(server[0])):
            for host in headers.getlist("host"):
                self._refuse_host(host)
        if scope["method"] not in READS:
            for origin in headers.getlist("origin"):
                self._refuse_origin(origin, headers.get("host", ""))
        for packed in headers.getlist("content-encoding"):
            if packed.strip().lower() not in ("", "identity"):
                raise UnsupportedEncoding("Send the body as it is, without Content-Encoding")

    def _refuse_host(self, host: str) -> None:
        """A name that somebody has pointed at the loopback is not ours: a page of that name would pass
        for our own. Names that are to work are configured.
        """
        name = _name_of(host)
        if name in LOCAL_NAMES or is_loopback(name) or name in self._hosts:
            return
        raise HostRefused(
            "This server does not go by that name; TABWRIGHT_ALLOWED_HOSTS names more"
        )

    def _refuse_origin(self, origin: str, host: str) -> None:
        origin = origin.lower()
        if origin in self._origins or (host and urlsplit(origin).netloc == host.lower()):
            return
        raise Forbidden(
            "Pages of this origin may not ask here; TABWRIGHT_ALLOWED_ORIGINS names some"
        )


def _name_of(host: str) -> str:
    """The name or address of a Host header, without its port and brackets."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
