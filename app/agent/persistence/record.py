"""Records a run: its response, task, actions, messages, audit trail, repairs and what it learned."""

from contextlib import suppress
from typing import Any

from app.agent.persistence.escalation import task_submission
from app.agent.persistence.report import report_run
from app.agent.persistence.response import (
    render_event,
    score_view,
    verdict_view,
    with_budget_status,
)
from app.agent.persistence.rows import (
    action_rows,
    choice_row,
    masked_view,
    message_rows,
    session_row,
    task_row,
)
from app.agent.persistence.run_result import MAX_CHAIN, RunResult, build_run_result
from app.agent.replies import question_row
from app.agent.request import RequestLease, TaskInput
from app.agent.state import AgentState, secrets_of
from app.domain.access import site_of
from app.domain.base import Value
from app.domain.hitl import AuditEntry, ExecutedOperation, PendingHitl
from app.domain.memory import CorrectionRecord
from app.domain.metrics.usage import UsageTotals
from app.domain.page import MASK
from app.domain.redaction import masked
from app.domain.review import Submission
from app.errors import NotFound, TabwrightError, error_of
from app.hitl import (
    action_names,
    asked_entry,
    changed_steps,
    consequences,
    ended_entry,
    executed_operations,
)
from app.observability.port import Observer
from app.review import FiledRecord, RecordFiling, filing_summary
from app.runs import Event, LeaseManager, LiveRun, Problem, RunTrace, error_event, send_report
from app.skills import Embedder, store_learnings
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.usage import Allowance, Meter


class StoredResponse(Value):
    """The response as it is stored. `partial`: secrets were masked in the event."""

    event: dict[str, Any]
    partial: bool = False
    code: str | None = None
    detail: str = ""
    hand_over: str | None = None

    @staticmethod
    def of_failure(event: dict[str, Any], failure: TabwrightError) -> "StoredResponse":
        """The response of a run that a limit ended."""
        return StoredResponse(
            event=event, code=failure.code, detail=failure.detail, hand_over=failure.hand_over
        )

    @property
    def failure(self) -> TabwrightError | None:
        """The limit that ended the run, if any."""
        return error_of(self.code, self.detail, hand_over=self.hand_over) if self.code else None


class RunRecorder:
    """Stores what a run leaves, and makes its terminal event."""

    def __init__(
        self,
        together: StoreBatch,
        leases: LeaseManager,
        problem: Problem,
        *,
        filing: RecordFiling,
        observer: Observer,
        embedder: Embedder | None,
    ) -> None:
        self._together = together
        self._leases = leases
        self._problem = problem
        self._filing = filing
        self._observer = observer
        self._embedder = embedder

    async def finish(
        self,
        claim: RequestLease,
        entry: TaskInput,
        meter: Meter,
        allowance: Allowance | None,
        trace: RunTrace,
        live: LiveRun,
        state: AgentState,
        *,
        paused: bool = False,
    ) -> tuple[Event, TabwrightError | None]:
        """Store the run, and return its terminal event and the limit that ended it, if any.

        Raises `RunLost`, with nothing stored, if another run took over the task.
        """
        spent = with_budget_status(meter.spent, state, allowance)
        done = None
        if state["request_id"] == claim.call.request_id:  # else an earlier answer is repeated
            done = build_run_result(claim, entry, state, meter.spent, self._embedder, paused=paused)
        filed = await self._file_for_review(claim, done)
        event = render_event(
            state,
            task_id=claim.task_id,
            session_id=claim.session_id,
            server_ms=claim.elapsed_ms,
            spent=spent,
        )
        event |= ({"paused": True} if paused else {}) | filing_summary(filed)
        outcome, failure = state["outcome"], None
        if outcome and outcome.code:
            failure = error_of(outcome.code, outcome.message, hand_over=outcome.hand_over)
            event = self.failure_event(claim, failure)
            response = StoredResponse.of_failure(event, failure)
        else:
            response = build_stored_response(claim, state, event, spent)
        with live.timed("record"):
            await self._store(claim, response, done, unfiled=filed.left if filed else None)
        if done is not None:
            send_report(self._observer, lambda: report_run(done, trace, event))
        return event, failure

    def failure_event(self, claim: RequestLease, failure: TabwrightError) -> Event:
        event = error_event(self._problem, failure, claim.call.trace_id)
        return event | {"taskId": claim.task_id}

    async def _file_for_review(
        self, claim: RequestLease, done: RunResult | None
    ) -> FiledRecord | None:
        """File an ended task for review, if the run still owns it."""
        if done is None or done.ended is None:
            return None
        submission = task_submission(done)
        if submission is not None:
            await self._leases.ensure_held(claim.run_lease)
        return await self._filing.file(submission)

    async def _store(
        self,
        claim: RequestLease,
        response: StoredResponse,
        done: RunResult | None,
        *,
        unfiled: Submission | None,
    ) -> None:
        """Write the rows and the response, and release the task; see `LeaseManager.finish`.

        `unfiled` is a record that the review queue could not take; it is sent later.
        """
        tenant, lease = claim.call.principal.tenant, claim.run_lease

        async def write(store: Store) -> None:
            if unfiled is not None:
                await store.outbox.add(unfiled)
            if done is not None:
                await save_run(store, done)
            effects = ledger_operations(done) if done is not None else ()
            await store.operations.complete(
                tenant, lease.key, response.model_dump(), claim=lease.claim, effects=effects
            )

        await self._leases.finish(lease, write)
        if done is not None and (learned := done.learnings).is_any:
            await self._together(lambda store: store_learnings(store, tenant, learned, done.now))


