"""Decides which tasks and answers are filed for review, why, and how records are worded."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import structlog

from app.domain.redaction import masked
from app.domain.review import (
    LONG,
    MOST_LINES,
    SHORT,
    TEXT,
    Impact,
    Level,
    Reason,
    Record,
    ReviewedRecord,
    Submission,
    record_id_from,
)
from app.errors import TabwrightError
from app.review.service import ReviewService
from app.store.reviews.outbox import Outbox
from app.store.reviews.port import Reviews
from app.text import patterns
from app.threads import background_task

log = structlog.get_logger(__name__)

HIGH_CONFIDENCE = 0.85
MEDIUM_CONFIDENCE = 0.7  # a task counts as completed from here on


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCase:
    """The facts that decide whether a result is filed."""

    confidence: Level
    impact: Impact = "normal"
    conflicting: bool = False
    asked_for: bool = False


def level_of(confidence: float) -> Level:
    if confidence >= HIGH_CONFIDENCE:
        return "high"
    return "medium" if confidence >= MEDIUM_CONFIDENCE else "low"


def reasons_of(case: ReviewCase) -> tuple[Reason, ...]:
    """The reasons for a review; empty if none is needed."""
    found: dict[Reason, bool] = {
        "low_confidence": case.confidence != "high",
        "conflicting_evidence": case.conflicting,
        "high_impact": case.impact == "high",
        "asked_for": case.asked_for,
    }
    return tuple(reason for reason, holds in found.items() if holds)


REASON_TEXTS: dict[Reason, str] = {
    "low_confidence": "The confidence is not high",
    "conflicting_evidence": "What was seen contradicts itself",
    "high_impact": "It may matter much, or cannot be undone",
    "asked_for": "A person asked for a second opinion",
}


def explain_reasons(reasons: tuple[Reason, ...]) -> str:
    return "; ".join(REASON_TEXTS[reason] for reason in reasons)


_CONTROL = patterns.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Wording:
    """Prepares observed and spoken text for a record; `hidden` are the secrets to remove."""

    hidden: frozenset[str] = frozenset()

    def short(self, text: str) -> str:
        return self._of(text, SHORT)

    def text(self, text: str) -> str:
        return self._of(text, TEXT)

    def long(self, text: str) -> str:
        return self._of(text, LONG)

    def text_or(self, text: str, otherwise: str) -> str:
        """At most `TEXT` characters; `otherwise` if empty."""
        found = self.text(text)
        return found if found.strip() else otherwise

    def lines(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The first `MOST_LINES` distinct, non-empty lines."""
        found = dict.fromkeys(self.text(text).strip() for text in texts)
        return tuple(text for text in found if text)[:MOST_LINES]

    def _of(self, text: str, most: int) -> str:
        """Remove secrets before truncating, since half a secret would not be recognized."""
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        whole = _CONTROL.sub("", masked(whole, self.hidden))
        return whole if len(whole) <= most else f"{whole[: most - 1]}…"


QUEUE_ERRORS = (TabwrightError, OSError)  # the queue cannot store or read a record at the moment


def id_of_task(tenant: str, task_id: str) -> str:
    return _id("task", tenant, task_id)


def id_of_answer(tenant: str, thread_id: str, message_id: str) -> str:
    return _id("chat", tenant, thread_id, message_id)


def _id(*parts: str) -> str:
    return record_id_from(sha256("\n".join(parts).encode()).digest())


@dataclass(frozen=True, slots=True)
class FiledRecord:
    """The record in force. `left`: the queue could not store it; it must be written to the outbox together
    with the result that it is about.
    """

    record: Record
    left: Submission | None = None


@dataclass(frozen=True, slots=True)
class RecordFiling:
    """Files records before a result is returned. An unavailable or full queue does not delay the result."""

    reviews: ReviewService

    async def file(self, record: Submission | None) -> FiledRecord | None:
        if record is None:
            return None
        try:
            return FiledRecord(await self.reviews.file(record))
        except QUEUE_ERRORS as error:
            log.warning("record kept for later", record=record.id, error=str(error))
            return FiledRecord(record, left=record)


async def load_record(
    reviews: Reviews, outbox: Outbox, tenant: str, record_id: str
) -> Record | None:
    """The record, from the queue or the outbox; None if there is none or it cannot be read."""
    try:
        found = await reviews.find(tenant, record_id)
    except QUEUE_ERRORS as error:
        log.warning("record not read", record=record_id, error=str(error))
        found = None
    return found or await outbox.find(tenant, record_id)


def record_view(record: Record) -> dict[str, Any]:
    """The record as shown to the requester: {id, reasons, status}, and an operator's notes."""
    view: dict[str, Any] = {
        "id": record.id,
        "reasons": list(record.origin.reasons),
        "status": record.location,
    }
    if isinstance(record, ReviewedRecord):
        view |= {"notes": record.review.notes, "operator": record.review.operator.name}
    return view


def filing_summary(filed: FiledRecord | None) -> dict[str, Any]:
    return {} if filed is None else {"review": record_view(filed.record)}


EVERY_S = 30.0
BATCH = 100


async def deliver(outbox: Outbox, reviews: ReviewService) -> int:
    """File the waiting records, oldest first; returns how many. Existing records are left as they are;
    records that the queue rejects keep waiting.
    """
    done = 0
    while waiting := await outbox.list_waiting(limit=BATCH):
        filed = 0
        for record in waiting:
            try:
                await reviews.file(record)
            except QUEUE_ERRORS as error:
                log.warning("record still waits", record=record.id, error=str(error))
            else:
                await outbox.remove(record.tenant_id, record.id)
                filed += 1
        done += filed
        if filed < BATCH:
            break
    return done


@asynccontextmanager
async def run_delivery(outbox: Outbox, reviews: ReviewService) -> AsyncIterator[None]:
    """Deliver now, and every 30 seconds while the block runs."""

    async def repeat() -> None:
        while True:
            try:
                if filed := await deliver(outbox, reviews):
                    log.info("waiting records filed", records=filed)
            except QUEUE_ERRORS as error:
                log.warning("records still wait", error=str(error))
            await asyncio.sleep(EVERY_S)

    async with background_task(repeat()):
        yield
