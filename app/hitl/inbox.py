"""Stores questions before they are sent; exactly one answer ends each."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import NAMESPACE_URL, uuid5

import structlog

from app.domain.access import Principal
from app.domain.chat import ChatLine
from app.domain.hitl import (
    AuditEntry,
    AuditKind,
    HitlResult,
    HitlStatus,
    OperationStatus,
    PendingHitl,
    Question,
)
from app.domain.redaction import masked, secrets_answered
from app.domain.task import Message
from app.errors import HitlExpired, HitlNotPending, NotFound
from app.hitl.ledger import ledger_key
from app.hitl.questions import question_text
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.tasks.leases import Lease

log = structlog.get_logger(__name__)


class Inbox:
    """The questions of all tenants."""

    def __init__(self, together: StoreBatch) -> None:
        self._together = together

    async def put(
        self, pending: PendingHitl, line: Message | ChatLine, lease: Lease | None
    ) -> PendingHitl:
        """Store the question and its line in the history, and return the question in force. Raises `RunLost`
        where the lease is held no more.

        While another question is pending, the new one is rejected and logged as `HITL_DUPLICATE_ATTEMPT`.
        """

        async def write(store: Store) -> PendingHitl:
            stored = await store.hitl.put(pending)
            if stored.hitl_id == pending.hitl_id:
                await _store_line(store, line)
                await store.audit.add([asked_entry(stored)])
            return stored

        stored = await self._together.write(write, under=lease)
        if stored.hitl_id != pending.hitl_id:
            log.warning("HITL_DUPLICATE_ATTEMPT", taskId=pending.task_id, hitlId=pending.hitl_id)
        return stored

    async def find(self, tenant: str, hitl_id: str) -> PendingHitl | None:
        """The question; None if it was never stored.

        Audit entries that a crashed process did not write are added.
        """

        async def read(store: Store) -> PendingHitl | None:
            try:
                return await _complete_trail(store, await store.hitl.get(tenant, hitl_id))
            except NotFound:
                return None

        return await self._together(read)

    async def latest(self, tenant: str, task_id: str) -> PendingHitl | None:
        """The task's newest question in any status; see `find`."""

        async def read(store: Store) -> PendingHitl | None:
            found = await store.hitl.latest(tenant, task_id)
            return await _complete_trail(store, found) if found is not None else None

        return await self._together(read)

    async def conclude(
        self,
        tenant: str,
        result: HitlResult,
        *,
        unstored_row: PendingHitl | None = None,
        tells: bool = True,
    ) -> PendingHitl:
        """End a pending question and return the updated row, see `app.store.people.Hitl`.

        A late answer ends it as expired. `unstored_row` is stored first if the store does not have it.
        Unless `tells`, the caller writes this result's audit entry.
        """
        status: HitlStatus = "answered"
        if result.decision in ("cancelled", "expired"):
            status = "cancelled" if result.decision == "cancelled" else "expired"

        async def write(store: Store) -> PendingHitl:
            try:
                stored = await store.hitl.conclude(tenant, result.hitl_id, status, result)
            except NotFound:
                if unstored_row is None:
                    raise
                await store.hitl.put(unstored_row)
                await store.audit.add([asked_entry(unstored_row)])
                stored = await store.hitl.conclude(tenant, result.hitl_id, status, result)
            if stored.status == "pending":
                expired = end_result(stored, "expired", now=result.at)
                stored = await store.hitl.conclude(tenant, result.hitl_id, "expired", expired)
            how = ended_entry(stored)
            if how is not None and (tells or not _is_concluded_by(stored, result)):
                await store.audit.add([how])
            return stored

        return await self._together(write)

    async def end(
        self,
        row: PendingHitl,
        decision: Literal["cancelled", "expired"],
        *,
        by: str = "",
        unstored_row: PendingHitl | None = None,
    ) -> PendingHitl:
        """End a question without an answer, and return the updated row; see `conclude`."""
        return await self.conclude(
            row.tenant, end_result(row, decision, by=by), unstored_row=unstored_row
        )


async def _store_line(store: Store, line: Message | ChatLine) -> None:
    if isinstance(line, Message):
        await store.messages.add([line])
        return
    await store.conversations.add_lines(line.tenant, line.thread_id, [line], at=line.created_at)


async def _complete_trail(store: Store, row: PendingHitl) -> PendingHitl:
    """Return the row with its audit trail complete; existing entries stay."""
    if (entry := ended_entry(row)) is not None:
        await store.audit.add([asked_entry(row), entry])
    return row


def only_answer(row: PendingHitl, result: HitlResult) -> PendingHitl:
    """The row, if this answer ended the question.

    Raises `HitlExpired` if the answer was late, `HitlNotPending` if another came first.
    """
    if row.status == "expired" and result.decision != "expired":
        raise HitlExpired
    if not _is_concluded_by(row, result):
        raise HitlNotPending("This question was answered already")
    return row


def _is_concluded_by(row: PendingHitl, result: HitlResult) -> bool:
    return row.result is not None and row.result.key == result.key


def refuse_stranger(who: Principal, user: str) -> None:
    """Only the run's owner and operators of the tenant may see a question."""
    if not who.can_see(user):
        raise NotFound("There is no such question")


def end_result(
    pending: PendingHitl,
    decision: Literal["cancelled", "expired"],
    *,
    by: str = "",
    now: datetime | None = None,
) -> HitlResult:
    """The result of an unanswered question."""
    return HitlResult(
        hitl_id=pending.hitl_id,
        decision=decision,
        return_to=pending.return_to,
        by=by,
        via="server",
        key="",
        at=now or datetime.now(UTC),
    )


APPROVED = "execution/approved"  # `return_to` of an approval
NOT_DONE: Mapping[str, str] = {
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
        shown=_question_view(pending.question),
        at=pending.created_at,
    )


def _question_view(question: Question) -> dict[str, Any]:
    """What the person saw: the wording, the options, and what a yes permits."""
    view: dict[str, Any] = {"message": question_text(question), "kind": question.kind}
    if question.options:
        view["options"] = [{"id": one.id, "label": one.label} for one in question.options]
    if question.approval is not None:
        approval = question.approval.model_dump(exclude={"element"}, exclude_defaults=True)
        view["approval"] = approval | {"effects": list(question.approval.effects)}
    return view


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
        if result.return_to != APPROVED:
            continue
        operations = tuple(ledger_key(trace_id, step) for step in result.operations)
        for name, kind, text in _consequences(result, executed):
            entries.append(
                AuditEntry(
                    entry_id=entry_id(result.hitl_id, name),
                    tenant=tenant,
                    task_id=task_id,
                    kind=kind,
                    by=result.by,
                    via="server",
                    hitl_id=result.hitl_id,
                    text=text,
                    operations=operations,
                    at=now,
                )
            )
    return entries


def _consequences(
    result: HitlResult, executed: Mapping[str, OperationStatus]
) -> list[tuple[str, AuditKind, str]]:
    if not result.operations:
        return [("undone", "not_done", NOT_DONE[result.decision])]
    entries: list[tuple[str, AuditKind, str]] = [
        ("sent", "done", "It was agreed to and sent to the browser")
    ]
    statuses = [executed.get(step, "sent") for step in result.operations]
    if "sent" not in statuses:
        worked = statuses[-1] == "success"
        text = f"What came of it: {', '.join(statuses)}"
        entries.append(("seen", "done" if worked else "not_done", text))
    return entries


def entry_id(hitl_id: str, what: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"{hitl_id}/audit/{what}"))
