"""Translates the driver's errors, in this module only."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from bson.errors import BSONError
from pymongo.errors import (
    BulkWriteError,
    DocumentTooLarge,
    DuplicateKeyError,
    OperationFailure,
    PyMongoError,
)

from app.errors import Invalid, StoreUnavailable, TabwrightError, TooLarge
from app.store.mongo.rows import Collection, Row

RETRY_AFTER_S = 2  # a crashed server answers again within a second; twice that
TRIES = 4
PAUSE_S = 0.005
DUPLICATE_KEY = 11000
WRITE_CONFLICT = 112

P = ParamSpec("P")
T = TypeVar("T")


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
                if attempt == TRIES or not _passing(error):
                    raise to_store_error(error) from error
            await _pause(PAUSE_S * attempt)
        raise AssertionError("unreachable")

    return wrapper


async def _pause(seconds: float) -> None:
    """Sleep without blocking an event loop; threads of `batch` have none."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        time.sleep(seconds)  # noqa: ASYNC251  no loop is held up
    else:
        await asyncio.sleep(seconds)


def to_store_error(error: Exception) -> TabwrightError:
    """The error to raise instead. Its details never reveal hosts, credentials or rows."""
    if isinstance(error, DocumentTooLarge):
        return TooLarge("What is to be stored is over 16 MB")
    if isinstance(error, PyMongoError):
        return StoreUnavailable("The store did not answer", retry_after=RETRY_AFTER_S)
    return Invalid("The text holds characters that cannot be stored")


def only_duplicates(details: Mapping[str, Any]) -> bool:
    """Whether a bulk write failed only because of rows that existed already."""
    errors = details.get("writeErrors", [])
    return all(e.get("code") == DUPLICATE_KEY for e in errors) and not details.get(
        "writeConcernErrors"
    )


def _passing(error: Exception) -> bool:
    """A conflict between writers, or a concurrent insert of the same row; retrying helps."""
    if not isinstance(error, PyMongoError):
        return False
    if isinstance(error, DuplicateKeyError):
        return True
    conflict = isinstance(error, OperationFailure) and error.code == WRITE_CONFLICT
    return conflict or error.has_error_label("TransientTransactionError")


async def insert_missing(rows: Collection, new: Sequence[Row]) -> None:
    if not new:
        return
    with duplicates_ignored():
        await rows.insert_many(new, ordered=False)


@contextmanager
def duplicates_ignored() -> Iterator[None]:
    """Existing rows stay as they are; any other failure is raised."""
    try:
        yield
    except BulkWriteError as error:
        if not only_duplicates(error.details or {}):
            raise
