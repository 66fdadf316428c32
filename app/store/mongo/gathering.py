"""Writes to several collections, sent in one message.

Each write of its own is a message, an answer and, on the embedded server, a sync of the log: the five
that end a request took 2.5 ms of CPU here, 2.8 there and 23 ms in all, one message with all of them 0.7,
1.7 and 11 (two busy cores). `bulkWrite` came with MongoDB 8. Its writes are made in their order, and one
that fails ends it: what came before stands, as with writes one by one.
"""

import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from threading import local
from typing import Any, TypeAlias, cast

from pymongo import InsertOne, MongoClient, ReplaceOne, UpdateOne
from pymongo.errors import ClientBulkWriteException

from app.store.mongo.database import Collection
from app.store.mongo.failures import DUPLICATE_KEY, PAUSE_S, TRIES, translated
from app.store.mongo.rows import Row

BULK_WRITE_SINCE = 25  # the wire version of MongoDB 8.0
WRITE_CONFLICT = 112
# Those that most requests write when they end, and whose calls want no result.
GATHERED = frozenset(
    {"tasks", "task_actions", "messages", "sessions", "choices", "audit", "operations", "leases"}
)

Write: TypeAlias = InsertOne[Row] | UpdateOne | ReplaceOne[Row]


class Gathered(local):
    """The writes that a thread has not sent yet; each thread has its own."""

    def __init__(self, client: MongoClient[Row]) -> None:
        self._client = client
        self._waiting: list[tuple[Write, bool]] = []

    def add(self, write: Write, *, once: bool) -> None:
        """Send it later. `once`: a row that is there already is no failure, and stays as it is."""
        self._waiting.append((write, once))

    def forget(self) -> None:
        """Send nothing of what waits."""
        self._waiting = []

    @translated
    async def send(self) -> None:
        """Send what waits. Goes on behind a row that was there already, and tries again where two
        writers met.
        """
        tries = TRIES
        while self._waiting:
            try:
                self._client.bulk_write([write for write, _ in self._waiting], ordered=True)
            except ClientBulkWriteException as error:
                at, code = _failed(error)
                self._waiting = self._waiting[at:]
                if code == DUPLICATE_KEY and self._waiting[0][1]:
                    del self._waiting[0]
                    continue
                tries -= 1
                if not tries or code not in (DUPLICATE_KEY, WRITE_CONFLICT):
                    raise
                time.sleep(PAUSE_S * (TRIES - tries))  # noqa: ASYNC251  no loop is held up
            else:
                self._waiting = []


def _failed(error: ClientBulkWriteException) -> tuple[int, int | None]:
    """Which of the writes failed, and its code; (0, None) where it was not one of them alone."""
    if error.error is not None or error.write_concern_errors or not error.write_errors:
        return 0, None
    first = cast(Row, error.write_errors[0])  # the driver's own type is wrong here
    return int(first["idx"]), first.get("code")


class GatheringCollection:
    """A collection whose writes wait to be sent; whatever else is asked of it sends them first."""

    def __init__(self, name: str, direct: Collection, gathered: Gathered) -> None:
        self._name = name
        self._direct = direct
        self._gathered = gathered

    async def insert_many(self, rows: Sequence[Row], *, ordered: bool = True) -> None:
        """Insert the rows."""
        await self.bulk_write([InsertOne(row) for row in rows], ordered=ordered)

    async def update_one(self, key: Row, change: Row | list[Row], *, upsert: bool = False) -> None:
        """Change the row."""
        await self.bulk_write([UpdateOne(key, change, upsert=upsert)])

    async def replace_one(self, key: Row, row: Row, *, upsert: bool = False) -> None:
        """Replace the row."""
        await self.bulk_write([ReplaceOne(key, row, upsert=upsert)])

    async def bulk_write(self, writes: Sequence[Write], *, ordered: bool = True) -> None:
        """Make these writes. Whoever sends them unordered passes over rows that are there already."""
        for write in writes:
            write._namespace = self._name  # the driver has no other way to name it afterwards
            self._gathered.add(write, once=not ordered)

    def find(self, *args: object, **kwargs: object) -> AsyncIterator[Row]:
        """Read, with what waits written."""
        return self._found(args, kwargs)

    async def _found(
        self, args: tuple[object, ...], kwargs: dict[str, object]
    ) -> AsyncIterator[Row]:
        await self._gathered.send()
        found: AsyncIterator[Row] = self._direct.find(*args, **kwargs)
        async for row in found:
            yield row

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, object]]:
        async def call(*args: object, **kwargs: object) -> object:
            await self._gathered.send()
            return await getattr(self._direct, name)(*args, **kwargs)

        return call
