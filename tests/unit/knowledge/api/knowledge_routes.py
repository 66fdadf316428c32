"""The routes of knowledge alone, over one that keeps what it is given in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import httpx
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from app.api import problems
from app.api.application import add_middleware
from app.api.deps import AppState, current_principal
from app.api.routes.knowledge import documents, ingest, jobs
from app.domain.access import Principal
from app.domain.knowledge import IngestRequest, Job
from app.settings import Settings

ANN = Principal(tenant="one", user="ann")


@dataclass
class Taken:
    """A `Knowledge` that only takes in: what was submitted, with its bytes."""

    requests: list[tuple[IngestRequest, bytes]] = field(default_factory=list)
    most_at_once: int = 0

    async def submit(
        self, who: Principal, request: IngestRequest, body: AsyncIterator[bytes] | None = None
    ) -> Job:
        kept = bytearray()
        if body is not None:
            async for piece in body:
                self.most_at_once = max(self.most_at_once, len(piece))
                kept += piece
        self.requests.append((request, bytes(kept)))
        now = datetime.now(UTC)
        return Job(job_id="j1", tenant=who.tenant, request=request, created_at=now, updated_at=now)


@asynccontextmanager
async def desk(taken: Taken, **settings: Any) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the routes within their doors, as ann."""
    made = Settings(_env_file=None, **settings)
    app = FastAPI()
    for room in (documents, jobs, ingest):
        app.include_router(room.router)
    problems.add_error_handlers(app)
    add_middleware(app, made)
    app.dependency_overrides[current_principal] = lambda: ANN
    state = cast("AppState", {"knowledge": taken, "upload_bytes": made.upload_bytes})

    async def stated(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "state": state}, receive, send)

    transport = httpx.ASGITransport(app=stated)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client
