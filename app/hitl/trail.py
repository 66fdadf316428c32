"""The audit trail of a question: what was shown, answered and then done.

Entry ids are derived from the question's, so that writing them again is harmless.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from app.domain.hitl import (
    AnswerChannel,
    AuditEntry,
    AuditKind,
    HitlResult,
    OperationStatus,
    PendingHitl,
    Question,
)
from app.domain.redaction import masked, secrets_answered
from app.hitl.ledger import ledger_key
from app.hitl.questions import question_text

AGREED = "execution/approved"  # `return_to` of an approval
UNDONE: Mapping[str, str] = {
    "approved": "It was agreed to, but what it was about had changed: nothing was done",
    "refused": "It was refused: nothing was done",
    "answered": "The answer was neither yes nor no: nothing was done",
    "cancelled": "It was cancelled: nothing was done",
    "expired": "Nobody answered in time: nothing was done",
}


def asked_entry(pending: PendingHitl) -> AuditEntry:
    """The entry for asking the question, with what the person saw."""
    return AuditEntry(
        entry_id=entry_id(pending.hitl_id, "asked"),
        tenant=pending.tenant,
        task_id=pending.task_id,
        kind="asked",
        by=pending.user,
        via="server",
        hitl_id=pending.hitl_id,
        text=question_text(pending.question),
        shown=shown(pending.question),
        at=pending.created_at,
    )


def shown(question: Question) -> dict[str, Any]:
    """What the person saw: the wording, the options, and what a yes permits."""
    seen: dict[str, Any] = {"message": question_text(question), "kind": question.kind}
    if question.options:
        seen["options"] = [{"id": one.id, "label": one.label} for one in question.options]
    if question.approval is not None:
        approval = question.approval.model_dump(exclude={"element"}, exclude_defaults=True)
        seen["approval"] = approval | {"effects": list(question.approval.effects)}
    return seen


def ended_entry(pending: PendingHitl) -> AuditEntry | None:
    """The entry for the end of the question, by whom and through which interface; None while pending."""
    result = pending.result
    if result is None:
        return None
    hidden = secrets_answered(question_text(pending.question), result.text)
    return AuditEntry(
        entry_id=entry_id(pending.hitl_id, "ended"),
        tenant=pending.tenant,
        task_id=pending.task_id,
        kind=result.decision,
        by=result.by,
        via=result.via,
        hitl_id=pending.hitl_id,
        text=masked(result.text, hidden),
        shown={"selected": list(result.selected)} if result.selected else {},
        at=result.at,
    )


def consequences(
    results: Iterable[HitlResult],
    executed: Mapping[str, OperationStatus],
    *,
    tenant: str,
    task_id: str,
    trace_id: str,
    now: datetime,
) -> list[AuditEntry]:
    """The entries for what approvals led to, or did not; `executed` is the thread's ledger."""
    entries = []
    for result in results:
        if result.return_to != AGREED:
            continue
        operations = tuple(ledger_key(trace_id, step) for step in result.operations)
        for name, kind, text, via in _consequences(result, executed):
            entries.append(
                AuditEntry(
                    entry_id=entry_id(result.hitl_id, name),
                    tenant=tenant,
                    task_id=task_id,
                    kind=kind,
                    by=result.by,
                    via=via,
                    hitl_id=result.hitl_id,
                    text=text,
                    operations=operations,
                    at=now,
                )
            )
    return entries


def _consequences(
    result: HitlResult, executed: Mapping[str, OperationStatus]
) -> list[tuple[str, AuditKind, str, AnswerChannel]]:
    if not result.operations:
        return [("undone", "not_done", UNDONE[result.decision], "server")]
    found: list[tuple[str, AuditKind, str, AnswerChannel]] = [
        ("sent", "done", "It was agreed to and sent to the browser", "server")
    ]
    came = [executed.get(step, "sent") for step in result.operations]
    if "sent" not in came:
        worked = came[-1] == "success"
        text = f"What came of it: {', '.join(came)}"
        found.append(("seen", "done" if worked else "not_done", text, "server"))
    return found


def entry_id(hitl_id: str, what: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"{hitl_id}/audit/{what}"))
