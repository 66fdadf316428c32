"""What the driver says becomes what callers are told."""

import pytest
from bson.errors import InvalidDocument
from pymongo.errors import (
    AutoReconnect,
    DocumentTooLarge,
    DuplicateKeyError,
    NetworkTimeout,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)

from app.errors import Invalid, StoreUnavailable, TooLarge
from app.store.mongo.rows import TRIES, Repository, only_duplicates, translate_errors


def failing(*errors: Exception) -> tuple[list[int], object]:
    """An async call that raises each error in turn and then answers; and its count of calls."""
    calls: list[int] = []

    @translate_errors
    async def call() -> str:
        calls.append(1)
        if len(calls) <= len(errors):
            raise errors[len(calls) - 1]
        return "answer"

    return calls, call


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (AutoReconnect("db.test:27017"), StoreUnavailable),
        (NetworkTimeout("db.test:27017"), StoreUnavailable),
        (ServerSelectionTimeoutError("db.test:27017"), StoreUnavailable),
        (OperationFailure("db.test: not authorized", 13), StoreUnavailable),
        (PyMongoError("db.test"), StoreUnavailable),
        (DocumentTooLarge("db.test"), TooLarge),
        (InvalidDocument("db.test"), Invalid),
        (UnicodeEncodeError("utf-8", "\ud800", 0, 1, "db.test"), Invalid),
        (OverflowError("db.test"), Invalid),
    ],
)
async def test_each_error_has_one_of_ours_that_tells_nothing_of_the_server(
    error: Exception, told: type[Exception]
) -> None:
    calls, call = failing(error)
    with pytest.raises(told) as raised:
        await call()  # type: ignore[operator]
    assert "db.test" not in str(raised.value)
    assert raised.value.__cause__ is error
    assert len(calls) == 1


def transient() -> PyMongoError:
    error = PyMongoError("again", error_labels=["TransientTransactionError"])
    assert error.has_error_label("TransientTransactionError")
    return error


@pytest.mark.parametrize(
    "error", [transient(), DuplicateKeyError("twice", 11000), OperationFailure("conflict", 112)]
)
async def test_what_passes_is_tried_again_but_not_for_ever(error: Exception) -> None:
    calls, call = failing(error, error)
    assert await call() == "answer"  # type: ignore[operator]
    assert len(calls) == 3
    calls, call = failing(*[error] * 9)
    with pytest.raises(StoreUnavailable):
        await call()  # type: ignore[operator]
    assert len(calls) == TRIES


async def test_a_fault_of_our_own_is_not_hidden() -> None:
    _, call = failing(KeyError("ours"))
    with pytest.raises(KeyError):
        await call()  # type: ignore[operator]


def test_a_bulk_write_that_met_only_rows_already_there_is_done() -> None:
    assert only_duplicates({"writeErrors": [{"code": 11000}]})
    assert not only_duplicates({"writeErrors": [{"code": 11000}, {"code": 121}]})
    assert not only_duplicates({"writeErrors": [], "writeConcernErrors": [{"code": 64}]})


async def test_every_public_call_of_a_repository_is_translated() -> None:
    class Things(Repository):
        collection = "things"

        async def find(self) -> str:
            raise AutoReconnect("db.test")

    with pytest.raises(StoreUnavailable):
        await Things({"things": None}).find()  # type: ignore[arg-type]
