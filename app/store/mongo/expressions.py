"""Changes that decide by the row itself, in one atomic write.

The condition stands in the change and the filter names the unique key alone, because the embedded
server uses an index only for a filter whose every field is in it: a filter with the condition in it
would read the whole collection (15 ms with 20,000 rows, against 0.2 ms; measured).
"""

from contextlib import suppress
from typing import Any

from pymongo import ReturnDocument
from pymongo.errors import DuplicateKeyError

from app.errors import StoreUnavailable
from app.store.mongo.rows import Collection, Row, storable

TRIES = 5
STORE_TIME = "$$NOW"  # the server's own time, the same all through one change


def after_seconds(seconds: float) -> Row:
    """An expression for the server's time in so many seconds."""
    amount = int(seconds * 1000)
    return {"$dateAdd": {"startDate": STORE_TIME, "unit": "millisecond", "amount": amount}}


def keep_fields(fields: Row) -> Row:
    """Expressions that set each field where the row has none."""
    return {name: {"$ifNull": [f"${name}", _valued(v)]} for name, v in fields.items()}


def set_if(condition: Row, fields: Row) -> Row:
    """Expressions that set each field where the condition holds, and leave it elsewhere."""
    return {name: {"$cond": [condition, {"$literal": v}, f"${name}"]} for name, v in fields.items()}


def replace_if(condition: Row, fields: Row) -> Row:
    """As `set_if`, with expressions for the fields."""
    return {name: {"$cond": [condition, value, f"${name}"]} for name, value in fields.items()}


def _valued(value: object) -> object:
    return value if value == STORE_TIME else {"$literal": value}


async def upsert(rows: Collection, key: dict[str, Any], change: Row) -> Row:
    """Apply the change to the row of this unique key, made if need be; the row afterwards.

    Two that make the row at once: one is told of a duplicate, or by the embedded server of nothing
    at all. Applying it again is right, since the row is there then and the change decides by it.
    """
    stages = [{"$set": storable(change)}]
    for _ in range(TRIES):
        with suppress(DuplicateKeyError):
            row: Row | None = await rows.find_one_and_update(
                key, stages, upsert=True, return_document=ReturnDocument.AFTER
            )
            if row is not None:
                return row
    raise StoreUnavailable("Too many wrote the same row at once")
