"""One MCP server over standard input and output, for a client that starts it as a child process.

Standard output carries the protocol only; anything printed goes to standard error, like the log.
"""

from dataclasses import replace
from typing import Any

from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types import INVALID_REQUEST

from app.domain.access import Principal
from app.errors import Forbidden, TabwrightError, Unauthenticated
from app.mcp.identity import StdioRequest, abort_on_revocation
from app.mcp.services import INVALID_KEY, Services, mcp_principal
from app.mcp.sessions import SERVERS


async def serve_stdio(server: str, services: Services, secret: str) -> TabwrightError | None:
    """Serve until standard input ends. The key is checked now, and again for each message.

    Returns:
        The error for an invalid key, None otherwise.
    """

    async def holder() -> Principal:
        who = await services.store.keys.principal(secret)
        if who is None:
            raise Unauthenticated(INVALID_KEY)
        return mcp_principal(who)

    async def authenticated(
        ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        try:
            who = await holder()
        except TabwrightError as refused:
            raise MCPError(INVALID_REQUEST, refused.detail) from None
        return await call_next(replace(ctx, request=StdioRequest(who)))

    try:
        await holder()
    except (Unauthenticated, Forbidden) as refused:
        return refused
    made = SERVERS[server](services)
    # Both must run before the request state is unsealed.
    made.middleware[:0] = [authenticated, abort_on_revocation(services.key_watch)]
    await made.run_stdio_async()
    return None
