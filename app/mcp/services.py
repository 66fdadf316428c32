"""The services of the MCP servers, and the servers over HTTP, started by the first request.

The protocol's SDK takes half a second to import, which most servers never need: the first request imports
it in a thread.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module

from starlette.types import Receive, Scope, Send

from app.agent import InteractService
from app.chat import ChatService
from app.domain.access import Principal
from app.hitl import DelegationService, Inbox, TaskEvents
from app.review import ReviewService
from app.store.batch import StoreBatch
from app.store.people.keys import KeyWatch
from app.store.repositories import Store
from app.usage import UsageService
from knowledge import Knowledge

ServeMcp = Callable[[str, Principal, Scope, Receive, Send], Awaitable[None]]  # of a server by name
SERVER_NAMES = ("capture", "review", "tabwright")


def mcp_principal(principal: Principal) -> Principal:
    """The principal for an MCP server. MCP clients are programs, so consent scopes are removed, whatever
    the key. Raises `Forbidden` for a key without scope `mcp`.
    """
    principal.require("mcp")
    return principal.without_consent()


INVALID_KEY = "Invalid API key. Create one with `tabwright key create`."


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Created once by the composition root, shared by all servers of the process."""

    store: Store
    batch: StoreBatch
    reviews: ReviewService
    interact: InteractService
    chat: ChatService
    knowledge: Knowledge
    inbox: Inbox
    task_events: TaskEvents
    delegations: DelegationService
    usage: UsageService
    key_watch: KeyWatch
    state_secret: bytes  # seals the state that a call leaves with its client


class McpHttp:
    """Starts the servers on demand and forwards requests to them."""

    def __init__(self, services: Services, *, stateless: bool) -> None:
        self.services = services
        self._stateless = stateless
        self._opened: asyncio.Future[ServeMcp] | None = None
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def serve(
        self, server: str, principal: Principal, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if self._opened is None:
            self._opened = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._run(self._opened))
        serve = await asyncio.shield(self._opened)
        await serve(server, principal, scope, receive, send)

    async def _run(self, opened: asyncio.Future[ServeMcp]) -> None:
        """Open and close in the same task, as the SDK's task groups require."""
        try:
            module = await asyncio.to_thread(import_module, "app.mcp.sessions")
            opening = module.open_mcp_sessions(self.services, stateless=self._stateless)
            async with opening as serve:
                opened.set_result(serve)
                await self._closing.wait()
        except BaseException as error:
            if not opened.done():
                opened.set_exception(error)
            raise

    async def aclose(self) -> None:
        self._closing.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
