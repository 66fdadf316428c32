"""One at a time writes a document, whatever process it is in."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import structlog

from app.errors import Conflict, TabwrightError
from app.store.knowledge import KnowledgeStore, Locks

log = structlog.get_logger(__name__)

LOCK_S = 60.0  # held anew before each step that writes; one whose owner died is waited for as long
WAIT_S = 0.1  # between two tries for another's lock


class Turn:
    """The lock of one document, held by one that writes it."""

    def __init__(self, locks: Locks, tenant: str, document_id: str) -> None:
        self._locks = locks
        self._document = (tenant, document_id)
        self._owner = uuid4().hex

    async def take(self) -> bool:
        """Take it, or hold it longer; False while it is another's."""
        now = datetime.now(UTC)
        until = now + timedelta(seconds=LOCK_S)
        return await self._locks.acquire(*self._document, owner=self._owner, now=now, until=until)

    async def hold(self) -> None:
        """Hold it longer. `Conflict` when it lapsed and somebody else has it."""
        if not await self.take():
            raise Conflict("Somebody else writes this document now")

    async def release(self) -> None:
        """Give it back."""
        await self._locks.release(*self._document, owner=self._owner)


@asynccontextmanager
async def turn_of(store: KnowledgeStore, tenant: str, document_id: str) -> AsyncIterator[Turn]:
    """One's turn at a document, when it comes. At its end goes what was put and is of no revision, also
    when it ends in an error. Where that cannot be done the lock stays, and tells of it when it lapses.
    """
    turn = Turn(store.locks, tenant, document_id)
    while not await turn.take():  # noqa: ASYNC110 - it may be another machine's
        await asyncio.sleep(WAIT_S)
    try:
        yield turn
    finally:
        await asyncio.shield(asyncio.ensure_future(_left(store, turn, tenant, document_id)))


async def _left(store: KnowledgeStore, turn: Turn, tenant: str, document_id: str) -> None:
    try:
        if await turn.take():
            await store.documents.sweep(tenant, document_id)
            await turn.release()
    except TabwrightError as error:
        log.warning("knowledge_not_swept", code=error.code)
