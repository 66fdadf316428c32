"""Records and decisions by number, the same in every process."""

import hashlib

from app.domain.review import (
    OUTCOMES,
    Identity,
    Investigation,
    Issue,
    Origin,
    Recommendation,
    Review,
    ReviewOutcome,
    Submission,
    record_id_from,
)

TENANT = "bench"
SUBMITTED_MS = 1_760_000_000_000


def record_id(number: int) -> str:
    return record_id_from(hashlib.sha256(f"review {number}".encode()).digest())


def record(number: int, worker: int = 0) -> Submission:
    """A record of typical size: 2 kB."""
    return Submission(
        id=record_id(number),
        tenant_id=TENANT,
        submitted_at_ms=SUBMITTED_MS + number,
        issue=Issue(
            reported_symptom="The form was sent, and nothing on the page says so",
            goal=f"Add a patient named 'Ann {number}'",
            site="clinic.example",
            task_id=f"task-{number}",
        ),
        investigation=Investigation(
            what_checked=("the page after the click", "the list of patients", "the network"),
            evidence=("The page changed", "No message was shown", "POST /patients was answered"),
            candidate_root_cause="The message goes away before it can be seen",
            confidence="medium",
            impact="normal",
        ),
        recommendation=Recommendation(
            proposed_next_action="Look the patient up by name", expected_outcome="It is there"
        ),
        why_escalated="The confidence is not high",
        submitter=Identity(name=f"worker {worker}", role="agent"),
        origin=Origin(
            kind="task",
            user=f"user-{number % 50}",
            told="It seems to be done. " * 20,
            reasons=("low_confidence",),
        ),
    )


def outcome_by(number: int, worker: int) -> ReviewOutcome:
    """The decision, on which workers disagree."""
    return OUTCOMES[(number + worker) % 2]


def review(number: int, worker: int) -> Review:
    who = Identity(name=f"worker {worker}", role="operator")
    return Review(
        decision=outcome_by(number, worker),
        reviewed_at_ms=SUBMITTED_MS + number + 60_000,
        notes=f"By worker {worker}: it was looked at and it is as it is",
        operator=who,
        reviewed_by=who.name,
    )
