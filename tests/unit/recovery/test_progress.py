"""How a run stands after a look at the page, and in what words it ends."""

from app.domain.action import ActionRecord, Chain, ClientReport, PlannedAction, action
from app.domain.directive import Candidate
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Plan, PlanStep
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.page.snapshot import pack
from app.recovery import ChainContext
from app.recovery.progress import (
    advance_after_decision,
    conclude_run,
    describe_candidate,
    failed_outcome,
    step_limit_outcome,
)
from tests.unit.recovery.acts import judge_chain

DEED = ActionRecord(
    action=action("click", "1"), action_id="a", description="Press Save", status="failure"
)
PLAN = Plan(steps=(PlanStep(id="1", description="Save"),))


def page(*nodes, **more):
    return Observation(url="https://a.example/", tree=Tree.of(nodes), **more)


def test_what_was_tried_is_said_once():
    assert failed_outcome("Nothing fits", (DEED,)).message.count("Tried:") == 1
    assert failed_outcome("Nothing fits. Tried: Press Save.", (DEED,)).message.count("Tried:") == 1


def test_candidates_are_told_apart_by_where_they_stand():
    near = Candidate(id="1", role="btn", name="Delete", group="section: All > row: Jas", score=1)
    assert describe_candidate(near) == "'Delete' (Jas)"
    assert describe_candidate(near.model_copy(update={"group": ""})) == "'Delete'"


def test_an_ambiguous_step_ends_with_its_candidates():
    candidates = tuple(
        Candidate(id=str(n), role="btn", name="Edit", group=f"row: {who}", score=0.9)
        for n, who in enumerate(("Jas", "Ann"))
    )
    found = Decision(outcome="ambiguous", candidates=candidates, reason="2 things fit")
    _, outcome = advance_after_decision(found, Situation(goal="edit", page=page(), plan=PLAN))
    assert outcome.status == "failed"
    assert "'Edit' (Jas); 'Edit' (Ann)" in outcome.message


def test_a_step_that_holds_already_ends_a_task_without_an_action():
    done = Decision(outcome="done")
    plan, outcome = advance_after_decision(done, Situation(goal="tick it", page=page(), plan=PLAN))
    assert (plan.step, outcome.status) == (None, "completed")


def test_what_the_page_does_not_confirm_is_not_called_done():
    unsure = Verdict(succeeded=True, confidence=0.6, reason="Nothing changed")
    assert conclude_run("save", unsure, (DEED,), PLAN).status == "failed"


def test_the_step_limit():
    assert step_limit_outcome(49, 50, ()) is None
    assert step_limit_outcome(50, 50, ()).code == "MAX_STEPS_EXCEEDED"


def chain_of(*ids):
    sent = tuple(
        PlannedAction(action_id=f"a{i}", action=action("setValue", i, "x"), description=f"Set {i}")
        for i in ids
    )
    records = tuple(ActionRecord(action=p.action, action_id=p.action_id) for p in sent)
    return Chain(actions=sent), records


def test_a_chain_that_stopped_half_way_keeps_what_was_done_and_drops_what_was_not_reached():
    before = page(*(Node(id=i, role="inp", name=f"Field {i}", value="") for i in "123"))
    after = page(
        Node(id="1", role="inp", name="Field 1", value="x"),
        Node(id="2", role="inp", name="Field 2", value=""),
        Node(id="3", role="inp", name="Field 3", value=""),
    )
    chain, records = chain_of("1", "2", "3")
    standing = ChainContext(
        goal="fill", instruction=None, plan=PLAN, chain=chain, judged=chain,
        before=pack(before), report=None, records=records,
    )  # fmt: skip
    report = ClientReport(status="failure", error_code="VALUE_NOT_ACCEPTED", executed_index=0)
    result = judge_chain(standing, after, report)
    assert result.verdict.succeeded is False
    assert [(d.action_id, d.status) for d in result.records] == [
        ("a1", "success"),
        ("a2", "failure"),
    ]
    assert result.plan.current == 0


def test_after_a_wait_the_original_is_judged_against_the_page_before_it():
    before = page(Node(id="1", role="inp", name="Field", value=""))
    chain, records = chain_of("1")
    pause = PlannedAction(action_id="w", action=action("wait", 1000), description="Wait")
    standing = ChainContext(
        goal="fill", instruction=None, plan=PLAN, chain=Chain(actions=(pause,)), judged=chain,
        before=pack(before), report=ClientReport(status="unknown"),
        records=(*records, ActionRecord(action=pause.action, action_id="w", purpose="correct")),
    )  # fmt: skip
    after = page(Node(id="1", role="inp", name="Field", value="x"))
    result = judge_chain(standing, after, ClientReport(status="success"))
    assert result.verdict.succeeded is True
    assert {d.action_id: d.status for d in result.records} == {"a1": "success", "w": "success"}
    assert result.outcome.status == "completed"
