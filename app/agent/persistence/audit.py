"""What a pass is to be held to account for: its steps in the ledger, its answers in the audit trail."""

from app.agent.persistence.run_result import SETTLED, Pass
from app.agent.state import AgentState
from app.agent.updates.replies import pending_of
from app.domain.hitl import AuditEntry, ExecutedOperation, HitlResult, PendingHitl
from app.domain.page import MASK
from app.domain.redaction import masked
from app.hitl import ledger, trail


def effects_of(done: Pass) -> list[ExecutedOperation]:
    """The steps that this pass sends, and those of which it knows more than before."""
    before, state = done.before, done.state
    deeds = [*before["deeds"], *state["deeds"]] if before else state["deeds"]
    known = before["executed"] if before and before["trace_id"] == state["trace_id"] else None
    return ledger.operations(
        ledger.changes(known, state["executed"], at_most=2 * SETTLED),
        ledger.names(deeds),
        tenant=done.tenant,
        task_id=done.task_id,
        trace_id=state["trace_id"],
        now=done.now,
    )


def trail_of(done: Pass) -> list[AuditEntry]:
    """What was done with the answers since this pass began."""
    if not done.state["hitl_results"]:
        return []
    known = {entry.entry_id for entry in _trail(done, done.before)} if done.before else set()
    return [entry for entry in _trail(done, done.state) if entry.entry_id not in known]


def answered(done: Pass) -> PendingHitl | None:
    """The question that this pass answered, as it now stands; None where that is not known."""
    question = done.before["question"] if done.before else None
    result = done.state["hitl_results"].get(question.hitl_id) if question else None
    if result is None or result.key != done.call.request_id:
        return None
    assert done.before is not None
    row = pending_of(done.before, done.task_id, done.call.page.url)
    return row.model_copy(update={"result": result})


def told_secrets(done: Pass) -> dict[str, str]:
    """The answers that this pass took up and that are secrets, by question, as they may be kept."""
    old = done.before["hitl_results"] if done.before else {}
    new: list[HitlResult] = [r for k, r in done.state["hitl_results"].items() if k not in old]
    kept = {result.hitl_id: masked(result.text, done.hidden) for result in new}
    return {hitl_id: text for hitl_id, text in kept.items() if MASK in text}


def _trail(done: Pass, state: AgentState) -> list[AuditEntry]:
    return trail.consequences(
        state["hitl_results"].values(),
        state["executed"],
        tenant=done.tenant,
        task_id=done.task_id,
        trace_id=state["trace_id"],
        now=done.now,
    )
