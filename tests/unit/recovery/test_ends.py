"""When a plan has no step left, when a part ends, and when a model goes round in circles."""

from dataclasses import replace

import pytest

from app.domain.action import ActionRecord, Chain, ClientReport, PlannedAction, action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Contingency, Decision, Plan, PlanStep, SubTask
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.page.snapshot import fingerprint, pack
from app.reasoners.commands import parse
from app.recovery import ChainContext, advance_after_decision
from app.recovery.plan_revision import ASIDE
from tests.unit.recovery.acts import judge_chain

SAVE = Node(id="1", role="btn", name="Save", group="form: Patient")
FIELD = Node(id="2", role="inp", name="Name", value="Jas", group="form: Patient")
FORM = Observation(url="https://a.example/new", tree=Tree.of([FIELD, SAVE]))
SAVED = Observation(
    url="https://a.example/list", tree=Tree.of([Node(id="9", role="link", name="New")]),
    successes=("Patient saved",), summary="Jas",
)  # fmt: skip
SAME = Observation(url="https://a.example/new", tree=Tree.of([FIELD, SAVE]))
PARTS = (SubTask(id="1", goal="Add Jas"), SubTask(id="2", goal="Call Jas"))


def worded(*words, **more):
    steps = tuple(PlanStep(id=str(n), description=text) for n, text in enumerate(words, start=1))
    return Plan(steps=steps, maker="model", **more)


def pressed(
    plan, after, *, before=FORM, goal="Add the patient Jas", records=(), report=None, completes=True
):
    sent = PlannedAction(
        action_id=f"a{len(records)}", action=action("click", "1"), description="Press Save"
    )
    record = ActionRecord(
        action=sent.action, action_id=sent.action_id, description="Press Save", step=plan.current,
        fingerprint=fingerprint(before), signature=SAVE.signature,
    )  # fmt: skip
    chain = Chain(actions=(sent,), completes_step=completes)
    standing = ChainContext(
        goal=goal, instruction=parse(goal), plan=plan, chain=chain, judged=chain,
        before=pack(before), report=None, records=(*records, record),
    )  # fmt: skip
    return judge_chain(standing, after, report or ClientReport())


def test_a_goal_that_the_page_confirms_ends_without_another_call():
    result = pressed(worded("Save"), SAVED)
    assert result.verdict.goal_achieved
    assert result.outcome.status == "completed"


def test_steps_that_are_done_where_the_page_does_not_confirm_the_goal_are_asked_about():
    result = pressed(worded("Look"), SAVED, goal="What is the phone of Jas?")
    assert result.verdict.succeeded
    assert (result.plan.step, result.outcome) == (None, None)


def test_then_rules_say_what_they_always_said():
    unsure = Verdict(succeeded=True, confidence=0.6, reason="Nothing changed")
    situation = Situation(
        goal="g", page=FORM, plan=worded("Save").advanced(), verdict=unsure,
        records=(ActionRecord(action=action("click", "1")),),
    )  # fmt: skip
    plan, outcome = advance_after_decision(Decision(outcome="done"), situation)
    assert (plan.current, outcome.status) == (1, "failed")
    assert "does not confirm it" in outcome.message


@pytest.mark.parametrize(
    ("refinement", "status", "said"),
    [
        (
            Decision(outcome="finish", maker="model", reason="Jas is added."),
            "completed",
            "Jas is added.",
        ),
        (Decision(outcome="finish", maker="model"), "completed", "Done. g"),
        (
            Decision(outcome="fail", maker="model", reason="It is locked"),
            "failed",
            "It is locked",
        ),
        (Decision(outcome="answer", reason="Phone: 5"), "completed", "Phone: 5"),
    ],
)
def test_how_a_model_ends_a_run(refinement, status, said):
    done = (ActionRecord(action=action("click", "1"), status="success"),)
    situation = Situation(goal="g", page=FORM, plan=worded("Save"), records=done)
    _, outcome = advance_after_decision(refinement, situation)
    assert (outcome.status, outcome.message.partition(" Tried:")[0].rstrip(".")) == (
        status,
        said.rstrip("."),
    )


@pytest.mark.parametrize("outcome", ["look", "search", "read", "ask"])
def test_what_must_be_found_out_first_ends_nothing(outcome):
    plan = worded("Save")
    asked = Decision(outcome=outcome, maker="model")
    assert advance_after_decision(asked, Situation(goal="g", page=FORM, plan=plan)) == (plan, None)


