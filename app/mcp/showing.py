"""Records of the review queue as the tools tell of them."""

from typing import Any

from app.domain.review import Record, ReviewedRecord


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
