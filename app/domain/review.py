"""Records of the review queue: what an operator is asked to check, and the decisions.

Strict and versioned, because people, other programs and later versions read the queue.
"""

from typing import Annotated, Literal
from uuid import UUID, uuid4

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from app.text import patterns

PREFIX = "HITL-"
ID_CHARS = len(PREFIX) + 36
SHORT, TEXT, LONG = 200, 2_000, 8_000  # characters
MOST_LINES = 50  # per list of texts

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
    """Whether the text is `HITL-<uuid4>` in lower case, and thus safe as a file name."""
    return len(text) == ID_CHARS and _ID.fullmatch(text) is not None


def new_record_id() -> str:
    return f"{PREFIX}{uuid4()}"


def record_id_from(digest: bytes) -> str:
    """Derive an id from at least 16 bytes, so that the same record is filed once."""
    return f"{PREFIX}{UUID(bytes=digest[:16], version=4)}"


def _checked_id(text: str) -> str:
    if not is_record_id(text):
        raise ValueError("must be 'HITL-' and a version 4 UUID")
    return text


def _printable(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("must not contain control characters")
    text.encode("utf-8")  # fails for a lone surrogate in page text
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
Millis = Annotated[int, Field(ge=0, le=253_402_300_799_999)]  # since the epoch, UTC


class Strict(BaseModel):
    """Frozen; rejects unknown fields and does not coerce types."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Identity(Strict):
    """A person or program that submitted or decided. `name` and `role` are required."""

    name: RequiredName
    role: RequiredName
    id: Short | None = None
    team: Short | None = None


class Issue(Strict):
    """The subject of the record. `goal` is what was asked for in `task_id` and `thread_id`."""

    ticket_id: Short | None = None
    lgv_id: Short | None = None  # id of the subject, if it has one
    site: Short | None = None
    reported_symptom: RequiredText
    goal: Text | None = None
    task_id: Short | None = None
    thread_id: Short | None = None


class Investigation(Strict):
    """What was examined and found."""

    what_checked: Lines = ()
    evidence: Lines = ()
    candidate_root_cause: Text | None = None
    services_connections_involved: Lines = ()
    confidence: Level
    impact: Impact


class Recommendation(Strict):
    """The submitter's proposal."""

    proposed_next_action: RequiredText
    expected_outcome: Text = ""


class Origin(Strict):
    """The origin of the record: what a decision affects and who is notified.

    `user` is the owner of the task, turn or key; `message_id` a conversation's answer; `told` what the
    person was told in the meantime; `skill_ids` and `recipe_id` are the sources of the approach.
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

    @property
    def place(self) -> tuple[int, str]:
        """The place in a list: when the record was decided, or else submitted, in ms; and its id."""
        return self.submitted_at_ms, self.id


class Submission(_Record):
    """A record that waits for an operator."""

    status: Literal["pending"] = "pending"

    @property
    def location(self) -> Location:
        return "pending"


class Review(Strict):
    """An operator's decision. Both outcomes require notes."""

    decision: ReviewOutcome
    reviewed_at_ms: Millis
    notes: RequiredText
    operator: Identity
    reviewed_by: RequiredName


class ReviewedRecord(_Record):
    """A decided record."""

    status: Literal["reviewed"] = "reviewed"
    review: Review

    @property
    def location(self) -> Location:
        return self.review.decision

    @property
    def place(self) -> tuple[int, str]:
        return self.review.reviewed_at_ms, self.id


Record = Submission | ReviewedRecord


def with_review(record: Submission, review: Review) -> ReviewedRecord:
    fields = {name: getattr(record, name) for name in _Record.model_fields}
    return ReviewedRecord(**fields, review=review)


class Depths(Strict):
    """The number of records per location; `oldest_ms` is the submission time of the oldest pending one."""

    pending: int = 0
    approved: int = 0
    rejected: int = 0
    oldest_ms: Millis | None = None


class RecordTimes(Strict):
    """The times of one record that statistics need: epoch milliseconds, None while pending."""

    submitted_at_ms: Millis
    reviewed_at_ms: Millis | None = None
    decision: ReviewOutcome | None = None
    by_agent: bool = False


def record_times(record: Record) -> RecordTimes:
    """The times for statistics. The agent's own records are those that nobody submitted or requested."""
    asked_for = record.origin.kind == "mcp" or "asked_for" in record.origin.reasons
    review = record.review if isinstance(record, ReviewedRecord) else None
    return RecordTimes(
        submitted_at_ms=record.submitted_at_ms,
        reviewed_at_ms=review.reviewed_at_ms if review else None,
        decision=review.decision if review else None,
        by_agent=not asked_for,
    )
