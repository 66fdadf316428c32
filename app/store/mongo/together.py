"""Several calls in one hop to a thread.

motor sends each call to a worker thread and back. Waking a thread that sleeps costs as much as the
call itself (0.8 ms against 0.3 to 0.8 ms on the embedded server), and two writes at once may wait
10 ms for each other's log sync there. So calls that belong together run one after the other in one
thread, on the synchronous collections that motor itself wraps.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, cast

from pymongo import MongoClient
from pymongo.collection import Collection as SyncCollection
from pymongo.command_cursor import CommandCursor
from pymongo.cursor import Cursor

from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.gathering import (
    BULK_WRITE_SINCE,
    GATHERED,
    Gathered,
    GatheringCollection,
)
from app.store.mongo.rows import Row
from app.store.port import Store

T = TypeVar("T")
THREADS = 16  # requests that may be at the store at once; motor's own pool has as many


class Together:
    """Runs what is given on repositories whose calls do not leave their thread."""

    def __init__(self, database: Database, make: Callable[[Database], Store]) -> None:
        direct = _Direct(database)
        self._client: MongoClient[Row] = database.client.delegate
        self._store = make(cast(Database, direct))
        self._gathered = Gathered(self._client)
        self._gathering = make(cast(Database, _Gathering(direct, database.name, self._gathered)))
        self._bulk: bool | None = (
            None  # whether the server has `bulkWrite`; None until it was asked
        )
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="store")

    async def __call__(self, calls: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
        """What `calls` returns, given the repositories; raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, calls)

    async def writing(self, calls: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
        """As a call, with what is written sent at its end, in its order and in one message where the
        server takes such. What is read there of the same collections is read after it.
        """
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._written, calls)

    def close(self) -> None:
        """Wait for what runs and end the threads."""
        self._pool.shutdown()

    def _written(self, calls: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
        async def whole(store: Store) -> T:
            if self._bulk is None:
                self._bulk = await self._takes_bulk()
            if not self._bulk:
                return await calls(store)
            self._gathered.forget()  # what a call gathered that failed then
            done = await calls(self._gathering)
            await self._gathered.send()
            return done

        return self._run(whole)

    @translated
    async def _takes_bulk(self) -> bool:
        return bool(self._client.admin.command("hello")["maxWireVersion"] >= BULK_WRITE_SINCE)

    def _run(self, calls: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
        """Drive the coroutine without an event loop: nothing in it waits for one."""
        running = calls(self._store)
        try:
            running.send(None)
        except StopIteration as returned:
            return cast(T, returned.value)
        running.close()
        raise TypeError("what runs together awaits the repositories and nothing else")


class _Direct:
    """A database whose collections answer before they return."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __getitem__(self, name: str) -> Collection:
        rows = self._database.delegate[name]
        return cast(Collection, _DirectCollection(rows))


class _Gathering:
    """A database of whose collections some gather what is written to them."""

    def __init__(self, direct: _Direct, name: str, gathered: Gathered) -> None:
        self._direct = direct
        self._name = name
        self._gathered = gathered

    def __getitem__(self, name: str) -> Collection:
        rows = self._direct[name]
        if name not in GATHERED:
            return rows
        whole = f"{self._name}.{name}"
        return cast(Collection, GatheringCollection(whole, rows, self._gathered))


class _DirectCollection:
    def __init__(self, rows: SyncCollection[Row]) -> None:
        self._rows = rows

    def find(self, *args: object, **kwargs: object) -> AsyncIterator[Row]:
        return _each(self._rows.find(*args, **kwargs))

    def aggregate(self, stages: list[Row]) -> AsyncIterator[Row]:
        return _each(self._rows.aggregate(stages))

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, object]]:
        method = getattr(self._rows, name)

        async def call(*args: object, **kwargs: object) -> object:
            return method(*args, **kwargs)

        return call


async def _each(cursor: Cursor[Row] | CommandCursor[Row]) -> AsyncIterator[Row]:
    for row in cursor:
        yield row
