"""The principal and the client program of an MCP message."""

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
from app.store.people.keys import KeyWatch

PRINCIPAL = "tabwright.principal"  # key in the scope of a request


@dataclass(frozen=True, slots=True)
class StdioRequest:
    """Takes the place of the HTTP request for messages over standard input."""

    principal: Principal


def principal_of(ctx: Context[Any, Any]) -> Principal:
    """The principal of this message. Raises `Unauthenticated`."""
    return principal_in(ctx.request_context.request)


def principal_in(request: object) -> Principal:
    """The principal of an HTTP request or a `StdioRequest`. Raises `Unauthenticated`."""
    if isinstance(request, StdioRequest):
        return request.principal
    found = getattr(request, "scope", {}).get(PRINCIPAL)
    if not isinstance(found, Principal):
        raise Unauthenticated("Send an API key as `Authorization: Bearer <key>`.")
    return found


def abort_on_revocation(watch: KeyWatch) -> ServerMiddleware[Any]:
    """Middleware that aborts the handling of a message when its key is revoked. Sessions of the older
    protocol handle messages in tasks of their own, which outlive the request.
    """

    async def guarded(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        try:
            async with watch.open(principal_in(ctx.request)):
                return await call_next(ctx)
        except Unauthenticated as closed:
            raise MCPError(INVALID_REQUEST, closed.detail) from None

    return guarded


def client_of(ctx: Context[Any, Any]) -> tuple[str, str]:
    """The name and version that the client reports, in the handshake or with each request; "" if unknown.

    Clients can claim any name: it is displayed, and never used to authorize.
    """
    params = ctx.session.client_params
    if params is None:
        return "", ""
    return _printable(params.client_info.name), _printable(params.client_info.version)


def _printable(text: str) -> str:
    """One bounded line of printable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text[:SHORT]).split())


def user_of(who: Principal) -> AuthenticatedUser:
    """The user for the SDK, which isolates sessions and request state between users."""
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=who.key_id or f"{who.tenant}/{who.user}",
            scopes=[],
            subject=f"{who.tenant}/{who.user}",
        )
    )
