"""A real server process in which each call of the reasoner and of the documents is delayed at random.

    python -m bench.interleaving.slow_server

`HESITATES_S` is the longest delay, `CLAIM_TTL_S` the lifetime of a claim, `RENEW_S` the interval at which
it is renewed, and hence at which the server notices a lost one.
"""

import asyncio
import inspect
import os
import random
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

import uvicorn

from app.adapters import Adapters
from app.agent import request
from app.agent import service as agent_service
from app.chat import service, turns
from app.documents import open_document_service
from app.llm.embedder import open_embedder
from app.main import create_app
from app.reasoners.rules import RuleReasoner
from app.runs import lease
from app.search.choice import open_search
from app.server.connection import http_options
from app.settings import Settings
from app.store.open import open_all
from app.usage.service import open_usage
from knowledge.port import Knowledge

HESITATES_S = float(os.environ["HESITATES_S"])
CLAIM_TTL_S = float(os.environ["CLAIM_TTL_S"])
RENEW_S = float(os.environ["RENEW_S"])


class Delayed:
    """A wrapper whose async methods wait before they start."""

    def __init__(self, inner: object) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)
        return _hesitating(method) if inspect.iscoroutinefunction(method) else method


def _hesitating(method: Callable[..., Any]) -> Callable[..., Any]:
    async def call(*args: Any, **kwargs: Any) -> Any:
        await asyncio.sleep(random.uniform(HESITATES_S / 2, HESITATES_S))
        return await method(*args, **kwargs)

    return call


@asynccontextmanager
async def adapters(settings: Settings) -> AsyncIterator[Adapters]:
    """The real adapters, with rules alone."""
    async with (
        open_all(settings) as opened,
        open_usage(opened.together) as usage,
        open_search(settings, usage.record) as search,
        open_embedder(settings, usage.record) as embedder,
        open_document_service(settings, opened.store, embedder) as knowledge,
    ):
        yield Adapters(
            opened=opened,
            reasoner=cast(Any, Delayed(RuleReasoner())),
            search=search,
            modelled=False,
            usage=usage,
            knowledge=cast(Knowledge, Delayed(knowledge)),
        )


async def serve() -> None:
    """Serve on a port that is printed, until terminated."""
    settings = Settings()
    options = http_options(settings)
    config = uvicorn.Config(
        create_app(settings, adapters), port=0, log_level="warning", lifespan="on", **options
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started and not serving.done():  # noqa: ASYNC110  uvicorn tells nobody
        await asyncio.sleep(0.01)
    if server.started:
        port = server.servers[0].sockets[0].getsockname()[1]
        sys.stdout.write(f"http://127.0.0.1:{port}\n")
        sys.stdout.flush()
    await serving


if __name__ == "__main__":
    for module in (lease, request, agent_service, turns, service):
        cast(Any, module).CLAIM_TTL_S = CLAIM_TTL_S
    lease.RENEW_S = RENEW_S
    asyncio.run(serve())
