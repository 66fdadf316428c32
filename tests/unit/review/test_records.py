"""What is a record of the review queue, and what is none."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from app.domain.review import (
    MOST_LINES,
    SHORT,
    TEXT,
    Identity,
    Review,
    ReviewedRecord,
    Submission,
    is_record_id,
    new_record_id,
    record_id_from,
    with_review,
)

RECORD: dict[str, Any] = {
    "schema_version": 1,
    "id": "HITL-3f2b8c1e-9d4a-4b6f-8e21-0a1b2c3d4e5f",
    "tenant_id": "clinic",
    "submitted_at_ms": 1_764_000_000_000,
    "status": "pending",
    "issue": {
        "reported_symptom": "The form was sent and nothing says so",
        "site": "clinic.example",
    },
    "investigation": {
        "what_checked": ["the page after the click"],
        "evidence": ["The page changed"],
        "confidence": "medium",
        "impact": "normal",
    },
    "recommendation": {"proposed_next_action": "Keep what was done"},
    "why_escalated": "The confidence is not high",
    "submitter": {"name": "Tabwright", "role": "agent"},
    "origin": {"kind": "task", "user": "jo"},
}
REVIEW = Review(
    decision="approved",
    reviewed_at_ms=1,
    notes="It is there",
    operator=Identity(name="Ann", role="operator"),
    reviewed_by="Ann",
)


def changed(path: str, value: object) -> dict[str, Any]:
    """The record with another value at a place."""
    *outer, last = path.split(".")
    made = {k: dict(v) if isinstance(v, dict) else v for k, v in RECORD.items()}
    place = made
    for part in outer:
        place = place[part]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return made


def test_a_record_survives_being_written_and_read() -> None:
    record = Submission.model_validate(RECORD)
    assert Submission.model_validate_json(record.model_dump_json()) == record
    reviewed = with_review(record, REVIEW)
    assert ReviewedRecord.model_validate_json(reviewed.model_dump_json()) == reviewed
    assert (record.location, reviewed.location) == ("pending", "approved")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("schema_version", 2),
        ("schema_version", "1"),
        ("id", "HITL-../../etc/passwd"),
        ("tenant_id", ""),
        ("submitted_at_ms", -1),
        ("submitted_at_ms", 1.5),
        ("submitted_at_ms", "1764000000000"),
        ("status", "reviewed"),
        ("issue.reported_symptom", "  "),
        ("issue.reported_symptom", "x" * (TEXT + 1)),
        ("issue.site", "x" * (SHORT + 1)),
        ("issue.unheard_of", "x"),
        ("investigation.confidence", "very"),
        ("investigation.impact", "low"),
        ("investigation.evidence", ["x"] * (MOST_LINES + 1)),
        ("investigation.evidence", "one text"),
        ("recommendation.proposed_next_action", ...),
        ("submitter.name", ...),
        ("submitter.name", " "),
        ("submitter.role", ...),
        ("submitter.role", ""),
        ("why_escalated", "a\x00b"),
        ("why_escalated", "\ud800"),
        ("origin.kind", "page"),
        ("review", {"decision": "approved"}),
    ],
)
def test_what_is_no_record_is_refused(path: str, value: object) -> None:
    with pytest.raises(ValidationError):
        Submission.model_validate(changed(path, value))


@pytest.mark.parametrize("notes", ["", " \n", "x" * (TEXT + 1)])
def test_notes_are_required_of_both_outcomes(notes: str) -> None:
    for outcome in ("approved", "rejected"):
        with pytest.raises(ValidationError):
            Review.model_validate({**REVIEW.model_dump(), "decision": outcome, "notes": notes})


def test_skip_is_no_outcome() -> None:
    with pytest.raises(ValidationError):
        Review.model_validate({**REVIEW.model_dump(), "decision": "skip"})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "HITL-",
        "HITL-..",
        "HITL-3f2b8c1e-9d4a-4b6f-8e21-0a1b2c3d4e5f\n",
        "HITL-3f2b8c1e-9d4a-4b6f-8e21-0a1b2c3d4e5f\x00",
        "HITL-3F2B8C1E-9D4A-4B6F-8E21-0A1B2C3D4E5F",
        "HITL-3f2b8c1e-9d4a-1b6f-8e21-0a1b2c3d4e5f",
        "../HITL-3f2b8c1e-9d4a-4b6f-8e21-0a1b2c3d4e5",
        "x" * 10_000,
    ],
)
def test_only_an_id_is_one(text: str) -> None:
    assert not is_record_id(text)


@given(st.binary(min_size=1))
def test_the_same_thing_has_the_same_id(about: bytes) -> None:
    digest = hashlib.sha256(about).digest()
    assert is_record_id(record_id_from(digest))
    assert record_id_from(digest) == record_id_from(digest)
    assert is_record_id(new_record_id())
