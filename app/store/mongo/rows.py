"""Rows and values: the one translation between stored camelCase dicts and domain values.

A row holds the value's fields in camelCase, `tenantId` and `userId` for `tenant` and `user`, and
`schema`, the number of its shape; what is None is left out. Values within it are written likewise.
Dates are UTC, to the millisecond, as BSON has them.
"""

from datetime import datetime
from functools import cache
from typing import Any, TypeAlias, TypeVar, get_args

import bson
from bson.errors import BSONError
from motor.motor_asyncio import AsyncIOMotorClient, AsyncIOMotorCollection, AsyncIOMotorDatabase
from pydantic.alias_generators import to_camel

from app.domain.base import Value

Client: TypeAlias = AsyncIOMotorClient[dict[str, Any]]


Database: TypeAlias = AsyncIOMotorDatabase[dict[str, Any]]


Collection: TypeAlias = AsyncIOMotorCollection[dict[str, Any]]


Row = dict[str, Any]


V = TypeVar("V", bound=Value)


SCHEMA = 1


_RENAMED = {"tenant": "tenantId", "user": "userId"}


_INT64 = 2**63


def to_row(value: Value) -> Row:
    """The row of a value, ready for BSON."""
    row: Row = {"schema": SCHEMA}
    for field, name in _names(type(value)):
        if (given := getattr(value, field)) is not None:
            row[name] = _plain(given)
    return storable(row)


def from_row(kind: type[V], row: Row) -> V:
    """The value of a row. Keys it does not know (`_id`, later additions) are passed over."""
    return kind.model_validate(_fields(kind, row))


def _plain(given: object) -> object:
    """The same with values in it as rows."""
    if isinstance(given, Value):
        names = _names(type(given))
        return {
            name: _plain(v) for field, name in names if (v := getattr(given, field)) is not None
        }
    if isinstance(given, tuple | list):
        return [_plain(item) for item in given]
    return given


def _fields(kind: type[Value], row: Row) -> Row:
    """What is to be validated: the row by the fields' names, and so within it."""
    found = {}
    for field, name in _names(kind):
        if name in row:
            inner = _inner(kind, field)
            found[field] = _revived(inner, row[name]) if inner is not None else row[name]
    return found


def _revived(kind: type[Value], given: object) -> object:
    if isinstance(given, list):
        return [_revived(kind, item) for item in given]
    return _fields(kind, given) if isinstance(given, dict) else given


@cache
def _inner(kind: type[Value], field: str) -> type[Value] | None:
    """The kind of the values that a field holds, one or many; None for a plain field."""
    pending: list[object] = [kind.model_fields[field].annotation]
    while pending:
        found = pending.pop()
        if isinstance(found, type) and issubclass(found, Value):
            return found
        pending.extend(get_args(found))
    return None


def storable(row: Row) -> Row:
    """The row itself if BSON can hold it, else a copy without what it cannot.

    The HTTP edge refuses such text already; this keeps a page's odd name from losing a write.
    """
    try:
        bson.encode(row)
    except (BSONError, UnicodeEncodeError, OverflowError):
        return {str(_cleaned(name)): _cleaned(value) for name, value in row.items()}
    return row


def _cleaned(value: object) -> object:
    """Lone surrogates become U+FFFD, NUL leaves keys, integers beyond 64 bits become floats."""
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
    """The newest of the rows by the date in `moment`, those of the same moment by the id in `name`, that
    come after the place given; `limit` at most.
    """
    rows.sort(key=lambda row: row[name])  # within a moment; the next sort keeps it
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
