"""Writes to several collections, sent in one message.

A separate write is a message, a reply and, on the embedded server, a log sync: the five that end a request
took 2.5 ms of CPU here, 2.8 there and 23 ms in all, and 0.7, 1.7 and 11 as one message (two busy cores).
`bulkWrite` needs MongoDB 8. Its writes are ordered, and a failure stops it: earlier ones stay, as with
separate writes.

Writes under a lease begin with the lease's guard. Once that has passed, the server performs all writes of
the message even if the sender dies, and nobody can take the lease before the last one. A transaction would
not work: if a process is stopped or killed before it commits, it stays open and locks the lease (the
embedded server never ends it). MongoDB 7, which lacks such a message but ends open transactions after a
minute, uses one nevertheless.
"""

import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from threading import local
from typing import Any, Literal, TypeAlias, cast

from pymongo import DeleteMany, DeleteOne, MongoClient, ReplaceOne, UpdateOne
from pymongo.client_session import ClientSession
from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    ClientBulkWriteException,
    NetworkTimeout,
    PyMongoError,
)

from app.errors import RunLost
from app.store.mongo.rows import (
    DUPLICATE_KEY,
    PAUSE_S,
    TRIES,
    WRITE_CONFLICT,
    Collection,
    Row,
    Write,
    translate_errors,
)

BULK_WRITE_SINCE = 25  # wire version of MongoDB 8.0
CONVERSION_FAILURE = 241  # the error with which a guard fails, see `Leases.guard`

# Collections that most requests write at their end, with calls whose results are not needed.
BATCHED_COLLECTIONS = frozenset({
    "audit", "checkpoint_writes", "checkpoints", "choices", "conversation_lines", "conversations",
    "corrections", "hitl", "leases", "messages", "operations", "recipes", "review_outbox", "sessions",
    "task_actions", "tasks",
})  # fmt: skip

Way: TypeAlias = Literal["message", "transaction", "singly"]


class WriteBatch(local):
    """The unsent writes of a thread; each thread has its own.

    `client` must not retry messages by itself, because the guard of a repeated message must be checked
    again.
    """

    def __init__(self, client: MongoClient[Row]) -> None:
        self._client = client
        self._way: Way = "message"
        self._guard: Write | None = None
        self._waiting: list[tuple[Write, bool]] = []

    def begin(self, way: Way) -> None:
        """Start over: no pending writes, no guard. Writes of failed calls are discarded."""
        self._way, self._guard, self._waiting = way, None, []

    def set_guard(self) -> None:
        """Make the single pending write the guard of all that follow."""
        ((self._guard, _),) = self._waiting
        self._waiting = []

    def add(self, write: Write, *, once: bool) -> None:
        """Add a write. With `once`, an existing row is not an error and stays as it is."""
        self._waiting.append((write, once))

    def concerns(self, name: str) -> bool:
        return any(write._namespace == name for write, _ in self._waiting)

    @translate_errors
    async def send(self) -> None:
        """Send pending writes.

        Continues after rows that existed already, and retries on conflicts. Raises `RunLost` if the guard
        fails.
        """
        tries = TRIES
        while self._waiting:
            try:
                self._send_all()
            except _Failed as failure:
                done_count = self._count_done(failure)
                self._waiting = self._waiting[done_count:]
                if failure.code == DUPLICATE_KEY and self._waiting[0][1]:
                    del self._waiting[0]
                    continue
                tries -= 1
                if not tries or failure.code not in (DUPLICATE_KEY, WRITE_CONFLICT):
                    raise failure.error from None
                time.sleep(PAUSE_S * (TRIES - tries))  # noqa: ASYNC251 - this thread has no event loop
            except NetworkTimeout:  # the server may still be processing it
                raise
            except AutoReconnect:
                tries -= 1
                if not tries:
                    raise
            else:
                self._waiting = []

    def _count_done(self, failure: "_Failed") -> int:
        """The number of pending writes that are final."""
        if self._guard is None:
            return failure.at
        if not failure.at and failure.code == CONVERSION_FAILURE:
            self._waiting = []
            raise RunLost from failure.error
        if self._way != "transaction":
            return max(0, failure.at - 1)
        if failure.code == DUPLICATE_KEY and failure.at and self._waiting[failure.at - 1][1]:
            self._waiting.insert(0, self._waiting.pop(failure.at - 1))  # only this one is left out
        return 0

    def _send_all(self) -> None:
        guard = [self._guard] if self._guard is not None else []
        writes = [*guard, *(write for write, _ in self._waiting)]
        if self._way == "message":
            try:
                self._client.bulk_write(writes, ordered=True)
            except ClientBulkWriteException as error:
                raise _failed(error) from error
        elif guard and self._way == "transaction":
            with self._client.start_session() as session, session.start_transaction():
                self._send_singly(writes, session)
        else:
            self._send_singly(writes)

    def _send_singly(self, writes: Sequence[Write], session: ClientSession | None = None) -> None:
        for at, write in enumerate(writes):
            database, _, name = str(write._namespace).partition(".")
            try:
                self._client[database][name].bulk_write([write], session=session)
            except BulkWriteError as error:
                first = (error.details or {}).get("writeErrors", [{}])[0]
                raise _Failed(at, first.get("code"), error) from error
            except PyMongoError as error:
                if error.has_error_label("TransientTransactionError"):
                    raise _Failed(at, WRITE_CONFLICT, error) from error
                raise


