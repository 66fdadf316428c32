"""One at a time writes a document, whatever process it is in."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import structlog

from app.errors import Conflict, TabwrightError
from app.store.knowledge.port import KnowledgeStore, LockResult, Locks

log = structlog.get_logger(__name__)

LOCK_S = 60.0  # one whose owner died is waited for as long
HELD_SHARE = 1 / 3  # of that: before a step that writes, a lock that is older is held anew
WAIT_S = 0.1  # between two tries for another's lock


class DocumentLock:
    """The lock of one document, held by one that writes it. `is_whole`: no rows are there that no revision
    lists, neither of whoever had it before nor of this one.
    """

    def __init__(self, locks: Locks, tenant: str, document_id: str) -> None:
        self._locks = locks
        self._document = (tenant, document_id)
        self._owner = uuid4().hex
        self._taken_at = float("-inf")
        self.is_fresh = False
        self.is_whole = False

    async def acquire(self) -> bool:
        """Take it, or hold it longer; False while it is another's."""
        now, began = datetime.now(UTC), time.monotonic()
        until = now + timedelta(seconds=LOCK_S)
        taken = await self._locks.acquire(*self._document, owner=self._owner, now=now, until=until)
        self._taken_at = began
        self.is_fresh = taken is LockResult.FRESH
        return bool(taken)

    async def acquire_first(self) -> bool:
        """Take it before anything was written."""
        taken = await self.acquire()
        self.is_whole = self.is_fresh
        return taken

    async def require(self) -> None:
        """Hold it for a step that writes. `Conflict` when it lapsed and somebody else has it."""
        self.is_whole = False
        if not await self.renew():
            raise Conflict("Somebody else writes this document now")

    async def renew(self) -> bool:
        """Whether it is one's own, and for some time yet."""
        if time.monotonic() - self._taken_at < LOCK_S * HELD_SHARE:
            return True
        return await self.acquire()

    async def release(self) -> None:
        """Give it back."""
        await self._locks.release(*self._document, owner=self._owner)


@asynccontextmanager
async def lock_document(
    store: KnowledgeStore, tenant: str, document_id: str
) -> AsyncIterator[DocumentLock]:
    """One's turn at a document, when it comes. At its end goes what was put and is of no revision, where
    there may be such, also when it ends in an error. Where that cannot be done the lock stays, and tells of
    it when it lapses.
    """
    turn = DocumentLock(store.locks, tenant, document_id)
    while not await turn.acquire_first():  # noqa: ASYNC110 - it may be another machine's
        await asyncio.sleep(WAIT_S)
    try:
        yield turn
    finally:
        await asyncio.shield(asyncio.ensure_future(_left(store, turn, tenant, document_id)))


async def _left(store: KnowledgeStore, turn: DocumentLock, tenant: str, document_id: str) -> None:
    try:
        if not turn.is_whole:
            if not await turn.renew():
                return
            await store.documents.sweep(tenant, document_id)
        await turn.release()
    except TabwrightError as error:
        log.warning("knowledge_not_swept", code=error.code)
