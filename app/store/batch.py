"""Runs several store calls in one thread hop.

motor sends each call to a worker thread and back. Waking a sleeping thread costs as much as the call itself
(0.8 ms against 0.3 to 0.8 ms on the embedded server), and two concurrent writes may wait 10 ms for each
other's log sync there. So related calls run one after the other in one thread, on the synchronous
collections that motor wraps.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias, TypeVar, cast

from langgraph.checkpoint.base import CheckpointTuple
from pymongo import MongoClient
from pymongo.collection import Collection as SyncCollection
from pymongo.command_cursor import CommandCursor
from pymongo.cursor import Cursor

from app.store.mongo.rows import Collection, Database, Row, translate_errors
from app.store.mongo.write_batch import (
    BATCHED_COLLECTIONS,
    BULK_WRITE_SINCE,
    BatchedCollection,
    Way,
    WriteBatch,
)
from app.store.repositories import Store
from app.store.tasks.leases import Lease

T = TypeVar("T")
THREADS = 16  # concurrent requests at the store; motor's own pool has as many

Rows: TypeAlias = Sequence[tuple[str, Any]]
"""The driver's write operations, each with its collection."""


@dataclass(slots=True)
class RequestCache:
    """The newest checkpoint read of each thread, and the writes that wait for `StoreBatch.write`.

    `making` holds functions that build the rows: the writing thread calls them, since a large state takes
    time to serialize.
    """

    read: dict[str, CheckpointTuple | None] = field(default_factory=dict)
    making: list[Callable[[], Rows]] = field(default_factory=list)

    def rows(self) -> list[tuple[str, Any]]:
        return [row for make in self.making for row in make()]

    def written(self) -> None:
        self.making.clear()

    def forget(self) -> None:
        """Discard everything, since another run owns the thread."""
        self.read.clear()
        self.making.clear()


@contextmanager
def request_cache() -> Iterator[None]:
    """Within the context, a thread's newest checkpoint is read from the store at most once, and writes to
    it wait for `StoreBatch.write` under the lease.

    For the holder of the thread's lease, since nobody else writes to the thread meanwhile.
    """
    token = current.set(RequestCache())
    try:
        yield
    finally:
        current.reset(token)


def forget_thread() -> None:
    """After losing the lease, discard what was read and what the run would have written."""
    cache = current.get()
    if cache is not None:
        cache.forget()


current: ContextVar[RequestCache | None] = ContextVar("current", default=None)


class StoreBatch:
    """Runs calls on repositories that stay in their thread."""

    def __init__(
        self,
        database: Database,
        make: Callable[[Database], Store],
        *,
        client: MongoClient[Row],
    ) -> None:
        """`client` sends messages with several writes, see `WriteBatch`."""
        self._client = client
        self._name = database.name
        self._batch = WriteBatch(client)

        def direct(name: str) -> Collection:
            return cast("Collection", _DirectCollection(database.delegate[name]))

        def batched(name: str) -> Collection:
            if name not in BATCHED_COLLECTIONS:
                return direct(name)
            whole = f"{self._name}.{name}"
            return cast("Collection", BatchedCollection(whole, direct(name), self._batch))

        self._store = make(cast("Database", _Collections(direct)))
        self._batched_store = make(cast("Database", _Collections(batched)))
        self._way: Way | None = None  # None until it is detected
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="store")

    async def __call__(self, calls: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
        """Call `calls` with the repositories and return its result. It must await only them."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._run, calls)

    async def write(
        self,
        calls: Callable[[Store], Coroutine[Any, Any, T]],
        *,
        under: Lease | None = None,
        releases: bool = False,
    ) -> T:
        """Run calls that write. The writes are sent at the end, in order, in one message if the server
        supports it; reads of the same collections see them.

        With a lease in `under`, these writes and the run's checkpoints are written while the lease is held,
        all or none; raises `RunLost` if it is lost. `releases` also ends the lease.
        """
        cache = current.get() if under is not None else None
        run_write = partial(self._run_write, calls, under, releases, cache)
        result = await asyncio.get_running_loop().run_in_executor(self._pool, run_write)
        if cache is not None:
            cache.written()
        return result

    def close(self) -> None:
        self._pool.shutdown()

    def _run_write(
        self,
        calls: Callable[[Store], Coroutine[Any, Any, T]],
        under: Lease | None,
        releases: bool,
        cache: RequestCache | None,
    ) -> T:
        async def run_batch(_: Store) -> T:
            if self._way is None:
                self._way = await self._detect_way()
            self._batch.begin(self._way)
            if under is None:
                result = await calls(self._batched_store)
            else:
                result = await self._run_guarded(calls, under, releases, cache)
            await self._batch.send()
            return result

        return self._run(run_batch)

    async def _run_guarded(
        self,
        calls: Callable[[Store], Coroutine[Any, Any, T]],
        lease: Lease,
        releases: bool,
        cache: RequestCache | None,
    ) -> T:
        leases = self._batched_store.leases
        await leases.guard(lease)
        self._batch.set_guard()
        for name, write in cache.rows() if cache is not None else ():
            write._namespace = f"{self._name}.{name}"
            self._batch.add(write, once=False)
        result = await calls(self._batched_store)
        await (leases.release(lease) if releases else leases.settle(lease))
        return result

    @translate_errors
    async def _detect_way(self) -> Way:
        """How the server supports batched writes."""
        hello = self._client.admin.command("hello")
        if hello["maxWireVersion"] >= BULK_WRITE_SINCE:
            return "message"
        has_transactions = "setName" in hello or hello.get("msg") == "isdbgrid"
        return "transaction" if has_transactions else "singly"

    def _run(self, calls: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
        """Drive the coroutine without an event loop; nothing in it blocks on one."""
        coroutine = calls(self._store)
        try:
            coroutine.send(None)
        except StopIteration as returned:
            return cast("T", returned.value)
        coroutine.close()
        raise TypeError("a batch may await only the repositories")


class _Collections:
    """The collections of a database, as repositories look them up."""

    def __init__(self, make: Callable[[str], Collection]) -> None:
        self._make = make

    def __getitem__(self, name: str) -> Collection:
        return self._make(name)


class _DirectCollection:
    """A collection whose coroutines return without waiting for an event loop."""

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
