"""The three servers over streamable HTTP, for authenticated requests.

Sessions of the older protocol live in one process. With several workers each request is stateless, as in
the newer protocol, and the server cannot elicit input during a call of an older client.
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import anyio
from mcp import MCPError
from mcp.server import MCPServer
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import INVALID_REQUEST
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.domain.access import Principal
from app.errors import Forbidden, TabwrightError, Unauthenticated
from app.mcp.capture import capture_server
from app.mcp.review_queue import review_server
from app.mcp.services import INVALID_KEY, ServeMcp, Services, mcp_principal
from app.mcp.tasks.server import tabwright_server
from app.mcp.tools import PRINCIPAL, StdioRequest, abort_on_revocation, sdk_user

SERVERS: Mapping[str, Callable[[Services], MCPServer]] = MappingProxyType(
    {"capture": capture_server, "review": review_server, "tabwright": tabwright_server}
)
CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError)
SDK_LOGGER = "mcp.server.streamable_http"
# As the SDK responds to an unknown session id.
GONE = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Session not found"}}


class CompleteResponses:
    """Makes every response complete when its session is closed meanwhile, by its client or by a shutdown.

    The SDK would otherwise leave the response unfinished or start a second one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = ended = duplicate = False

        async def forward(message: Message) -> None:
            nonlocal started, ended, duplicate
            duplicate = duplicate or ended or (started and message["type"] == "http.response.start")
            if duplicate:
                return
            started = True
            await send(message)
            body = message["type"] == "http.response.body"
            ended = body and not message.get("more_body", False)

        with suppress(*CLOSED):
            await self._app(scope, receive, forward)
        if not started:
            await JSONResponse(GONE, status_code=404)(scope, receive, send)
        elif not ended:
            await send({"type": "http.response.body", "body": b""})


@contextmanager
def suppress_closed_session_logs() -> Iterator[None]:
    """Filter the SDK's errors about closed sessions."""
    logger = logging.getLogger(SDK_LOGGER)
    logger.addFilter(_is_relevant)
    try:
        yield
    finally:
        logger.removeFilter(_is_relevant)


def _is_relevant(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, BaseExceptionGroup):
        return error.split(CLOSED)[1] is not None
    return not isinstance(error, CLOSED)


# At the rate limit of one key (600 requests a minute) no client can fill the 10,000 session slots alone.
IDLE_S = 600.0
# See app/api/middleware/request_check.py.
NO_HOST_CHECK = TransportSecuritySettings(enable_dns_rebinding_protection=False)
BODY_BYTES = 2**40  # bounded by app/api/middleware/body_limits.py


@asynccontextmanager
async def open_mcp_sessions(services: Services, *, stateless: bool) -> AsyncIterator[ServeMcp]:
    """Run the servers until the context ends, which must be in the same task; open sessions are closed."""
    async with AsyncExitStack() as stack:
        stack.enter_context(suppress_closed_session_logs())
        apps: dict[str, ASGIApp] = {}
        for name, make in SERVERS.items():
            server = make(services)
            server.middleware.insert(0, abort_on_revocation(services.key_watch))
            apps[name] = await stack.enter_async_context(_running(server, stateless))

        async def serve(
            server: str, principal: Principal, scope: Scope, receive: Receive, send: Send
        ) -> None:
            scope[PRINCIPAL] = principal
            scope["user"] = sdk_user(principal)
            await apps[server](scope, receive, send)

        yield serve


@asynccontextmanager
async def _running(server: MCPServer, stateless: bool) -> AsyncIterator[ASGIApp]:
    server.streamable_http_app(  # creates the session manager; the routes are ours
        stateless_http=stateless,
        max_request_body_size=BODY_BYTES,
        session_idle_timeout=IDLE_S,
        transport_security=NO_HOST_CHECK,
    )
    manager = server.session_manager
    async with manager.run():
        yield CompleteResponses(AuthContextMiddleware(manager.handle_request))


async def serve_stdio(server: str, services: Services, secret: str) -> TabwrightError | None:
    """Serve until standard input ends. The key is checked now, and again for each message. Returns the error
    for an invalid key.
    """

    async def key_holder() -> Principal:
        principal = await services.store.keys.principal(secret)
        if principal is None:
            raise Unauthenticated(INVALID_KEY)
        return mcp_principal(principal)

    async def authenticated(
        ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        try:
            principal = await key_holder()
        except TabwrightError as error:
            raise MCPError(INVALID_REQUEST, error.detail) from None
        return await call_next(replace(ctx, request=StdioRequest(principal)))

    try:
        await key_holder()
    except (Unauthenticated, Forbidden) as error:
        return error
    mcp_server = SERVERS[server](services)
    # Both must run before the request state is unsealed.
    mcp_server.middleware[:0] = [authenticated, abort_on_revocation(services.key_watch)]
    await mcp_server.run_stdio_async()
    return None
