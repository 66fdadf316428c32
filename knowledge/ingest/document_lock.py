"""A lock per document, across processes."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import structlog

from app.errors import Conflict, TabwrightError
from app.store.knowledge import KnowledgeStore, LockResult, Locks

log = structlog.get_logger(__name__)

LOCK_S = 60.0  # expiry of a dead process's lock
RENEWAL_SHARE = 1 / 3  # share of `LOCK_S` after which the lock is renewed before a write
WAIT_S = 0.1  # between two attempts


class DocumentLock:
    """`is_fresh`: the lock had no earlier owner. `is_whole`: there are no orphaned rows, that is rows
    of this or an earlier owner that no revision lists.
    """

    def __init__(self, locks: Locks, tenant: str, document_id: str) -> None:
        self._locks = locks
        self._document = (tenant, document_id)
        self._owner = uuid4().hex
        self._acquired_at = float("-inf")
        self.is_fresh = False
        self.is_whole = False

    async def acquire(self) -> bool:
        """Acquire or renew the lock; False if another owner has it."""
        now, started = datetime.now(UTC), time.monotonic()
        until = now + timedelta(seconds=LOCK_S)
        result = await self._locks.acquire(*self._document, owner=self._owner, now=now, until=until)
        self._acquired_at = started
        self.is_fresh = result is LockResult.FRESH
        return bool(result)

    async def require(self) -> None:
        """Renew the lock before a write. Raises `Conflict` if it expired and has another owner."""
        self.is_whole = False
        if not await self.renew():
            raise Conflict("Another process is writing the document")

    async def renew(self) -> bool:
        """Renew the lock if it is old; False if it has another owner."""
        if time.monotonic() - self._acquired_at < LOCK_S * RENEWAL_SHARE:
            return True
        return await self.acquire()

    async def release(self) -> None:
        await self._locks.release(*self._document, owner=self._owner)


@asynccontextmanager
async def lock_document(
    store: KnowledgeStore, tenant: str, document_id: str
) -> AsyncIterator[DocumentLock]:
    """Wait for the lock of a document and hold it.

    On exit, also after an error, orphaned rows are deleted. If that fails, the lock
    stays until it expires, and the sweeper deletes them.
    """
    lock = DocumentLock(store.locks, tenant, document_id)
    while not await lock.acquire():  # noqa: ASYNC110 - another machine may hold it
        await asyncio.sleep(WAIT_S)
    lock.is_whole = lock.is_fresh
    try:
        yield lock
    finally:
        await asyncio.shield(asyncio.ensure_future(_release(store, lock, tenant, document_id)))


async def _release(
    store: KnowledgeStore, lock: DocumentLock, tenant: str, document_id: str
) -> None:
    try:
        if not lock.is_whole:
            if not await lock.renew():
                return
            await store.documents.sweep(tenant, document_id)
        await lock.release()
    except TabwrightError as error:
        log.warning("knowledge_not_swept", code=error.code)
