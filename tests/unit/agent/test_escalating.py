"""Which tasks go to an operator: all that ended unsure, against themselves, or with what is hard to undo."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.agent.nodes.finalize import finalize
from app.agent.persistence.escalation import task_submission
from app.agent.persistence.rows import task_row
from app.agent.persistence.run_result import RunResult
from app.agent.request import InteractCall
from app.agent.state import new_state
from app.domain.access import Principal
from app.domain.action import Action, ActionRecord, Chain, ClientReport, PlannedAction
from app.domain.page import Observation
from app.domain.plan import Decision, Outcome, Plan, PlanStep
from app.domain.reasoner import Background, GivenAnswer
from app.domain.review import Submission
from app.domain.task import Task
from app.domain.verdict import Verdict
from app.review.submission import id_of_task

NOW = datetime(2026, 11, 22, tzinfo=UTC)
CLICK = Action(name="click", args={"id": "1"})
GOAL = "Add the patient Jas"
SECRET = "hunter22!x"


def passed(before: Any, after: Any, task: Task | None, **more: Any) -> RunResult:
    """A pass from that state to this one; the task's row as it was."""
    call = InteractCall(
        principal=Principal(tenant="one", user="ann"), request_id="r2", body_hash="", trace_id="t",
        page=Observation(url="https://clinic.example/patients"), report=ClientReport(),
    )  # fmt: skip
    waited = before["unverified_chain"] if before else None
    waiting = frozenset(one.action_id for one in waited.actions) if waited else frozenset()
    return RunResult(
        call=call, state=after, task=task, task_id="k", session_id="s", open_actions=waiting,
        server_ms=1.0, now=NOW, state_before=before, **more,
    )  # fmt: skip


def sent(action_id: str, *, grave: bool = False, text: str = "Click it") -> Any:
    """What a state holds while a chain of one action is out."""
    planned = PlannedAction(action_id=action_id, action=CLICK, description=text, grave=grave)
    chain = Chain(actions=(planned,))
    return {"chain": chain, "unverified_chain": chain}


def action_record(action_id: str, text: str = "Click it") -> ActionRecord:
    return ActionRecord(action=CLICK, action_id=action_id, description=text, status="success")


def run(
    looks: list[Verdict], ended: Any, *, grave: bool, goal: str = GOAL, **more: Any
) -> RunResult:
    """Each look is at what was sent before it; at the last the task ends. The pass that ends it."""
    base: Any = new_state(goal, request_id="r1", trace_id="t") | more
    state = base | sent("0", grave=grave)
    task = task_row(passed(None, state, None))
    for at, verdict in enumerate(looks, 1):
        records = [action_record(str(n)) for n in range(at)]
        before, state = (
            state,
            base | sent(str(at)) | {"action_records": records, "verdict": verdict},
        )
        if at < len(looks):
            task = task_row(passed(before, state, task))
    before = before if looks else state
    last = {**state, "chain": None, "unverified_chain": None, **ended}
    return passed(before, {**last, **finalize(last)}, task)


sureness = st.floats(0, 1).map(lambda sure: round(sure, 3))
verdicts = st.builds(
    Verdict,
    succeeded=st.sampled_from([True, True, False, None]),
    confidence=sureness,
    contradicted=st.booleans(),
    task_completed=st.booleans(),
    reason=st.sampled_from(["", "Saved"]),
)
chosen = st.builds(
    Decision,
    outcome=st.sampled_from(["act", "finish", "answer", "done"]),
    confidence=st.sampled_from([0.0, 0.6, 0.84, 0.85, 0.95]),
)


@settings(max_examples=80, deadline=None)
@given(
    looks=st.lists(verdicts, min_size=1, max_size=3),
    status=st.sampled_from(["completed", "completed", "failed", "interrupted"]),
    refinement=st.none() | chosen,
    grave=st.booleans(),
    secret=st.booleans(),
)
def test_all_that_is_unsure_conflicting_or_grave_is_filed_and_nothing_else(
    looks: list[Verdict], status: Any, refinement: Decision | None, grave: bool, secret: bool
):
    ended = {"refinement": refinement, "outcome": Outcome(status=status, message="So it went")}
    goal = f"{GOAL}, the password is {SECRET}" if secret else GOAL
    record = task_submission(run(looks, ended, grave=grave, goal=goal))
    last = looks[-1]
    sure = last.confidence if last.succeeded else min(last.confidence, 0.5)
    if refinement and refinement.outcome != "act" and refinement.confidence:
        sure = min(sure, refinement.confidence)
    believed = any(one.contradicted and one.succeeded for one in looks) or last.contradicted
    wanted = {
        "low_confidence": status == "failed" or sure < 0.85,
        "high_impact": grave,
        "conflicting_evidence": believed,
    }
    if status == "interrupted" or not any(wanted.values()):
        assert record is None
        return
    assert record is not None
    assert set(record.origin.reasons) == {name for name, holds in wanted.items() if holds}
    assert record.investigation.impact == ("high" if grave else "normal")
    level = "low" if status == "failed" or sure < 0.7 else "medium" if sure < 0.85 else "high"
    assert record.investigation.confidence == level
    assert record.id == id_of_task("one", "k")
    assert Submission.model_validate_json(record.model_dump_json()) == record
    assert SECRET not in record.model_dump_json()


