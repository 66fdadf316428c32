"""The MCP servers over HTTP, started by the first request.

The protocol's SDK takes half a second to import, which most servers never need: the first request imports
it in a thread.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from starlette.types import Receive, Scope, Send

from app.domain.access import Principal
from app.mcp.services import Services

if TYPE_CHECKING:
    from app.mcp.sessions import McpSessions


class McpHttp:
    """Starts the servers on demand and forwards requests to them."""

    def __init__(self, services: Services, *, stateless: bool) -> None:
        self.services = services
        self._stateless = stateless
        self._opened: asyncio.Future[McpSessions] | None = None
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def serve(
        self, server: str, who: Principal, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if self._opened is None:
            self._opened = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._run(self._opened))
        sessions = await asyncio.shield(self._opened)
        await sessions.serve(server, who, scope, receive, send)

    async def _run(self, opened: "asyncio.Future[McpSessions]") -> None:
        """Open and close in the same task, as the SDK's task groups require."""
        try:
            module = await asyncio.to_thread(import_module, "app.mcp.sessions")
            async with module.open_mcp_sessions(
                self.services, stateless=self._stateless
            ) as sessions:
                opened.set_result(sessions)
                await self._over.wait()
        except BaseException as error:
            if not opened.done():
                opened.set_exception(error)
            raise

    async def close(self) -> None:
        self._over.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def open_mcp_http(services: Services, *, stateless: bool) -> AsyncIterator[McpHttp]:
    http = McpHttp(services, stateless=stateless)
    try:
        yield http
    finally:
        await http.close()
