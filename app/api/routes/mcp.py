"""The MCP servers at `/mcp/capture`, `/mcp/review` and `/mcp/tabwright`: who comes in to them."""

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
    """Route to them, with a slash at the end or without: clients do not follow redirects with a body."""
    for server in NAMES:
        for path in (f"/mcp/{server}", f"/mcp/{server}/"):
            app.router.routes.append(Route(path, _Door(server), include_in_schema=False))


class _Door:
    """Lets the holders of keys in to one server. Raises what `principal` raises for HTTP operations."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.path = f"/mcp/{server}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        scope["route"] = self  # its place in the metrics
        state = cast(AppState, scope["state"])
        given = Headers(scope=scope).get("authorization", "")
        secret = given[len(SCHEME) :] if given.lower().startswith(SCHEME) else ""
        principal = services.admitted(await authenticate(state, scope, secret))
        await state["mcp"].serve(self._server, principal, scope, receive, send)
