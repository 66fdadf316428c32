"""The base of repositories: rows and domain values, conditional changes, and the driver's errors.

A row contains the value's fields in camelCase, `tenantId` and `userId` for `tenant` and `user`, and the
schema number `schema`; None is omitted. Nested values are written likewise. Dates are UTC with millisecond
precision, as in BSON.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache, wraps
from inspect import iscoroutinefunction
from typing import Any, ClassVar, Generic, ParamSpec, TypeAlias, TypeVar, get_args

import bson
from bson.errors import BSONError
from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorCollection, AsyncIOMotorDatabase
from pydantic.alias_generators import to_camel
from pymongo import (
    DeleteMany,
    DeleteOne,
    InsertOne,
    ReplaceOne,
    ReturnDocument,
    UpdateMany,
    UpdateOne,
)
from pymongo.errors import (
    BulkWriteError,
    DocumentTooLarge,
    DuplicateKeyError,
    OperationFailure,
    PyMongoError,
)

from app.domain.base import Value
from app.errors import Invalid, NotFound, StoreUnavailable, TabwrightError, TooLarge

Client: TypeAlias = AsyncIOMotorClient[dict[str, Any]]
Database: TypeAlias = AsyncIOMotorDatabase[dict[str, Any]]
Collection: TypeAlias = AsyncIOMotorCollection[dict[str, Any]]
Row = dict[str, Any]
Write: TypeAlias = (
    InsertOne[Row] | UpdateOne | UpdateMany | ReplaceOne[Row] | DeleteOne | DeleteMany
)
V = TypeVar("V", bound=Value)
P = ParamSpec("P")
T = TypeVar("T")

SCHEMA = 1
SAME_MOMENT = 50  # rows that may share the millisecond at a page boundary
STORE_TIME = "$$NOW"  # the server's own time, constant within one change
UPSERT_TRIES = 5
TRIES, PAUSE_S = 4, 0.005
RETRY_AFTER_S = 2  # a crashed server answers again within a second; twice that
DUPLICATE_KEY, WRITE_CONFLICT = 11000, 112
_RENAMED = {"tenant": "tenantId", "user": "userId"}
_INT64 = 2**63


def to_row(value: Value) -> Row:
    """The row of a value, ready for BSON."""
    return storable({"schema": SCHEMA} | to_nested(value))


def from_row(kind: type[V], row: Row) -> V:
    """The value of a row. Unknown keys (`_id`, later additions) are ignored."""
    return kind.model_validate(_fields(kind, row))


def to_nested(value: Value) -> Row:
    """The value within the row of another."""
    names = _names(type(value))
    return {name: _plain(v) for field, name in names if (v := getattr(value, field)) is not None}


def _plain(value: object) -> object:
    """The same with values as rows."""
    if isinstance(value, Value):
        return to_nested(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _fields(kind: type[Value], row: Row) -> Row:
    """The row with field names instead of row keys, recursively, for validation."""
    fields = {}
    for field, name in _names(kind):
        if name in row:
            inner = _inner(kind, field)
            fields[field] = _revived(inner, row[name]) if inner is not None else row[name]
    return fields


def _revived(kind: type[Value], value: object) -> object:
    if isinstance(value, list):
        return [_revived(kind, item) for item in value]
    return _fields(kind, value) if isinstance(value, dict) else value


@cache
def _inner(kind: type[Value], field: str) -> type[Value] | None:
    """The value class in a field, single or nested in a collection; None for a plain field."""
    pending: list[object] = [kind.model_fields[field].annotation]
    while pending:
        annotation = pending.pop()
        if isinstance(annotation, type) and issubclass(annotation, Value):
            return annotation
        pending.extend(get_args(annotation))
    return None


def storable(row: Row) -> Row:
    """The row itself if BSON can hold it, otherwise a sanitized copy.

    The HTTP layer rejects such text already; this keeps an odd name in a page from failing a write.
    """
    try:
        bson.encode(row)
    except (BSONError, UnicodeEncodeError, OverflowError):
        return {str(_cleaned(name)): _cleaned(value) for name, value in row.items()}
    return row


def _cleaned(value: object) -> object:
    """Replace lone surrogates by U+FFFD, remove NUL from keys, turn integers beyond 64 bits into floats."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {str(_cleaned(str(k))).replace("\0", ""): _cleaned(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        return float(min(max(value, -(10**308)), 10**308))
    return value


