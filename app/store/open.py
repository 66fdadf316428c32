"""Opens the store: server, client, indexes, repositories."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from limits.aio.storage import MongoDBStorage
from limits.aio.storage import Storage as LimitStorage
from motor.motor_asyncio import AsyncIOMotorClient
from pymongo import MongoClient
from pymongo.errors import ConfigurationError

from app.errors import StoreUnavailable, TabwrightError
from app.settings import Settings
from app.store.batch import StoreBatch
from app.store.checkpoints import Checkpoints
from app.store.disk_space import DiskSpace
from app.store.index_build import IndexBuild, indexed
from app.store.mongo.indexes import LIMIT_COUNTERS, LIMIT_WINDOWS
from app.store.mongo.rows import Client, Database, translate_errors
from app.store.repositories import Store
from app.store.reviews.files import FileReviews
from app.store.reviews.mongo import MongoReviews
from app.store.reviews.port import Reviews
from app.store.server.embedded_server import hold_server, is_ours

# A killed server answers again within a second; waiting is better than failing a request.
CLIENT_OPTIONS: dict[str, Any] = {
    "appname": "tabwright",
    "tz_aware": True,
    "tzinfo": UTC,
    "serverSelectionTimeoutMS": 5_000,
    "connectTimeoutMS": 5_000,
    "socketTimeoutMS": 20_000,
}

COLLECTION = "readiness"
TIMEOUT_S = 2.0
FRESH_S = 1.0  # cache lifetime of a result, for any number of callers


class WriteProbe:
    """Writes one small row, at most once a second: with a full disk the store still answers a ping."""

    def __init__(self, database: Database) -> None:
        self._rows = database[COLLECTION]
        self._turn = asyncio.Lock()
        self._fault: str | None = None
        self._at = -FRESH_S

    async def __call__(self) -> None:
        """Return if the store accepts a write within `TIMEOUT_S`, else raise `StoreUnavailable`."""
        async with self._turn:
            if monotonic() - self._at >= FRESH_S:
                self._fault = None
                try:
                    async with asyncio.timeout(TIMEOUT_S):
                        await self._write()
                except TimeoutError:
                    self._fault = f"The store did not accept a write within {TIMEOUT_S:g} s"
                except TabwrightError as error:
                    self._fault = error.detail
                self._at = monotonic()
        if self._fault is not None:
            raise StoreUnavailable(self._fault)

    @translate_errors
    async def _write(self) -> None:
        await self._rows.update_one(
            {"_id": "write"}, {"$set": {"at": datetime.now(UTC)}}, upsert=True
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The backend's storage, open until the context that created it ends."""

    store: Store
    together: StoreBatch
    checkpointer: BaseCheckpointSaver[str]
    database: Database
    indexes: IndexBuild
    prove_write: WriteProbe
    reviews: Reviews
    limits: LimitStorage | None = None  # storage of rate limits, if other processes share them


@asynccontextmanager
async def open_store(settings: Settings, *, prepared: bool = True) -> AsyncIterator[Store]:
    """Open the repositories only, for commands that run no graph. Raises `StoreUnavailable` without a
    store.

    `prepared` waits for missing unique indexes, which may take minutes.
    """
    async with (
        _server(settings) as uri,
        _database(uri, settings) as database,
        AsyncExitStack() as stack,
    ):
        if prepared:
            wait_s = settings.index_wait_s
            await stack.enter_async_context(indexed(database, uri, CLIENT_OPTIONS, wait_s=wait_s))
        yield Store(database, DiskSpace(settings))


@asynccontextmanager
async def open_all(settings: Settings, *, allowed: Iterable[type] = ()) -> AsyncIterator[Opened]:
    """Open repositories and checkpointer. `allowed` are classes outside app.domain in the state."""
    async with (
        _server(settings) as uri,
        _database(uri, settings) as database,
        indexed(database, uri, CLIENT_OPTIONS, wait_s=settings.index_wait_s) as indexes,
        AsyncExitStack() as stack,
    ):
        limits = stack.enter_context(_limits(uri, settings))
        client: MongoClient[dict[str, Any]] = MongoClient(uri, retryWrites=False, **CLIENT_OPTIONS)
        make = partial(Store, space=DiskSpace(settings))
        together = StoreBatch(database, make, client=client)
        try:
            saver = await asyncio.to_thread(Checkpoints, client, settings.mongodb_database, allowed)
            yield Opened(
                store=make(database),
                together=together,
                checkpointer=saver,
                database=database,
                indexes=indexes,
                prove_write=WriteProbe(database),
                reviews=reviews_of(settings, database),
                limits=limits,
            )
        finally:
            await asyncio.to_thread(together.close)
            client.close()


def review_folder(settings: Settings) -> Path:
    """The folder of the review queue, if it uses files."""
    return settings.data_dir / "review"


def reviews_of(settings: Settings, database: Database) -> Reviews:
    """Files in the data folder, or an external MongoDB if the settings name one."""
    return FileReviews(review_folder(settings)) if is_ours(settings) else MongoReviews(database)


@asynccontextmanager
async def open_reviews(settings: Settings) -> AsyncIterator[Reviews]:
    """Open the review queue only. An embedded store is not started, since the queue is files."""
    if is_ours(settings):
        yield FileReviews(review_folder(settings))
        return
    wait_s = settings.index_wait_s
    async with (
        _server(settings) as uri,
        _database(uri, settings) as database,
        indexed(database, uri, CLIENT_OPTIONS, wait_s=wait_s),
    ):
        yield MongoReviews(database)


def is_shared(settings: Settings) -> bool:
    """Whether other processes use the same store, so that rate limits are counted together."""
    return not settings.alone and (settings.mongodb_uri is not None or settings.workers > 1)


@contextmanager
def _limits(uri: str, settings: Settings) -> Iterator[LimitStorage | None]:
    """Rate limit storage in our database, with a motor client of its own. None for a single process."""
    if not is_shared(settings):
        yield None
        return
    scheme, rest = uri.split("://", 1)
    storage = MongoDBStorage(
        f"async+{scheme}://{rest}",
        database_name=settings.mongodb_database,
        counter_collection_name=LIMIT_COUNTERS,
        window_collection_name=LIMIT_WINDOWS,
        wrap_exceptions=True,
        **CLIENT_OPTIONS,
    )
    try:
        yield storage
    finally:
        storage.storage.close()


@asynccontextmanager
async def _server(settings: Settings) -> AsyncIterator[str]:
    """`hold_server` off the event loop, since it waits for locks and processes."""
    server = hold_server(settings)
    uri = await asyncio.to_thread(server.__enter__)
    try:
        yield uri
    finally:
        await asyncio.to_thread(server.__exit__, None, None, None)


@asynccontextmanager
async def _database(uri: str, settings: Settings) -> AsyncIterator[Database]:
    try:
        client: Client = AsyncIOMotorClient(uri, **CLIENT_OPTIONS)
    except (ConfigurationError, ValueError) as error:
        # The address may contain a password and is not repeated.
        raise StoreUnavailable("TABWRIGHT_MONGODB_URI is not a MongoDB address") from error
    try:
        yield client[settings.mongodb_database]
    finally:
        client.close()
