"""The MCP servers at `/mcp/capture`, `/mcp/review` and `/mcp/tabwright`."""

from typing import cast

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.api.deps import AppState, authenticate
from app.mcp import services
from app.mcp.services import NAMES

SCHEME = "bearer "


def install(app: FastAPI) -> None:
    """Add routes with and without a trailing slash, since clients do not follow redirects with a body."""
    for server in NAMES:
        for path in (f"/mcp/{server}", f"/mcp/{server}/"):
            app.router.routes.append(Route(path, _Endpoint(server), include_in_schema=False))


class _Endpoint:
    """Authenticates the requests to one server. Raises the same errors as `current_principal`."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.path = f"/mcp/{server}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        scope["route"] = self  # for the metrics
        state = cast(AppState, scope["state"])
        header = Headers(scope=scope).get("authorization", "")
        secret = header[len(SCHEME) :] if header.lower().startswith(SCHEME) else ""
        principal = services.mcp_principal(await authenticate(state, scope, secret))
        await state["mcp"].serve(self._server, principal, scope, receive, send)
