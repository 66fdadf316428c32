"""Records of the review queue: what an operator is asked to look at, and what they decided.

Strict and versioned: the queue is read by people, by other programs and by later versions of this one.
"""

from typing import Annotated, Literal
from uuid import UUID, uuid4

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from app.text import patterns

PREFIX = "HITL-"
ID_CHARS = len(PREFIX) + 36
SHORT, TEXT, LONG = 200, 2_000, 8_000  # characters
MOST_LINES = 50  # of a list of texts

Location = Literal["pending", "approved", "rejected"]
LOCATIONS: tuple[Location, ...] = ("pending", "approved", "rejected")
ReviewOutcome = Literal["approved", "rejected"]
OUTCOMES: tuple[ReviewOutcome, ...] = ("approved", "rejected")
Level = Literal["high", "medium", "low"]
Impact = Literal["normal", "high"]
Reason = Literal["low_confidence", "conflicting_evidence", "high_impact", "asked_for"]
OriginKind = Literal["task", "chat", "mcp"]

_ID = patterns.compile(r"HITL-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_CONTROL = patterns.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def is_record_id(text: str) -> bool:
    """Whether it is `HITL-<uuid4>` in lower case, and so the name of no other file."""
    return len(text) == ID_CHARS and _ID.fullmatch(text) is not None


def new_record_id() -> str:
    """A new id."""
    return f"{PREFIX}{uuid4()}"


def record_id_from(digest: bytes) -> str:
    """The id that follows from at least 16 bytes: the same record is not filed twice."""
    return f"{PREFIX}{UUID(bytes=digest[:16], version=4)}"


def _checked_id(text: str) -> str:
    if not is_record_id(text):
        raise ValueError("must be 'HITL-' and a version 4 UUID")
    return text


def _printable(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("must hold no control characters")
    text.encode("utf-8")  # half a character of a page's odd text
    return text


RecordId = Annotated[str, AfterValidator(_checked_id)]
_Printable = AfterValidator(_printable)
Short = Annotated[str, StringConstraints(max_length=SHORT), _Printable]
Text = Annotated[str, StringConstraints(max_length=TEXT), _Printable]
Long = Annotated[str, StringConstraints(max_length=LONG), _Printable]
RequiredName = Annotated[
    str, StringConstraints(min_length=1, max_length=SHORT, pattern=r"\S"), _Printable
]
RequiredText = Annotated[
    str, StringConstraints(min_length=1, max_length=TEXT, pattern=r"\S"), _Printable
]
Lines = Annotated[tuple[Text, ...], Field(max_length=MOST_LINES, strict=False)]
Millis = Annotated[int, Field(ge=0, le=253_402_300_799_999)]  # of the epoch, UTC


class Strict(BaseModel):
    """Frozen; says no to what it does not know, and turns nothing into something else."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Identity(Strict):
    """A person, or a program: who submitted or decided. `name` and `role` are mandatory."""

    name: RequiredName
    role: RequiredName
    id: Short | None = None
    team: Short | None = None


class Issue(Strict):
    """What it is about. `goal` is what was asked for, `task_id` and `thread_id` where it was."""

    ticket_id: Short | None = None
    lgv_id: Short | None = None  # of the thing that it is about, where that has an id of its own
    site: Short | None = None
    reported_symptom: RequiredText
    goal: Text | None = None
    task_id: Short | None = None
    thread_id: Short | None = None


class Investigation(Strict):
    """What was looked at and found."""

    what_checked: Lines = ()
    evidence: Lines = ()
    candidate_root_cause: Text | None = None
    services_connections_involved: Lines = ()
    confidence: Level
    impact: Impact


class Recommendation(Strict):
    """What whoever submitted proposes."""

    proposed_next_action: RequiredText
    expected_outcome: Text = ""


class Origin(Strict):
    """Where the record came from: what a decision acts on, and who is told of it.

    `user` is whose task, turn or key it was; `message_id` the answer of a conversation; `told` what
    the person was told meanwhile; `skill_ids` and `recipe_id` what the way of doing it came from.
    """

    kind: OriginKind
    user: Short
    message_id: Short | None = None
    session_id: Short | None = None
    told: Long = ""
    skill_ids: Annotated[tuple[Short, ...], Field(max_length=MOST_LINES, strict=False)] = ()
    recipe_id: Short | None = None
    reasons: Annotated[tuple[Reason, ...], Field(max_length=4, strict=False)] = ()


class _Record(Strict):
    schema_version: Literal[1] = 1
    id: RecordId
    tenant_id: RequiredName
    submitted_at_ms: Millis
    issue: Issue
    investigation: Investigation
    recommendation: Recommendation
    why_escalated: RequiredText
    missing_information: Lines = ()
    submitter: Identity
    origin: Origin


class Submission(_Record):
    """A record that waits for an operator."""

    status: Literal["pending"] = "pending"

    @property
    def location(self) -> Location:
        """Where it is kept."""
        return "pending"


class Review(Strict):
    """What an operator decided. Notes are required of both outcomes."""

    decision: ReviewOutcome
    reviewed_at_ms: Millis
    notes: RequiredText
    operator: Identity
    reviewed_by: RequiredName


class ReviewedRecord(_Record):
    """A record that was decided."""

    status: Literal["reviewed"] = "reviewed"
    review: Review

    @property
    def location(self) -> Location:
        """Where it is kept."""
        return self.review.decision


Record = Submission | ReviewedRecord


def with_review(record: Submission, review: Review) -> ReviewedRecord:
    """The record with its decision."""
    fields = {name: getattr(record, name) for name in _Record.model_fields}
    return ReviewedRecord(**fields, review=review)


class Depths(Strict):
    """How many records there are, by location; `oldest_ms` is when the oldest that waits was submitted."""

    pending: int = 0
    approved: int = 0
    rejected: int = 0
    oldest_ms: Millis | None = None


class RecordTimes(Strict):
    """What the numbers need of one record: epoch milliseconds, and None while it waits."""

    submitted_at_ms: Millis
    reviewed_at_ms: Millis | None = None
    decision: ReviewOutcome | None = None
    by_agent: bool = False


def record_times(record: Record) -> RecordTimes:
    """What the numbers need of it. The agent's own are those that nobody handed in or asked for."""
    asked_for = record.origin.kind == "mcp" or "asked_for" in record.origin.reasons
    review = record.review if isinstance(record, ReviewedRecord) else None
    return RecordTimes(
        submitted_at_ms=record.submitted_at_ms,
        reviewed_at_ms=review.reviewed_at_ms if review else None,
        decision=review.decision if review else None,
        by_agent=not asked_for,
    )
