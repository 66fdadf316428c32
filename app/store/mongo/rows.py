"""Rows and values: the one translation between stored camelCase dicts and domain values.

A row holds the value's fields in camelCase, `tenantId` and `userId` for `tenant` and `user`, and
`schema`, the number of its shape; what is None is left out. Dates are UTC, to the millisecond, as
BSON has them.
"""

from functools import lru_cache
from typing import Any, TypeVar

import bson
from bson.errors import BSONError
from pydantic.alias_generators import to_camel

from app.domain.base import Value

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
            row[name] = given
    return storable(row)


def from_row(kind: type[V], row: Row) -> V:
    """The value of a row. Keys it does not know (`_id`, later additions) are passed over."""
    return kind.model_validate({field: row[name] for field, name in _names(kind) if name in row})


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


@lru_cache
def _names(kind: type[Value]) -> tuple[tuple[str, str], ...]:
    return tuple((field, _RENAMED.get(field, to_camel(field))) for field in kind.model_fields)
