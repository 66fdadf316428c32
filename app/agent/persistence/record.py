"""Writes what a run leaves in the store: the task, its actions, messages, audit trail and repairs."""

from contextlib import suppress
from datetime import datetime

from app.agent.persistence.rows import (
    action_rows,
    choice_row,
    message_rows,
    prediction_rows,
    session_row,
    task_row,
    verdict_row,
)
from app.agent.persistence.run_result import MAX_CHAIN, RunResult
from app.agent.state import AgentState
from app.agent.updates.replies import question_row_on
from app.domain.access import site_of
from app.domain.hitl import AuditEntry, ExecutedOperation, HitlResult, PendingHitl
from app.domain.memory import CorrectionRecord, FailedState, Repair, RepairStatus, SuccessfulAction
from app.domain.page import MASK
from app.domain.redaction import masked
from app.errors import NotFound
from app.hitl import ledger, trail
from app.recovery import repair_status
from app.store.repositories import Store


async def save_run(store: Store, done: RunResult) -> None:
    """Write the rows of this pass; a task without any action leaves no row."""
    chain = done.chain
    statuses, sent = done.statuses, action_rows(done, chain) if chain else []
    if chain or done.task:
        await store.tasks.save(task_row(done))
    if statuses or sent:
        verdict, predictions = verdict_row(done), prediction_rows(done)
        await store.actions.settle(
            done.tenant, statuses, verdict, then=sent, predictions=predictions if statuses else {}
        )
    await store.messages.add(message_rows(done))
    await save_answers(store, done)
    if done.starts_goal or (chain and done.task is None):
        new_task = chain is not None and done.task is None
        await store.sessions.touch(session_row(done), new_task=new_task)
    if (chosen := choice_row(done)) is not None:
        await store.choices.chose(chosen)
    await save_repairs(store, done)
    if (ran := recipe_outcome(done)) is not None:
        recipe_id, worked = ran
        await store.recipes.ran(
            done.tenant, recipe_id, task_id=done.task_id, worked=worked, now=done.now
        )


def repair_outcomes(trying: Repair | None, state: AgentState) -> dict[str, RepairStatus]:
    """What came of the correction that was tried when the pass began, if it was looked at since."""
    now, verdict = state["repair"], state["verdict"]
    if trying is None:  # done over after a crash: what it began with is not known
        return {now.repair_id: now.status} if now and now.status != "pending" else {}
    if trying.status != "pending" or trying == now or verdict is None:
        return {}
    return {trying.repair_id: repair_status(verdict)}


def repair_rows(
    state: AgentState,
    *,
    tenant: str,
    task_id: str,
    url: str,
    hidden: frozenset[str],
    now: datetime,
) -> list[CorrectionRecord]:
    """The correction that is being sent, without secrets; none where none is."""
    trying, chain = state["repair"], state["chain"]
    if trying is None or chain is None or trying.repair_id != chain.actions[0].action_id:
        return []
    told = trying.model_dump() | {
        "strategy": masked(trying.strategy, hidden),
        "reason": masked(trying.reason, hidden),
        "failed": _mask_failed_state(trying.failed, hidden),
        "tried": _mask_action(trying.tried, hidden),
    }
    whose = {"tenant": tenant, "task_id": task_id, "domain": site_of(url), "created_at": now}
    return [CorrectionRecord(**told, **whose)]


def _mask_failed_state(state: FailedState, hidden: frozenset[str]) -> FailedState:
    described = masked(state.element_description, hidden)
    return state.model_copy(update={"element_description": described})


def _mask_action(action: SuccessfulAction, hidden: frozenset[str]) -> SuccessfulAction:
    words = {
        "element_description": masked(action.element_description, hidden),
        "strategy": masked(action.strategy, hidden),
    }
    return action.model_copy(update=words)


def ledger_operations(done: RunResult) -> list[ExecutedOperation]:
    """The steps that this pass sends, and those of which it knows more than before."""
    before, state = done.state_before, done.state
    deeds = [*before["deeds"], *state["deeds"]] if before else state["deeds"]
    known = before["executed"] if before and before["trace_id"] == state["trace_id"] else None
    return ledger.executed_operations(
        ledger.changes(known, state["executed"], at_most=2 * MAX_CHAIN),
        ledger.names(deeds),
        tenant=done.tenant,
        task_id=done.task_id,
        trace_id=state["trace_id"],
        now=done.now,
    )


def new_audit_entries(done: RunResult) -> list[AuditEntry]:
    """What was done with the answers since this pass began."""
    if not done.state["hitl_results"]:
        return []
    known = (
        {entry.entry_id for entry in _audit_entries(done, done.state_before)}
        if done.state_before
        else set()
    )
    return [entry for entry in _audit_entries(done, done.state) if entry.entry_id not in known]


def answered_question(done: RunResult) -> PendingHitl | None:
    """The question that this pass answered, as it now stands; None where that is not known."""
    question = done.state_before["question"] if done.state_before else None
    result = done.state["hitl_results"].get(question.hitl_id) if question else None
    if result is None or result.key != done.call.request_id:
        return None
    assert done.state_before is not None
    row = question_row_on(done.state_before, done.task_id, done.call.page.url)
    return row.model_copy(update={"result": result})


def secret_answers(done: RunResult) -> dict[str, str]:
    """The answers that this pass took up and that are secrets, by question, as they may be kept."""
    old = done.state_before["hitl_results"] if done.state_before else {}
    new: list[HitlResult] = [r for k, r in done.state["hitl_results"].items() if k not in old]
    kept = {result.hitl_id: masked(result.text, done.secrets) for result in new}
    return {hitl_id: text for hitl_id, text in kept.items() if MASK in text}


def _audit_entries(done: RunResult, state: AgentState) -> list[AuditEntry]:
    return trail.consequences(
        state["hitl_results"].values(),
        state["executed"],
        tenant=done.tenant,
        task_id=done.task_id,
        trace_id=state["trace_id"],
        now=done.now,
    )


async def save_answers(store: Store, done: RunResult) -> None:
    """Write what was done with answers; those that are secrets are forgotten where they waited."""
    if entries := [*await _answer_entries(store, done), *new_audit_entries(done)]:
        await store.audit.add(entries)
    for hitl_id, text in secret_answers(done).items():
        await store.hitl.forget(done.tenant, hitl_id, text)


async def _answer_entries(store: Store, done: RunResult) -> list[AuditEntry]:
    """That the question was asked and how it ended which this request answered: what a process that
    died did not get to write. What is there already stays as it is.
    """
    answer = done.call.answer
    if answer is None:
        return []
    row = answered_question(done)
    with suppress(NotFound):
        row = row or await store.hitl.get(done.tenant, answer.hitl_id)
    how = trail.ended_entry(row) if row is not None else None
    return [trail.asked_entry(row), how] if row is not None and how is not None else []


async def save_repairs(store: Store, done: RunResult) -> None:
    """Settle the correction that was tried, and write the one that is being sent."""
    mended = repair_outcomes(done.repair_before, done.state)
    tries = repair_rows(
        done.state,
        tenant=done.tenant,
        task_id=done.task_id,
        url=done.call.page.url,
        hidden=done.secrets,
        now=done.now,
    )
    if mended or tries:
        await store.corrections.settle(done.tenant, mended, then=tries)


def recipe_outcome(done: RunResult) -> tuple[str, bool] | None:
    """The recipe that the task replayed and whether it worked, once that is known."""
    recipe, outcome = done.state["recipe"], done.state["outcome"]
    if recipe is None or outcome is None or outcome.status == "interrupted":
        return None
    return recipe.recipe_id, outcome.status == "completed"
