"""Which tasks and answers are filed for review, why, and how the record is worded."""

from collections.abc import Iterable
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

HIGH, MEDIUM = 0.85, 0.7  # of a confidence in 0..1; a task is called completed from 0.7 on


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCase:
    """What decides whether someone is to look at it."""

    confidence: Level
    impact: Impact = "normal"
    conflicting: bool = False
    asked_for: bool = False


def level_of(confidence: float) -> Level:
    """The level of a confidence in 0..1."""
    return "high" if confidence >= HIGH else "medium" if confidence >= MEDIUM else "low"


def reasons_of(case: ReviewCase) -> tuple[Reason, ...]:
    """Why it goes to an operator; none where it does not."""
    found: dict[Reason, bool] = {
        "low_confidence": case.confidence != "high",
        "conflicting_evidence": case.conflicting,
        "high_impact": case.impact == "high",
        "asked_for": case.asked_for,
    }
    return tuple(reason for reason, holds in found.items() if holds)


WORDS: dict[Reason, str] = {
    "low_confidence": "The confidence is not high",
    "conflicting_evidence": "What was seen contradicts itself",
    "high_impact": "It may matter much, or cannot be undone",
    "asked_for": "A person asked for a second opinion",
}


def explain_reasons(reasons: tuple[Reason, ...]) -> str:
    """The reasons in words."""
    return "; ".join(WORDS[reason] for reason in reasons)


_CONTROL = patterns.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Wording:
    """Makes what was seen and said fit for a record; `hidden` are the secrets that stand in none."""

    hidden: frozenset[str] = frozenset()

    def short(self, text: str) -> str:
        """At most `SHORT` characters."""
        return self._of(text, SHORT)

    def text(self, text: str) -> str:
        """At most `TEXT` characters."""
        return self._of(text, TEXT)

    def long(self, text: str) -> str:
        """At most `LONG` characters."""
        return self._of(text, LONG)

    def said(self, text: str, otherwise: str) -> str:
        """At most `TEXT` characters; `otherwise` where nothing is said."""
        found = self.text(text)
        return found if found.strip() else otherwise

    def lines(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Each once, without empty ones; the first `MOST_LINES`."""
        found = dict.fromkeys(self.text(text).strip() for text in texts)
        return tuple(text for text in found if text)[:MOST_LINES]

    def _of(self, text: str, most: int) -> str:
        """Secrets go before it is cut: half a secret would not be known as one."""
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        whole = _CONTROL.sub("", masked(whole, self.hidden))
        return whole if len(whole) <= most else f"{whole[: most - 1]}…"


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
