"""One server over standard input and output, for a program that starts it for itself.

Standard output carries the protocol and nothing else: while it is served, what anything prints goes to
standard error, where the log goes too.
"""

from dataclasses import replace
from typing import Any

from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp_types import INVALID_REQUEST

from app.mcp.admission import admitted
from app.mcp.identity import Asked
from app.mcp.servers import SERVERS
from app.mcp.services import Services

NO_KEY = "This key opens nothing here; 'tabwright key create' makes one"


async def serve(server: str, services: Services, secret: str) -> bool:
    """Serve until standard input ends; False, at once, for a key that opens nothing. It is looked at now and
    for each message: once it is revoked, nothing more is done for it. Raises `Forbidden` for a key without
    scope `mcp`.
    """
    holder = await services.store.keys.principal(secret)
    if holder is None:
        return False
    admitted(holder)

    async def known(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        who = await services.store.keys.principal(secret)
        if who is None:
            raise MCPError(INVALID_REQUEST, NO_KEY)
        return await call_next(replace(ctx, request=Asked(admitted(who))))

    made = SERVERS[server](services)
    made.middleware.insert(0, known)  # before what a call left with its client is opened
    await made.run_stdio_async()
    return True
