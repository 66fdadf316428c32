"""Who asks through MCP: the holder of the key, and the program that they ask with."""

from dataclasses import dataclass
from typing import Any

from mcp import MCPError
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.mcpserver import Context
from mcp_types import INVALID_REQUEST

from app.domain.access import Principal
from app.domain.review import SHORT
from app.errors import Unauthenticated
from app.store.people.key_watch import KeyWatch

WHO = "tabwright.principal"  # where a request's scope holds it


@dataclass(frozen=True, slots=True)
class StdioRequest:
    """What stands for the HTTP request of a message that came over standard input."""

    principal: Principal


def principal_of(ctx: Context[Any, Any]) -> Principal:
    """Whose key this very message came with. Raises `Unauthenticated` where there was none."""
    return principal_in(ctx.request_context.request)


def principal_in(request: object) -> Principal:
    """The same of what stands for its HTTP request."""
    if isinstance(request, StdioRequest):
        return request.principal
    found = getattr(request, "scope", {}).get(WHO)
    if not isinstance(found, Principal):
        raise Unauthenticated("Send the key as 'Authorization: Bearer <key>'")
    return found


def ending_with_key(watch: KeyWatch) -> ServerMiddleware[Any]:
    """Cuts off what a message asked for, once the key that it came with is closed. A session of the older
    protocol works on in a task of its own, which does not end with the request.
    """

    async def held(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            async with watch.open(principal_in(ctx.request)):
                return await call_next(ctx)
        except Unauthenticated as closed:
            raise MCPError(INVALID_REQUEST, closed.detail) from None

    return held


def client_of(ctx: Context[Any, Any]) -> tuple[str, str]:
    """The name and version that the program gives itself: at the handshake of older clients, with each
    request of newer ones. Both empty where it says nothing, as an older one to one of several workers.

    Anyone can call themselves anything: it is shown, and is never a reason to let someone in.
    """
    params = ctx.session.client_params
    if params is None:
        return "", ""
    return _shown(params.client_info.name), _shown(params.client_info.version)


def _shown(text: str) -> str:
    """One line, bounded, of what can be printed."""
    return " ".join("".join(c if c.isprintable() else " " for c in text[:SHORT]).split())


def user_of(who: Principal) -> AuthenticatedUser:
    """The same for the SDK, which lets nobody use a session, or a question's state, of another's."""
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=who.key_id or f"{who.tenant}/{who.user}",
            scopes=[],
            subject=f"{who.tenant}/{who.user}",
        )
    )
