"""Checks that the store accepts writes: with a full disk it still answers a ping."""

import asyncio
from datetime import UTC, datetime
from time import monotonic

from app.errors import StoreUnavailable, TabwrightError
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Database

COLLECTION = "readiness"
TIMEOUT_S = 2.0
FRESH_S = 1.0  # cache lifetime of a result, for any number of callers


class WriteProbe:
    """Writes one small row, at most once a second."""

    def __init__(self, database: Database) -> None:
        self._rows = database[COLLECTION]
        self._turn = asyncio.Lock()
        self._found: TabwrightError | None = None
        self._at = -FRESH_S

    async def __call__(self) -> None:
        """Return if the store accepts a write within `TIMEOUT_S`, else raise `StoreUnavailable`."""
        async with self._turn:
            if monotonic() - self._at >= FRESH_S:
                self._found = await self._look()
                self._at = monotonic()
        if self._found is not None:
            raise type(self._found)(self._found.detail, retry_after=self._found.retry_after)

    async def _look(self) -> TabwrightError | None:
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._write()
        except TimeoutError:
            return StoreUnavailable(f"The store did not take a write within {TIMEOUT_S:g} s")
        except TabwrightError as error:
            return error
        return None

    @translate_errors
    async def _write(self) -> None:
        await self._rows.update_one(
            {"_id": "write"}, {"$set": {"at": datetime.now(UTC)}}, upsert=True
        )
