"""Builds missing indexes in the background, in one process at a time.

Unique indexes must exist before anything is written. The others only speed up reads: startup waits for them
for a while and then continues without them.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

import structlog
from pymongo import IndexModel, MongoClient

from app.errors import TabwrightError
from app.store.mongo.indexes import INDEXES, Index
from app.store.mongo.rows import Database, Row, translate_errors

LEASES = "index_builds"
LEASE_S, RENEW_S = 15, 5.0
POLL_S = 0.5  # polling interval while another process builds
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0  # after a failure, doubled each time

log = structlog.get_logger(__name__)

building: ContextVar[set[str] | None] = ContextVar("building", default=None)
"""Filled with the collections whose indexes startup waits for, if the caller has set it."""


class IndexBuild:
    """Builds missing indexes; `safe` is set once all unique ones exist, `done` once all exist."""

    def __init__(self, database: Database, uri: str, options: dict[str, Any]) -> None:
        self._database = database
        self._uri = uri
        self._options = options
        self._owner = uuid4().hex
        self.safe = asyncio.Event()
        self.done = asyncio.Event()

    @property
    def is_done(self) -> bool:
        return self.done.is_set()

    async def check(self) -> list[Index]:
        """The missing indexes."""
        missing = await find_missing(self._database)
        self._update(missing)
        if not missing:
            self.done.set()
        return missing

    async def run(self) -> None:
        """Build until all exist, retrying on failures."""
        pause = FIRST_PAUSE_S
        while not self.is_done:
            try:
                if await self.check() and not await self._build_missing():
                    await asyncio.sleep(POLL_S)
                pause = FIRST_PAUSE_S
            except TabwrightError as error:
                cause = str(error.__cause__ or error)
                log.warning("indexes_not_built", cause=cause, again_in_s=pause)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)

    async def _build_missing(self) -> bool:
        """Build all; False if another process is building."""
        if not await self._lease():
            return False
        renewal = asyncio.create_task(self._renew())
        # No timeout: a large collection takes minutes, and an interrupted build starts over.
        client: MongoClient[Row] = MongoClient(
            self._uri, **self._options | {"socketTimeoutMS": None}
        )
        try:
            missing = await self.check()  # the previous lease holder may have built them
            names = sorted({index.collection for index in missing})
            unfinished = set(names)

            async def build_collection(name: str) -> None:
                models = [index.model() for index in missing if index.collection == name]
                await _create(client, self._database.name, name, models)
                unfinished.discard(name)
                self._update([index for index in missing if index.collection in unfinished])

            log.info("indexes_building", collections=names)
            await asyncio.gather(*map(build_collection, names))
            log.info("indexes_built", collections=names)
        finally:
            renewal.cancel()
            client.close()
            with suppress(TabwrightError):
                await self._release()
        return True

    def _update(self, missing: Sequence[Index]) -> None:
        unique = {index.collection for index in missing if index.unique}
        if (collections := building.get()) is not None:
            collections.clear()
            collections.update(unique)
        if not unique:
            self.safe.set()

    @translate_errors
    async def _lease(self) -> bool:
        free = {
            "$or": [
                {"$lte": [{"$ifNull": ["$until", "$$NOW"]}, "$$NOW"]},
                {"$eq": ["$owner", self._owner]},
            ]
        }
        until = {"$dateAdd": {"startDate": "$$NOW", "unit": "second", "amount": LEASE_S}}
        lease = {
            "owner": {"$cond": [free, self._owner, "$owner"]},
            "until": {"$cond": [free, until, "$until"]},
        }
        rows = self._database[LEASES]
        await rows.update_one({"_id": "lease"}, [{"$set": lease}], upsert=True)
        row: Row | None = await rows.find_one({"_id": "lease"})
        return row is not None and row["owner"] == self._owner

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            with suppress(
                TabwrightError
            ):  # without it another process repeats the work, which is harmless
                await self._lease()

    @translate_errors
    async def _release(self) -> None:
        await self._database[LEASES].delete_one({"_id": "lease", "owner": self._owner})


@asynccontextmanager
async def indexed(
    database: Database, uri: str, options: dict[str, Any], *, wait_s: float
) -> AsyncIterator[IndexBuild]:
    """Yield once no unique index is missing, after waiting at most `wait_s` for the others; those are then
    built in the background.

    Raises `StoreUnavailable` if the store does not answer at all.
    """
    build = IndexBuild(database, uri, options)
    if not await build.check():
        yield build
        return
    job = asyncio.create_task(build.run())
    try:
        await _until(build.safe, job)
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await _until(build.done, job)
        yield build
    finally:
        job.cancel()
        with suppress(asyncio.CancelledError):
            await job


async def _until(event: asyncio.Event, job: "asyncio.Task[None]") -> None:
    """Wait for the event; raise the job's error if it ends first."""
    event_task = asyncio.create_task(event.wait())
    try:
        await asyncio.wait({event_task, job}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        event_task.cancel()
    if not event.is_set():
        await job


@translate_errors
async def find_missing(database: Database) -> list[Index]:
    """Indexes of the table that are missing or differ."""
    names = sorted({index.collection for index in INDEXES})
    existing = await asyncio.gather(*(_existing_indexes(database, name) for name in names))
    by_name = dict(zip(names, existing, strict=True))
    return [
        one for one in INDEXES if (one.fields, one.unique, one.ttl_s) not in by_name[one.collection]
    ]


async def _existing_indexes(database: Database, name: str) -> set[tuple[object, ...]]:
    """(fields, whether unique, TTL) of each."""
    return {
        (tuple(row["key"].items()), bool(row.get("unique")), row.get("expireAfterSeconds"))
        async for row in database[name].list_indexes()
    }


@translate_errors
async def _create(
    client: MongoClient[Row], database: str, name: str, models: list[IndexModel]
) -> None:
    """Create them in a daemon thread, so that process exit does not wait."""
    loop = asyncio.get_running_loop()
    built: asyncio.Future[None] = loop.create_future()

    def report(error: Exception | None) -> None:
        if not built.done():
            built.set_result(None) if error is None else built.set_exception(error)

    def create() -> None:
        failure: Exception | None = None
        try:
            client[database][name].create_indexes(models)
        except Exception as error:  # noqa: BLE001 - raised to the awaiting task
            failure = error
        with suppress(RuntimeError):  # the loop is closed: nobody is waiting
            loop.call_soon_threadsafe(report, failure)

    threading.Thread(target=create, name=f"index-{name}", daemon=True).start()
    await built
