"""One server over standard input and output, for a program that starts it for itself.

Standard output carries the protocol and nothing else: while it is served, what anything prints goes to
standard error, where the log goes too.
"""

from dataclasses import replace
from typing import Any

from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types import INVALID_REQUEST

from app.domain.access import Principal
from app.errors import Forbidden, TabwrightError, Unauthenticated
from app.mcp.identity import StdioRequest, ending_with_key
from app.mcp.services import Services, admitted
from app.mcp.sessions import SERVERS

NO_KEY = "This key opens nothing here; 'tabwright key create' makes one"


async def serve(server: str, services: Services, secret: str) -> TabwrightError | None:
    """Serve until standard input ends; at once why not, for a key that does not open here. It is looked at
    now and for each message: once it is revoked, nothing more is done for it.
    """

    async def holder() -> Principal:
        who = await services.store.keys.principal(secret)
        if who is None:
            raise Unauthenticated(NO_KEY)
        return admitted(who)

    async def known(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
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
    # Both before what a call left with its client is opened.
    made.middleware[:0] = [known, ending_with_key(services.key_watch)]
    await made.run_stdio_async()
    return None
