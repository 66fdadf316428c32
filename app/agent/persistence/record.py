"""Writes what a run leaves in the store: the task, its actions, messages, audit trail and repairs."""

from contextlib import suppress
from typing import Any

from app.agent.persistence.response import render_event, score_view, verdict_view
from app.agent.persistence.rows import (
    action_rows,
    choice_row,
    masked_view,
    message_rows,
    session_row,
    task_row,
)
from app.agent.persistence.run_result import MAX_CHAIN, RunResult
from app.agent.replies import question_row
from app.agent.request import RequestLease
from app.agent.state import AgentState, secrets_of
from app.domain.access import site_of
from app.domain.base import Value
from app.domain.hitl import AuditEntry, ExecutedOperation, HitlResult, PendingHitl
from app.domain.memory import CorrectionRecord
from app.domain.metrics.usage import UsageTotals
from app.domain.page import MASK
from app.domain.redaction import masked
from app.errors import NotFound, TabwrightError, error_of
from app.hitl import (
    action_names,
    asked_entry,
    changed_steps,
    consequences,
    ended_entry,
    executed_operations,
)
from app.runs import Event
from app.store.repositories import Store


async def save_run(store: Store, done: RunResult) -> None:
    """Write the rows of this run; a task without any action leaves no row."""
    chain, state = done.chain, done.state
    statuses, sent = done.statuses, action_rows(done, chain) if chain else []
    if chain or done.task:
        await store.tasks.save(task_row(done))
    if statuses or sent:
        verdict = verdict_view(state["verdict"], state["subtask_completed"])
        score = state["score"] if statuses else None
        predicted = masked_view(score_view(score), done.secrets)
        await store.actions.settle(
            done.tenant,
            statuses,
            masked_view(verdict, done.secrets),
            then=sent,
            predictions={score.action_id: predicted} if score and predicted else {},
        )
    await store.messages.add(message_rows(done))
    if entries := [*await _answer_entries(store, done), *_new_audit_entries(done)]:
        await store.audit.add(entries)
    for hitl_id, text in _secret_answers(done).items():  # forgotten where they waited
        await store.hitl.forget(done.tenant, hitl_id, text)
    if done.starts_goal or (chain and done.task is None):
        new_task = chain is not None and done.task is None
        await store.sessions.touch(session_row(done), new_task=new_task)
    if (chosen := choice_row(done)) is not None:
        await store.choices.record(chosen)
    repairs = _repair_rows(done)
    if done.repair_outcomes or repairs:
        await store.corrections.settle(done.tenant, done.repair_outcomes, then=repairs)
    recipe, outcome = state["recipe"], state["outcome"]
    if recipe is not None and outcome is not None and outcome.status != "interrupted":
        worked = outcome.status == "completed"
        await store.recipes.count_run(
            done.tenant, recipe.recipe_id, task_id=done.task_id, worked=worked, now=done.now
        )


def _repair_rows(done: RunResult) -> list[CorrectionRecord]:
    """The correction that is being sent, without secrets; none where none is."""
    trying, chain, hidden = done.state["repair"], done.state["chain"], done.secrets
    if trying is None or chain is None or trying.repair_id != chain.actions[0].action_id:
        return []
    failed, tried = trying.failed, trying.tried
    words = {
        "element_description": masked(tried.element_description, hidden),
        "strategy": masked(tried.strategy, hidden),
    }
    described = {"element_description": masked(failed.element_description, hidden)}
    changed = {
        "strategy": masked(trying.strategy, hidden),
        "reason": masked(trying.reason, hidden),
        "failed": failed.model_copy(update=described),
        "tried": tried.model_copy(update=words),
    }
    return [
        CorrectionRecord(
            **(trying.model_dump() | changed),
            tenant=done.tenant,
            task_id=done.task_id,
            domain=site_of(done.call.page.url),
            created_at=done.now,
        )
    ]


