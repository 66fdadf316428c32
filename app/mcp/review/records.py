"""Arguments that tools of both review servers take."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from app.domain.review import Record, ReviewedRecord, Strict
from app.review.service import MOST


def summary(record: Record) -> dict[str, Any]:
    """One of a list: enough to choose by."""
    return {
        "id": record.id,
        "location": record.location,
        "submitted_at_ms": record.submitted_at_ms,
        "reported_symptom": record.issue.reported_symptom,
        "site": record.issue.site,
        "ticket_id": record.issue.ticket_id,
        "confidence": record.investigation.confidence,
        "impact": record.investigation.impact,
        "proposed_next_action": record.recommendation.proposed_next_action,
        "why_escalated": record.why_escalated,
        "submitter": record.submitter.model_dump(mode="json"),
        **decision(record),
    }


def decision(record: Record) -> dict[str, Any]:
    """What was decided, by whom and why; nothing of one that waits."""
    return (
        {"review": record.review.model_dump(mode="json")}
        if isinstance(record, ReviewedRecord)
        else {}
    )


def moment(record: Record) -> tuple[int, str]:
    """What lists are ordered by, newest first: when it was submitted, or decided."""
    when = (
        record.review.reviewed_at_ms
        if isinstance(record, ReviewedRecord)
        else record.submitted_at_ms
    )
    return when, record.id


DEFAULT = 10


def _given(submission_id: object) -> object:
    """None is not given, as "" is."""
    return "" if submission_id is None else submission_id


Id = Annotated[
    str,
    BeforeValidator(_given),
    Field(description="The id of the record: 'HITL-' and a version 4 UUID"),
]
Limit = Annotated[
    int, Field(ge=1, le=MOST, description=f"How many at most, newest first; from 1 to {MOST}")
]


class RecordArguments(Strict):
    """Which record."""

    submission_id: Id


class LimitArguments(Strict):
    """How many."""

    limit: Limit = DEFAULT
