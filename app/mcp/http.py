"""The door to the MCP servers over HTTP, which opens them when somebody first comes in.

The protocol's SDK takes half a second to import, which most servers never need: it is done then, in a
thread, beside other requests.
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
    """The servers that answer HTTP requests, alive while the app is, and what they work with."""

    def __init__(self, services: Services, *, stateless: bool) -> None:
        self.services = services
        self._stateless = stateless
        self._opened: asyncio.Future[McpSessions] | None = None
        self._over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def serve(
        self, server: str, who: Principal, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer one request of the holder of a key to the server of that name."""
        if self._opened is None:
            self._opened = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._hold(self._opened))
        sessions = await asyncio.shield(self._opened)
        await sessions.serve(server, who, scope, receive, send)

    async def _hold(self, opened: "asyncio.Future[McpSessions]") -> None:
        """Open and close in one task, as the SDK's groups of tasks want it."""
        try:
            room = await asyncio.to_thread(import_module, "app.mcp.sessions")
            async with room.open_mcp_sessions(self.services, stateless=self._stateless) as sessions:
                opened.set_result(sessions)
                await self._over.wait()
        except BaseException as error:
            if not opened.done():
                opened.set_exception(error)
            raise

    async def close(self) -> None:
        """End them, and every session that is open."""
        self._over.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)


@asynccontextmanager
async def open_mcp_http(services: Services, *, stateless: bool) -> AsyncIterator[McpHttp]:
    """The door, until the context ends."""
    rooms = McpHttp(services, stateless=stateless)
    try:
        yield rooms
    finally:
        await rooms.close()
