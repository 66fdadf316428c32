"""The record of an ended task that goes to an operator for review."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from app.agent.persistence.report import UNVERIFIED
from app.agent.persistence.rows import task_row
from app.agent.persistence.run_result import RunResult
from app.agent.state import AgentState, secrets_of
from app.domain.access import Principal, site_of
from app.domain.action import ActionRecord
from app.domain.plan import Outcome, Plan
from app.domain.redaction import secrets_answered, secrets_in
from app.domain.review import (
    Identity,
    Investigation,
    Issue,
    Level,
    Origin,
    Recommendation,
    Submission,
)
from app.domain.task import ENDED, Task, TaskAction
from app.domain.verdict import Verdict
from app.errors import Invalid, NotFound
from app.hitl import question_text
from app.review import ReviewCase, Wording, explain_reasons, id_of_task, level_of, reasons_of
from app.store.batch import StoreBatch
from app.store.repositories import Store

NAME, ROLE = "Tabwright", "agent"
UNMET = "Expected, but not so: "  # prefix of observations of unmet expectations
STATUS = {
    "success": "worked",
    "failure": "failed",
    "unknown": "cannot be told",
    "pending": "sent, and not looked at",
    "skipped": "not begun",
}
UNDER_WAY = "The task is still under way: a second opinion is of one that has ended"


def task_case(task: Task, *, asked_for: bool = False) -> ReviewCase:
    """The case of a task by its row. Unless it completed, its confidence is low."""
    confidence = task.metrics.get("confidence", UNVERIFIED)
    level: Level = level_of(confidence) if task.status == "completed" else "low"
    return ReviewCase(
        confidence=level,
        impact="high" if task.metrics.get("highImpact") else "normal",
        conflicting=bool(task.metrics.get("conflicts")),
        asked_for=asked_for,
    )


def task_submission(done: RunResult) -> Submission | None:
    """The record of the task that ends with this run; None if it does not end, needs no review, or never
    acted and so has no row.
    """
    outcome = done.ended
    if outcome is None or done.task is None:
        return None
    task = task_row(done)
    case = task_case(task)
    if not reasons_of(case):
        return None
    state = done.state
    verdict, plan, recipe = state["verdict"], state["plan"], state["recipe"]
    failed = outcome.status == "failed"
    used = (use.skill_id for use in state["skill_uses"])
    skills = dict.fromkeys(
        [*(record.skill for record in state["action_records"] if record.skill), *used]
    )
    return _submission(
        task,
        case,
        Wording(_secrets(done)),
        done.now,
        goal=state["goal"],
        result=outcome.message,
        trace_id=state["trace_id"],
        checked=[*map(_action_line, state["action_records"]), *_verdict_line(verdict)],
        evidence=[*(verdict.observations if verdict else ()), *_background_lines(state)],
        missing=[
            *_unmet(verdict.observations if verdict else ()),
            *_uncertain_actions(state["action_records"]),
            *(_steps_left(plan) if failed else ()),
        ],
        cause=_cause(verdict, outcome) if failed else None,
        next_step=_next_step(outcome, plan) if failed else _advise_keeping(outcome.message),
        expected=_expected(plan) if failed else state["goal"],
        sites=[*filter(None, state["background"].sites), site_of(done.call.page.url)],
        skills=tuple(skills),
        recipe_id=recipe.recipe_id if recipe else None,
    )


async def opinion_on_task(
    store_calls: StoreBatch, who: Principal, task_id: str, note: str
) -> Submission:
    """The record that a person requests, from the stored task, or the one that waits for the queue already.

    Raises `NotFound` for a task that they may not see, `Invalid` for one that has not ended.
    """

    async def read(store: Store) -> tuple[Task, list[TaskAction], Submission | None]:
        task = await store.tasks.find(who.tenant, task_id)
        if task is None or not who.can_see(task.user):
            raise NotFound(f"There is no task {task_id!r}")
        waiting = await store.outbox.find(who.tenant, id_of_task(who.tenant, task_id))
        return task, await store.actions.of_task(who.tenant, task_id), waiting

    task, actions, waiting = await store_calls(read)
    if waiting is not None:
        return waiting
    if task.status not in (*ENDED, "interrupted"):
        raise Invalid(UNDER_WAY)
    result, done = task.result or "", task.status == "completed"
    verdicts = [one.verification for one in actions if one.verification]
    last = verdicts[-1] if verdicts else {}
    observations: Sequence[str] = last.get("observations", ())
    return _submission(
        task,
        task_case(task, asked_for=True),
        Wording(secrets_in(task.query) | secrets_in(note)),
        datetime.now(UTC),
        goal=task.query,
        result=result,
        checked=[
            _line(one.description or one.action, one.status, (one.verification or {}).get("reason"))
            for one in actions
        ],
        evidence=observations,
        missing=_unmet(observations),
        cause=None if done else (result or last.get("reason") or None),
        next_step=_advise_keeping(result) if done else _advise_retry(""),
        expected=task.query,
        sites=[site_of(task.url)],
        note=note,
    )


def _submission(
    task: Task,
    case: ReviewCase,
    word: Wording,
    now: datetime,
    *,
    goal: str,
    result: str,
    checked: Sequence[str],
    evidence: Sequence[str],
    missing: Sequence[str],
    cause: str | None,
    next_step: str,
    expected: str,
    sites: Sequence[str],
    trace_id: str = "",
    skills: Sequence[str] = (),
    recipe_id: str | None = None,
    note: str = "",
) -> Submission:
    """The record of a task; `word` removes the secrets from its texts."""
    symptom, reasons = word.text_or(goal, "The task was given no words"), reasons_of(case)
    why = explain_reasons(reasons) if not note else f"{explain_reasons(reasons)}. {note}".strip()
    return Submission(
        id=id_of_task(task.tenant, task.task_id),
        tenant_id=task.tenant,
        submitted_at_ms=int(now.timestamp() * 1000),
        issue=Issue(
            site=word.short(site_of(task.url)) or None,
            reported_symptom=symptom,
            goal=symptom,
            task_id=task.task_id,
        ),
        investigation=Investigation(
            what_checked=word.lines(checked),
            evidence=word.lines(evidence),
            candidate_root_cause=word.text(cause) if cause else None,
            services_connections_involved=word.lines(sites),
            confidence=case.confidence,
            impact=case.impact,
        ),
        recommendation=Recommendation(
            proposed_next_action=word.text_or(next_step, "Look at the task"),
            expected_outcome=word.text(expected),
        ),
        why_escalated=word.text(why),
        missing_information=word.lines(missing),
        submitter=Identity(name=NAME, role=ROLE, id=word.short(trace_id) or None),
        origin=Origin(
            kind="task",
            user=task.user,
            session_id=task.session_id,
            told=word.long(result),
            skill_ids=tuple(skills)[:50],
            recipe_id=recipe_id,
            reasons=reasons,
        ),
    )


def _line(action: str, status: str, reason: str | None) -> str:
    line = f"{action}: {STATUS.get(status, status)}"
    return f"{line}. {reason}" if reason else line


def _action_line(record: ActionRecord) -> str:
    return _line(record.description or record.action.masked.text, record.status, record.note)


def _verdict_line(verdict: Verdict | None) -> Iterator[str]:
    if verdict is not None:
        sure = f"{verdict.confidence:.2f} sure, tier {verdict.tier}"
        yield f"The last look at the page: {verdict.reason or 'nothing to tell'} ({sure})"


def _background_lines(state: AgentState) -> Iterator[str]:
    """What the run used besides the page."""
    known = state["background"]
    for passage in known.knowledge:
        yield f"The team's documents say ({passage.cited}): {passage.text}"
    for search in known.searches:
        if search.answer:
            yield f"The web says: {search.answer}"
    for act in known.acts:
        yield f"The person did this themselves: {act.kind} {act.name}".rstrip()


def _unmet(observations: Sequence[str]) -> list[str]:
    return [text.removeprefix(UNMET) for text in observations if text.startswith(UNMET)]


def _uncertain_actions(records: Iterable[ActionRecord]) -> list[str]:
    uncertain = [record for record in records if record.status in ("unknown", "pending")]
    return [f"Whether this happened: {d.description or d.action.masked.text}" for d in uncertain]


def _steps_left(plan: Plan) -> list[str]:
    left = [step.description for step in plan.steps if step.status in ("pending", "current")]
    return [f"Not done: {text}" for text in left]


def _cause(verdict: Verdict | None, outcome: Outcome) -> str:
    """The reason of the last verdict unless it was a success; else the outcome's message."""
    if verdict is not None and verdict.succeeded is not True and verdict.reason:
        return verdict.reason
    return outcome.message