def test_a_part_that_is_done_makes_way_and_the_task_is_not_called_done():
    result = pressed(worded("Save", subtasks=PARTS), SAVED)
    assert (result.subtask_ended, result.outcome) == (True, None)
    assert not result.verdict.task_completed
    last = worded("Save", subtasks=PARTS, subtask=1)
    assert pressed(last, SAVED).outcome.status == "completed"


def test_a_reading_that_is_not_sure_fails_nothing():
    """The rules take the words for a deletion; the row that is left is no evidence against it."""
    row = Node(id="7", role="row", name="Jas", group="list: Patients > row: Jas")
    asked = [replace(node, group="dialog: Patient") for node in (FIELD, SAVE)]
    before = Observation(url="https://a.example/", tree=Tree.of([row, *asked]))
    after = Observation(url="https://a.example/", tree=Tree.of([row]))
    sure = parse("Delete the patient Jas")
    doubtful = sure.model_copy(update={"confidence": 0.5})
    verdicts = []
    for read in (sure, doubtful):
        chain = Chain(
            actions=(PlannedAction(action_id="a", action=action("click", "1"), description="Save"),)
        )
        standing = ChainContext(
            goal="g", instruction=read, plan=worded("Save"), chain=chain, judged=chain,
            before=pack(before), report=None, records=(),
        )  # fmt: skip
        verdicts.append(judge_chain(standing, after, ClientReport()).verdict)
    assert "is still there" in verdicts[0].reason
    assert verdicts[1].succeeded


def test_a_failure_that_was_foreseen_is_cleared_away_before_it_is_corrected():
    foreseen = Contingency(trigger="a cookie banner appears", steps=("Click Reject cookies",))
    banner = Node(id="8", role="btn", name="Reject cookies", group="dialog: Cookies")
    after = Observation(url=FORM.url, tree=Tree.of([FIELD, SAVE, banner]))
    report = ClientReport(status="failure", error_code="NOT_INTERACTABLE", error_message="covered")
    result = pressed(worded("Save", contingencies=(foreseen,)), after, report=report)
    assert result.contingency == foreseen
    assert [s.description for s in result.plan.steps] == ["Click Reject cookies", "Save"]
    assert [(d.step, d.status) for d in result.records] == [(1, "failure")]


def test_what_only_clears_the_way_is_left_out_where_it_cannot_be_done():
    aside = PlanStep(id=f"{ASIDE}1.1", description="Click Reject")
    plan = Plan(steps=(aside, PlanStep(id="1", description="Save")), maker="model")
    gone = Decision(outcome="missing", reason="There is no Reject")
    after, outcome = advance_after_decision(gone, Situation(goal="g", page=FORM, plan=plan))
    assert (after.current, after.steps[0].status, outcome) == (1, "skipped", None)


def test_a_model_that_takes_the_same_action_on_the_same_page_is_told_once_then_stopped():
    """Each press works as far as the page tells, and none completes the step."""
    after = Observation(url=FORM.url, tree=FORM.tree, successes=("Saved",))
    plan, records, results = worded("Save it until it is perfect"), (), []
    for _ in range(4):
        results.append(pressed(plan, after, records=records, completes=False))
        records = results[-1].records
    *_, told, last = results
    assert told.outcome is None
    assert "'Press Save' was done 3 times" in told.verdict.reason
    assert last.outcome.status == "failed"
    assert "'Press Save' was done 4 times" in last.outcome.message


def test_and_also_when_its_steps_are_all_done_and_it_never_finishes():
    after = Observation(url=FORM.url, tree=FORM.tree, successes=("Saved",))
    plan = worded("Save").advanced()
    records, results = (), []
    for _ in range(4):
        results.append(pressed(plan, after, records=records, completes=False))
        records = results[-1].records
    assert [result.outcome is None for result in results] == [True, True, True, False]


def test_a_step_that_seems_done_is_no_end_where_the_page_speaks_against_it():
    doubted = Verdict(succeeded=None, doubted=True, reason="'Nora Webb' is still listed")
    situation = Situation(
        goal="Remove Nora Webb", page=SAVED, plan=worded("Remove Nora Webb"), verdict=doubted,
        records=(ActionRecord(action=action("click", "1"), status="unknown"),),
    )  # fmt: skip
    _, outcome = advance_after_decision(Decision(outcome="done"), situation)
    assert outcome.status == "failed"
    assert "still listed" in outcome.message
