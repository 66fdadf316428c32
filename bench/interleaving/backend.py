"""The service in a sequence of simulated processes over one store."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from app.adapters import Adapters
from app.documents import open_document_service
from app.domain.access import Principal
from app.domain.reasoner import Reasoner
from app.llm.embedder import open_embedder
from app.main import create_app
from app.reasoners.rules import RuleReasoner
from app.search.choice import open_search
from app.settings import Settings
from app.store.open import Opened, open_all
from app.usage.service import open_usage
from bench.interleaving.process_death import Died, Life, forget_the_dead, mortal

USERS = {
    "ann": Principal(tenant="one", user="ann", scopes=("browser",)),
    "cas": Principal(tenant="one", user="cas", scopes=("browser",)),
    "bob": Principal(tenant="two", user="bob", scopes=("browser",)),
}


@dataclass
class Backend:
    """A simulated process and its users. `life` belongs to the current process."""

    settings: Settings
    opened: Opened
    reasoner: Reasoner
    keys: dict[str, str]
    life: Life = field(default_factory=Life)
    clients: dict[str, httpx.AsyncClient] = field(default_factory=dict)
    _app: FastAPI | None = None  # routes only: the services are created with each start
    _context: AbstractAsyncContextManager[Any] | None = None

    async def start(self) -> None:
        """Start a process."""
        self.life = Life()
        app = self._app = self._app or create_app(self.settings, self._adapters)
        self._context = app.router.lifespan_context(app)
        state = await self._context.__aenter__()

        async def stated(scope: Scope, receive: Receive, send: Send) -> None:
            scope["state"] = dict(state)
            await app(scope, receive, send)

        transport = httpx.ASGITransport(stated, raise_app_exceptions=False)
        self.clients = {
            user: httpx.AsyncClient(
                transport=transport,
                base_url="http://backend",
                headers={"Authorization": f"Bearer {key}"},
            )
            for user, key in self.keys.items()
        }

    async def stop(self) -> None:
        """End the process, gracefully or dead."""
        assert self._context is not None
        with suppress(Died):  # raised by what was still running in a dead process
            await self._context.__aexit__(None, None, None)

    async def restart(self) -> None:
        """Start another process after the dead one's claims have expired."""
        was_dead = self.life.dead
        await self.stop()
        if was_dead:
            await forget_the_dead(self.opened)
        await self.start()

    @asynccontextmanager
    async def _adapters(self, settings: Settings) -> AsyncIterator[Adapters]:
        opened = mortal(self.opened, self.life)
        async with (
            open_usage(opened.together) as usage,
            open_search(settings, usage.record) as search,
            open_embedder(settings, usage.record) as embedder,
            open_document_service(settings, opened.store, embedder) as knowledge,
        ):
            yield Adapters(
                opened=opened,
                reasoner=self.reasoner,
                search=search,
                modelled=False,
                usage=usage,
                knowledge=knowledge,
            )


@asynccontextmanager
async def backend(settings: Settings) -> AsyncIterator[Backend]:
    """A process on this store, with keys for `USERS`."""
    async with open_all(settings) as opened:
        keys = {user: (await opened.store.keys.create(who))[1] for user, who in USERS.items()}
        made = Backend(settings, opened, RuleReasoner(), keys)
        await made.start()
        try:
            yield made
        finally:
            await made.stop()