async def save_run(store: Store, done: RunResult) -> None:
    """Write the rows of the run. A task without any action has no row."""
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
        await store.hitl.redact_answer(done.tenant, hitl_id, text)
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
    """The correction that is being sent, without secrets."""
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
    """The steps that this run sends, and those whose status it changes."""
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
    """The consequences of answers that this run added."""
    if not done.state["hitl_results"]:
        return []
    before = _audit_entries(done, done.state_before) if done.state_before else []
    known = {entry.entry_id for entry in before}
    return [entry for entry in _audit_entries(done, done.state) if entry.entry_id not in known]


def _answered_question(done: RunResult) -> PendingHitl | None:
    """The question that this request answered, with its result; None if unknown."""
    question = done.state_before["question"] if done.state_before else None
    result = done.state["hitl_results"].get(question.hitl_id) if question else None
    if result is None or result.key != done.call.request_id:
        return None
    assert done.state_before is not None
    row = question_row(done.state_before, done.task_id, done.call.page.url)
    return row.model_copy(update={"result": result})


def _secret_answers(done: RunResult) -> dict[str, str]:
    """The masked texts of this run's answers that contain secrets, by question."""
    old = done.state_before["hitl_results"] if done.state_before else {}
    new = [result for id_, result in done.state["hitl_results"].items() if id_ not in old]
    texts = {result.hitl_id: masked(result.text, done.secrets) for result in new}
    return {hitl_id: text for hitl_id, text in texts.items() if MASK in text}


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
    """The entries of the question that this request answered, which a crashed process may not have
    written. Existing entries are not changed.
    """
    answer = done.call.answer
    if answer is None:
        return []
    row = _answered_question(done)
    with suppress(NotFound):
        row = row or await store.hitl.get(done.tenant, answer.hitl_id)
    ended = ended_entry(row) if row is not None else None
    return [asked_entry(row), ended] if row is not None and ended is not None else []


def build_stored_response(
    claim: RequestLease, state: AgentState, event: Event, spent: UsageTotals
) -> StoredResponse:
    """The response with its secrets masked."""
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
    unmasked = {name: redacted[name] for name in ("taskId", "sessionId")}
    review = {"review": event["review"]} if "review" in event else {}  # masked already
    stored = (masked_view(redacted, hidden) or redacted) | unmasked | review
    return StoredResponse(event=stored, partial=stored != event)