class _Failed(Exception):
    """The index of the failed write, and its error; (0, None) if the failure was not a write's."""

    def __init__(self, at: int, code: int | None, error: PyMongoError) -> None:
        super().__init__(at, code)
        self.at, self.code, self.error = at, code, error


def _failed(error: ClientBulkWriteException) -> _Failed:
    if isinstance(error.error, AutoReconnect):
        raise error.error
    if error.error is not None or error.write_concern_errors or not error.write_errors:
        return _Failed(0, None, error)
    first = cast("Row", error.write_errors[0])  # the driver's own type is wrong here
    return _Failed(int(first["idx"]), first.get("code"), error)


class BatchedCollection:
    """A collection that defers its writes; any other operation sends its pending ones first."""

    def __init__(self, name: str, direct: Collection, batch: WriteBatch) -> None:
        self._name = name
        self._direct = direct
        self._batch = batch

    async def update_one(self, key: Row, change: Row | list[Row], *, upsert: bool = False) -> None:
        await self.bulk_write([UpdateOne(key, change, upsert=upsert)])

    async def replace_one(self, key: Row, row: Row, *, upsert: bool = False) -> None:
        await self.bulk_write([ReplaceOne(key, row, upsert=upsert)])

    async def bulk_write(self, writes: Sequence[Write], *, ordered: bool = True) -> None:
        """Perform these writes. Unordered ones skip rows that exist already."""
        for write in writes:
            write._namespace = self._name  # the driver offers no other way to set it afterwards
            self._batch.add(write, once=not ordered)

    async def delete_many(self, query: Row) -> None:
        await self.bulk_write([DeleteMany(query)])

    async def delete_one(self, key: Row) -> None:
        await self.bulk_write([DeleteOne(key)])

    def find(self, *args: object, **kwargs: object) -> AsyncIterator[Row]:
        """Read, after sending pending writes."""
        return self._find_all(args, kwargs)

    async def _find_all(
        self, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> AsyncIterator[Row]:
        await self._send_pending()
        rows: AsyncIterator[Row] = self._direct.find(*args, **kwargs)
        async for row in rows:
            yield row

    async def _send_pending(self) -> None:
        if self._batch.concerns(self._name):
            await self._batch.send()

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, object]]:
        async def call(*args: object, **kwargs: object) -> object:
            await self._send_pending()
            return await getattr(self._direct, name)(*args, **kwargs)

        return call