def newest_of(
    rows: list[Row], moment: str, name: str, *, after: tuple[datetime, str] | None, limit: int
) -> list[Row]:
    """Sort rows by the date in `moment`, then by the id in `name`, newest first; return up to `limit` after
    the given position.
    """
    rows.sort(key=lambda row: row[name])  # within a moment; the next sort is stable
    rows.sort(key=lambda row: row[moment], reverse=True)
    if after is not None:
        rows = [row for row in rows if row[moment] < after[0] or row[name] > after[1]]
    return rows[:limit]


@cache
def _names(kind: type[Value]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (field, _RENAMED.get(field) or to_camel(info.serialization_alias or field))
        for field, info in kind.model_fields.items()
    )


def given_fields(**fields: object) -> Row:
    return {name: value for name, value in fields.items() if value is not None}


def after_seconds(seconds: float) -> Row:
    amount = int(seconds * 1000)
    return {"$dateAdd": {"startDate": STORE_TIME, "unit": "millisecond", "amount": amount}}


def keep_fields(fields: Row) -> Row:
    """Expressions that set each field the row lacks."""
    return {
        name: {"$ifNull": [f"${name}", value if value == STORE_TIME else {"$literal": value}]}
        for name, value in fields.items()
    }


def set_if(condition: Row, fields: Row) -> Row:
    """Expressions that set each field if the condition is true, and keep it otherwise.

    The condition is part of the change and the filter contains only the unique key, because the embedded
    server uses an index only if it covers every field of the filter: with the condition in the filter it
    would scan the whole collection (15 ms with 20,000 rows, instead of 0.2 ms; measured).
    """
    return replace_if(condition, {name: {"$literal": value} for name, value in fields.items()})


def replace_if(condition: Row, fields: Row) -> Row:
    """Like `set_if`, with expressions as the new values."""
    return {name: {"$cond": [condition, value, f"${name}"]} for name, value in fields.items()}


async def upsert(rows: Collection, key: dict[str, Any], change: Row) -> Row:
    """Apply the change to the row with this unique key, creating it if needed; return the row afterwards.

    If two callers create the row at once, one gets a duplicate-key error, or nothing at all from the
    embedded server. Applying the change again is safe, since the row then exists and the change is
    conditional.
    """
    stages = [{"$set": storable(change)}]
    for _ in range(UPSERT_TRIES):
        with suppress(DuplicateKeyError):
            row: Row | None = await rows.find_one_and_update(
                key, stages, upsert=True, return_document=ReturnDocument.AFTER
            )
            if row is not None:
                return row
    raise StoreUnavailable("Too many concurrent writes to the same row")


def translate_errors(
    call: Callable[P, Coroutine[Any, Any, T]],
) -> Callable[P, Coroutine[Any, Any, T]]:
    """Wrap `call`: retry transient write conflicts and raise driver errors as app.errors.

    Raises `StoreUnavailable` if the server does not answer or refuses, `TooLarge` over 16 MB, `Invalid` for
    text that BSON cannot hold. Only for calls that may be repeated, as every store call is.
    """

    @wraps(call)
    async def wrapper(*args: P.args, **kwargs: P.kwargs) -> T:
        for attempt in range(1, TRIES + 1):
            try:
                return await call(*args, **kwargs)
            except (PyMongoError, BSONError, UnicodeEncodeError, OverflowError) as error:
                if attempt == TRIES or not _is_transient(error):
                    raise to_store_error(error) from error
            await _pause(PAUSE_S * attempt)
        raise AssertionError("unreachable")

    return wrapper


