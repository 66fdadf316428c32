"""A task's audit trail on the wire."""

from datetime import datetime
from typing import Any

from app.api.models import Reply
from app.domain.hitl import AnswerChannel, AuditEntry, AuditKind

LONGEST_LINE = 500  # characters of an entry in the timeline; the audit trail has all of it


class AuditEntryView(Reply):
    """One line of the audit trail: who was asked what, saw what and answered what, what was then done,
    and what the person did themselves. `operations` are keys of the ledger of effects.
    """

    entry_id: str
    kind: AuditKind
    by: str
    via: AnswerChannel
    hitl_id: str | None = None
    text: str
    shown: dict[str, Any] = {}
    operations: list[str] = []
    at: datetime

    @staticmethod
    def of(entry: AuditEntry) -> "AuditEntryView":
        """The wire form of an entry."""
        return AuditEntryView.model_validate(
            entry.model_dump(exclude={"tenant", "task_id"}) | {"operations": [*entry.operations]}
        )


class AuditView(Reply):
    """A task's audit trail, oldest first. It is never changed."""

    entries: list[AuditEntryView]


class PeopleView(Reply):
    """What a person had to do with the task, in short, for its timeline."""

    kind: AuditKind
    text: str
    by: str
    hitl_id: str | None = None
    at: datetime

    @staticmethod
    def of(entry: AuditEntry) -> "PeopleView":
        """The short form of an entry of the audit trail."""
        return PeopleView(
            kind=entry.kind,
            text=entry.text[:LONGEST_LINE],
            by=entry.by,
            hitl_id=entry.hitl_id,
            at=entry.at,
        )