def _advise_keeping(result: str) -> str:
    return f"Keep what was done: {result}" if result else "Keep what was done"


def _advise_retry(step: str) -> str:
    where = f" from the step “{step}” on" if step else ""
    return f"Say how it is to be done, or have a person do it{where}; then try the goal again"


def _next_step(outcome: Outcome, plan: Plan) -> str:
    """The step that a person can do, or the request for instructions."""
    if outcome.hand_over:
        return f"Have a person do this step, then go on: {outcome.hand_over}"
    return _advise_retry(plan.step.description if plan.step else "")


def _expected(plan: Plan) -> str:
    step = plan.step
    return (step.expected or f"Done: {step.description}") if step else ""


def _secrets(done: RunResult) -> frozenset[str]:
    """The secrets of the task. The ended state has forgotten them, the one before has not."""
    call, before = done.call, done.state_before
    found = set(done.secrets) | secrets_in(call.query or "")
    if before is None:
        return frozenset(found)
    found |= secrets_of(before)
    if call.answer is not None and call.answer.text and before["question"] is not None:
        found |= secrets_answered(question_text(before["question"]), call.answer.text)
    for chain in (before["chain"], before["unverified_chain"]):
        for planned in chain.actions if chain else ():
            if planned.secret:
                found.add(str(planned.action.args.get("text", "")))
    return frozenset(filter(None, found))