def ledger_operations(done: RunResult) -> list[ExecutedOperation]:
    """The steps that this run sends, and those of which it knows more than before."""
    before, state = done.state_before, done.state
    records = (
        [*before["action_records"], *state["action_records"]] if before else state["action_records"]
    )
    known = before["executed"] if before and before["trace_id"] == state["trace_id"] else None
    return executed_operations(
        changed_steps(known, state["executed"], at_most=2 * MAX_CHAIN),
        action_names(records),
        tenant=done.tenant,
        task_id=done.task_id,
        trace_id=state["trace_id"],
        now=done.now,
    )


def _new_audit_entries(done: RunResult) -> list[AuditEntry]:
    """What was done with the answers since this run began."""
    if not done.state["hitl_results"]:
        return []
    before = _audit_entries(done, done.state_before) if done.state_before else []
    known = {entry.entry_id for entry in before}
    return [entry for entry in _audit_entries(done, done.state) if entry.entry_id not in known]


def _answered_question(done: RunResult) -> PendingHitl | None:
    """The question that this run answered, as it now stands; None where that is not known."""
    question = done.state_before["question"] if done.state_before else None
    result = done.state["hitl_results"].get(question.hitl_id) if question else None
    if result is None or result.key != done.call.request_id:
        return None
    assert done.state_before is not None
    row = question_row(done.state_before, done.task_id, done.call.page.url)
    return row.model_copy(update={"result": result})


def _secret_answers(done: RunResult) -> dict[str, str]:
    """The answers that this run took up and that are secrets, by question, as they may be kept."""
    old = done.state_before["hitl_results"] if done.state_before else {}
    new: list[HitlResult] = [r for k, r in done.state["hitl_results"].items() if k not in old]
    kept = {result.hitl_id: masked(result.text, done.secrets) for result in new}
    return {hitl_id: text for hitl_id, text in kept.items() if MASK in text}


def _audit_entries(done: RunResult, state: AgentState) -> list[AuditEntry]:
    return consequences(
        state["hitl_results"].values(),
        state["executed"],
        tenant=done.tenant,
        task_id=done.task_id,
        trace_id=state["trace_id"],
        now=done.now,
    )


async def _answer_entries(store: Store, done: RunResult) -> list[AuditEntry]:
    """That the question was asked and how it ended which this request answered: what a process that
    died did not get to write. What is there already stays as it is.
    """
    answer = done.call.answer
    if answer is None:
        return []
    row = _answered_question(done)
    with suppress(NotFound):
        row = row or await store.hitl.get(done.tenant, answer.hitl_id)
    how = ended_entry(row) if row is not None else None
    return [asked_entry(row), how] if row is not None and how is not None else []


class StoredResponse(Value):
    """An answer as it is kept. `partial`: a secret was left out of the event."""

    event: dict[str, Any]
    partial: bool = False
    code: str | None = None
    detail: str = ""
    hand_over: str | None = None

    @staticmethod
    def of_failure(event: dict[str, Any], failure: TabwrightError) -> "StoredResponse":
        """The event of a run that a limit ended, and what ended it."""
        told = {"code": failure.code, "detail": failure.detail, "hand_over": failure.hand_over}
        return StoredResponse(event=event, **told)

    @property
    def failure(self) -> TabwrightError | None:
        """What ended the run, if a limit did."""
        return error_of(self.code, self.detail, hand_over=self.hand_over) if self.code else None


def build_stored_response(
    claim: RequestLease, state: AgentState, event: Event, spent: UsageTotals
) -> StoredResponse:
    """The answer as it may be stored: what it types as a secret is masked."""
    chain, hidden = state["chain"], secrets_of(state)
    typed = chain is not None and any(planned.secret for planned in chain.actions)
    if not typed and not hidden:
        return StoredResponse(event=event)
    redacted = render_event(
        state,
        task_id=claim.task_id,
        session_id=claim.session_id,
        server_ms=event["metrics"]["serverMs"],
        spent=spent,
        redact=True,
    )
    ids = {name: redacted[name] for name in ("taskId", "sessionId") if name in redacted}
    told = {"review": event["review"]} if "review" in event else {}  # of a record, masked already
    kept = (masked_view(redacted, hidden) or redacted) | ids | told
    return StoredResponse(event=kept, partial=kept != event)