async def _pause(seconds: float) -> None:
    """Sleep without blocking an event loop; threads of `batch` have none."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        time.sleep(seconds)  # noqa: ASYNC251 - this thread has no event loop
    else:
        await asyncio.sleep(seconds)


def to_store_error(error: Exception) -> TabwrightError:
    """The error to raise instead. Its details never reveal hosts, credentials or rows."""
    if isinstance(error, DocumentTooLarge):
        return TooLarge("The data to store exceeds 16 MB")
    if isinstance(error, PyMongoError):
        return StoreUnavailable("The store did not answer", retry_after=RETRY_AFTER_S)
    return Invalid("The text contains characters that cannot be stored")


def only_duplicates(details: Mapping[str, Any]) -> bool:
    """Whether a bulk write failed only because of rows that existed already."""
    errors = details.get("writeErrors", [])
    return all(e.get("code") == DUPLICATE_KEY for e in errors) and not details.get(
        "writeConcernErrors"
    )


def _is_transient(error: Exception) -> bool:
    """A conflict between writers, or a concurrent insert of the same row; retrying helps."""
    if not isinstance(error, PyMongoError):
        return False
    if isinstance(error, DuplicateKeyError):
        return True
    conflict = isinstance(error, OperationFailure) and error.code == WRITE_CONFLICT
    return conflict or error.has_error_label("TransientTransactionError")


async def write_unordered(rows: Collection, writes: Sequence[Write]) -> None:
    """Perform the writes in any order; rows that an insertion finds stay as they are."""
    if not writes:
        return
    try:
        await rows.bulk_write(writes, ordered=False)
    except BulkWriteError as error:
        if not only_duplicates(error.details or {}):
            raise


class Repository:
    """The rows of one collection.

    Its public coroutines raise the driver's errors as `app.errors`, see `translate_errors`.
    """

    collection: ClassVar[str]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, call in tuple(vars(cls).items()):
            if iscoroutinefunction(call) and not name.startswith("_"):
                setattr(cls, name, translate_errors(call))

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database[self.collection]

    async def _write(self, writes: Sequence[Write]) -> None:
        await write_unordered(self._rows, writes)

    async def _insert_missing(self, values: Sequence[Value]) -> None:
        """Insert; existing rows are unchanged."""
        await self._write([InsertOne(to_row(value)) for value in values])

    async def _change(self, key: Row, change: Row) -> Row | None:
        """Set these fields, given as expressions, in one write; return the row afterwards, if any."""
        row: Row | None = await self._rows.find_one_and_update(
            key, [{"$set": storable(change)}], return_document=ReturnDocument.AFTER
        )
        return row


class ValueRepository(Repository, Generic[V]):
    """The rows of one collection, as values of one kind. `key` is the field of their id within a tenant, and
    `noun` names one for people.
    """

    kind: type[V]
    key: ClassVar[str]
    noun: ClassVar[str]

    async def find(self, tenant: str, value_id: str) -> V | None:
        return await self._one(self._key(tenant, value_id))

    async def get(self, tenant: str, value_id: str) -> V:
        """The value, or raise `NotFound`."""
        return self._require(await self._one(self._key(tenant, value_id)), value_id)

    def _key(self, tenant: str, value_id: str) -> Row:
        return {"tenantId": tenant, self.key: value_id}

    def _require(self, value: T | None, value_id: str) -> T:
        if not value:
            raise NotFound(f"There is no {self.noun} {value_id!r}")
        return value

    def _value(self, row: Row) -> V:
        return from_row(self.kind, row)

    async def _one(self, key: Row) -> V | None:
        row = await self._rows.find_one(key)
        return self._value(row) if row else None

    async def _all(self, query: Row, *, sort: Sequence[tuple[str, int]], limit: int = 0) -> list[V]:
        rows = self._rows.find(query, sort=sort, limit=limit)
        return [self._value(row) async for row in rows]

    async def _change_one(self, tenant: str, value_id: str, change: Row) -> V | None:
        """Set these fields, given as expressions, in one write; return the value afterwards, if any."""
        row = await self._change(self._key(tenant, value_id), change)
        return self._value(row) if row else None

    async def _delete_one(self, tenant: str, value_id: str) -> None:
        """Delete the row, or raise `NotFound`."""
        result = await self._rows.delete_one(self._key(tenant, value_id))
        self._require(result.deleted_count, value_id)

    async def _page(
        self,
        query: Row,
        moment: str,
        name: str,
        *,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        after: tuple[datetime, str] | None = None,
        hidden: Sequence[str] = (),
    ) -> list[V]:
        """Newest first by the date in `moment`, then by the id in `name`: those in [`since`, `until`) after
        the given position, without the `hidden` fields.
        """
        bounds = {"$gte": since, "$lt": until, "$lte": after[0] if after else None}
        if period := given_fields(**bounds):
            query = query | {moment: period}
        projection = dict.fromkeys(hidden, 0) or None
        cursor = self._rows.find(query, projection, sort=[(moment, -1)], limit=limit + SAME_MOMENT)
        rows = [row async for row in cursor]
        page = newest_of(rows, moment, name, after=after, limit=limit)
        return [self._value(row) for row in page]
