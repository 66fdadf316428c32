"""What the routing files: a record of its own for each task and each answer, whatever dies when."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import structlog

from app.domain.review import Record, ReviewedRecord, Submission, record_id_from
from app.errors import TabwrightError
from app.review.service import ReviewService
from app.store.reviews.outbox import Outbox
from app.store.reviews.port import Reviews

log = structlog.get_logger(__name__)

AWAY = (TabwrightError, OSError)  # a queue that cannot take or read a record now


def id_of_task(tenant: str, task_id: str) -> str:
    """The id of the one record of a task."""
    return _id("task", tenant, task_id)


def id_of_answer(tenant: str, thread_id: str, message_id: str) -> str:
    """The id of the one record of an answer in a conversation."""
    return _id("chat", tenant, thread_id, message_id)


def _id(*parts: str) -> str:
    return record_id_from(sha256("\n".join(parts).encode()).digest())


@dataclass(frozen=True, slots=True)
class FiledRecord:
    """The record as it stands. `left`: it could not be kept in the queue, and is to be written to the outbox
    together with the end that it is about.
    """

    record: Record
    left: Submission | None = None


class RecordFiling:
    """Files before an end is answered. A queue that is away or full does not hold the end up."""

    def __init__(self, reviews: ReviewService) -> None:
        self._reviews = reviews

    async def file(self, record: Submission | None) -> FiledRecord | None:
        """The record that stands now; None for none."""
        if record is None:
            return None
        try:
            return FiledRecord(await self._reviews.file(record))
        except AWAY as error:
            log.warning("record kept for later", record=record.id, error=str(error))
            return FiledRecord(record, left=record)


async def load_record(
    reviews: Reviews, outbox: Outbox, tenant: str, record_id: str
) -> Record | None:
    """The record, in the queue or still on its way there; None where there is none, or none can be read."""
    try:
        found = await reviews.find(tenant, record_id)
    except AWAY as error:
        log.warning("record not read", record=record_id, error=str(error))
        found = None
    return found or await outbox.find(tenant, record_id)


def record_view(record: Record) -> dict[str, Any]:
    """As whoever asked is told of it: {id, reasons, status}, and what an operator said of it."""
    view: dict[str, Any] = {
        "id": record.id,
        "reasons": list(record.origin.reasons),
        "status": record.location,
    }
    if isinstance(record, ReviewedRecord):
        view |= {"notes": record.review.notes, "operator": record.review.operator.name}
    return view


def filing_summary(filed: FiledRecord | None) -> dict[str, Any]:
    """What an answer says of its record: nothing where there is none."""
    return {} if filed is None else {"review": record_view(filed.record)}