def failed(**more: Any) -> Submission:
    ended = {"outcome": Outcome(status="failed", message="The form was refused"), **more}
    record = task_submission(run([Verdict(succeeded=False, confidence=0.9)], ended, grave=False))
    assert record is not None
    return record


def test_a_task_that_never_acted_has_no_row_and_no_record():
    state = new_state(GOAL, request_id="r1", trace_id="t")
    after: Any = state | {"outcome": Outcome(status="failed", message="No")}
    assert task_submission(passed(state, after, None)) is None


def test_one_that_the_person_took_over_has_not_ended():
    ended = {"outcome": Outcome(status="failed", message="No")}
    done = run([Verdict(succeeded=False)], ended, grave=True)
    assert task_submission(done) is not None
    paused = passed(done.state_before, done.state, done.task, paused=True)
    assert task_submission(paused) is None


def test_what_an_operator_reads_of_a_failure():
    plan = Plan(steps=(PlanStep(id="1", description="Save the form", expected="A message"),))
    look = Verdict(
        succeeded=False, confidence=0.9, reason="The page says: Name is taken",
        observations=("A message appeared", "Expected, but not so: the list shows Jas"),
    )  # fmt: skip
    ended = {"outcome": Outcome(status="failed", message="It was refused. Tried: Click it")}
    record = task_submission(run([look], ended, grave=True, plan=plan))
    assert record is not None
    assert (record.issue.goal, record.issue.site) == (GOAL, "clinic.example")
    assert record.issue.task_id == "k"
    assert record.investigation.what_checked[0] == "Click it: worked"
    assert "Name is taken" in record.investigation.what_checked[-1]
    assert record.investigation.candidate_root_cause == "The page says: Name is taken"
    assert record.missing_information[0] == "the list shows Jas"
    assert "Save the form" in record.recommendation.proposed_next_action
    assert record.recommendation.expected_outcome == "A message"
    assert record.why_escalated == (
        "The confidence is not high; It may matter much, or cannot be undone"
    )
    assert "It was refused" in record.origin.told
    assert (record.submitter.name, record.submitter.role) == ("Tabwright", "agent")
    assert (record.submitter.id, record.origin.user, record.origin.session_id) == ("t", "ann", "s")


def test_a_step_that_a_person_can_do_is_what_is_proposed():
    outcome = Outcome(status="failed", message="Signed out", hand_over="Sign in on this page")
    assert "Sign in on this page" in failed(outcome=outcome).recommendation.proposed_next_action


@pytest.mark.parametrize("where", ["goal", "answer", "typed", "asked now"])
def test_no_secret_is_in_a_record_wherever_it_was_told(where: str):
    look = Verdict(
        succeeded=False, confidence=0.9, reason=f"{SECRET} was not taken",
        observations=(f"The field holds {SECRET}",),
    )  # fmt: skip
    goal = f"Sign in, the password is {SECRET}" if where == "goal" else "Sign in"
    told = GivenAnswer(question="Your password?", text=SECRET)
    background = Background(answers=(told,) if where == "answer" else ())
    ended = {"outcome": Outcome(status="failed", message=f"{SECRET} is wrong")}
    done = run([look], ended, grave=False, goal=goal, background=background)
    typed = PlannedAction(
        action_id="0", secret=True, description=f"Type {SECRET}",
        action=Action(name="setValue", args={"id": "1", "text": SECRET}),
    )  # fmt: skip
    before: Any = dict(done.state_before or {})
    call = done.call
    if where == "typed":
        before["unverified_chain"] = Chain(actions=(typed,))
    if where == "asked now":
        call = replace(call, query=f"The password is {SECRET}")
    again = RunResult(
        call=call, state=done.state, task=done.task, task_id="k", session_id="s",
        open_actions=done.open_actions, server_ms=1.0, now=NOW, state_before=before,
    )  # fmt: skip
    record = task_submission(again)
    assert record is not None
    assert SECRET not in json.dumps(record.model_dump(mode="json"), ensure_ascii=False)


@settings(max_examples=25, deadline=None)
@given(text=st.text(st.characters(codec=None), max_size=60), times=st.sampled_from([1, 400]))
def test_whatever_a_page_says_fits_a_record(text: str, times: int):
    said = text * times
    look = Verdict(succeeded=False, reason=said, observations=(said, "\x00\ud800"))
    plan = Plan(steps=(PlanStep(id="1", description=said, expected=said),))
    ended = {"outcome": Outcome(status="failed", message=said)}
    record = task_submission(run([look] * 3, ended, grave=False, goal=said, plan=plan))
    assert record is not None
    assert Submission.model_validate_json(record.model_dump_json()) == record
