"""The servers over streamable HTTP, for requests whose key was looked at already.

Clients of the older protocol hold a session, which lives in one process: where several workers serve,
each request stands for itself (the newer protocol works so anyway), and nothing can be asked back in
the middle of a call of an older client.
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from types import MappingProxyType

import anyio
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.access import Principal
from app.mcp.identity import WHO, ending_with_key, user_of
from app.mcp.review.capture import capture_server
from app.mcp.review.queue import review_server
from app.mcp.services import Services
from app.mcp.tasks.server import tabwright_server

SERVERS: Mapping[str, Callable[[Services], MCPServer]] = MappingProxyType(
    {"capture": capture_server, "review": review_server, "tabwright": tabwright_server}
)


CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError)
LOUD = "mcp.server.streamable_http"
GONE = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32600, "message": "Session not found"},
}  # as the SDK answers to an id that it does not know


class CompleteResponses:
    """The app, whose answers are ended, and begun once."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        begun = ended = again = False

        async def told(message: Message) -> None:
            nonlocal begun, ended, again
            again = again or ended or (begun and message["type"] == "http.response.start")
            if again:
                return
            begun = True
            await send(message)
            body = message["type"] == "http.response.body"
            ended = body and not message.get("more_body", False)

        with suppress(*CLOSED):
            await self._app(scope, receive, told)
        if not begun:
            await JSONResponse(GONE, status_code=404)(scope, receive, send)
        elif not ended:
            await send({"type": "http.response.body", "body": b""})


@contextmanager
def quiet() -> Iterator[None]:
    """Meanwhile the log is not told that a session was closed."""
    logger = logging.getLogger(LOUD)
    logger.addFilter(_is_news)
    try:
        yield
    finally:
        logger.removeFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, BaseExceptionGroup):
        return error.split(CLOSED)[1] is not None
    return not isinstance(error, CLOSED)


# With the rate of one key (600 requests a minute) no client alone can fill the 10,000 places for sessions.
IDLE_S = 600.0
OUR_DOORS = TransportSecuritySettings(
    enable_dns_rebinding_protection=False
)  # see app/api/middleware/host_check.py
BODY_BYTES = 2**40  # app/api/middleware/body_limits.py bounds it before


class McpSessions:
    """The servers while they run, by name."""

    def __init__(self, apps: Mapping[str, ASGIApp]) -> None:
        self._apps = apps

    async def serve(
        self, server: str, who: Principal, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer one request of the holder of a key to the server of that name."""
        scope[WHO] = who
        scope["user"] = user_of(who)
        await self._apps[server](scope, receive, send)


@asynccontextmanager
async def open_mcp_sessions(services: Services, *, stateless: bool) -> AsyncIterator[McpSessions]:
    """Serve until the context ends, in the task that began it; sessions open then are closed."""
    async with AsyncExitStack() as stack:
        stack.enter_context(quiet())
        apps: dict[str, ASGIApp] = {}
        for name, make in SERVERS.items():
            server = make(services)
            server.middleware.insert(0, ending_with_key(services.key_watch))
            apps[name] = await stack.enter_async_context(_running(server, stateless))
        yield McpSessions(apps)


@asynccontextmanager
async def _running(server: MCPServer, stateless: bool) -> AsyncIterator[ASGIApp]:
    server.streamable_http_app(  # for the session manager that it makes: the routes are ours
        stateless_http=stateless,
        max_request_body_size=BODY_BYTES,
        session_idle_timeout=IDLE_S,
        transport_security=OUR_DOORS,
    )
    manager = server.session_manager
    async with manager.run():
        yield CompleteResponses(AuthContextMiddleware(manager.handle_request))
