"""What hangs on a look at the page, and what is asked of it."""

from dataclasses import replace

import pytest

from app.domain.action import Chain, ClientReport, PlannedAction, action
from app.domain.directive import Instruction
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Plan, PlanStep, SubTask
from app.domain.verdict import ExpectedOutcome, ModelOpinion
from app.page.snapshot import pack
from app.recovery.assessment import ChainContext, assess_chain
from app.recovery.progress import settle_chain

OPEN = PlannedAction(action_id="a", action=action("click", "1"), description="Press Details")
WAIT = PlannedAction(action_id="w", action=action("wait", 1000), description="Wait")
SENT = Chain(actions=(OPEN,))
NODE = Node(id="1", role="btn", name="Save", group="form: A")
FIELD = Node(id="2", role="inp", name="Name", value="Jas", group="form: A")
BEFORE = Observation(url="https://a.example/", tree=Tree.of((NODE, FIELD)), summary="One")
OTHER = replace(BEFORE, summary="Another thing altogether")
DONE = ClientReport(status="success", executed_index=0)


def plan(*lines, current=0, **more):
    steps = tuple(PlanStep(id=str(n), description=line) for n, line in enumerate(lines))
    return Plan(**{"steps": steps, "current": current, "maker": "model"} | more)


ONE, TWO = plan("Save"), plan("Fill", "Save", current=1)
PARTS = (SubTask(id="1", goal="a"), SubTask(id="2", goal="b"))


def standing(now=ONE, **more):
    known = {
        "goal": "save", "instruction": None, "plan": now, "chain": SENT, "judged": SENT,
        "before": pack(BEFORE), "report": None, "records": (),
    }  # fmt: skip
    return ChainContext(**known | more)


QUESTION = Instruction(text="What is it?", kind="question")


@pytest.mark.parametrize(
    ("given", "tier", "ends"),
    [
        (standing(ONE), 2, True),
        (standing(TWO), 3, True),
        (standing(TWO, simple=True), 2, True),
        (standing(plan("Fill", "Save")), 2, False),
        (standing(plan("Save", subtasks=PARTS)), 3, True),
        (standing(TWO, instruction=QUESTION), 2, False),  # its end is an answer
        (standing(TWO, judged=SENT.model_copy(update={"completes_step": False})), 2, False),
    ],
)
def test_how_large_what_is_at_stake_is(given, tier, ends):
    assert (given.stake.tier, given.stake.ends) == (tier, ends)


def test_without_a_model_nothing_is_asked_and_tier_1_says_that_it_cannot_tell():
    look = assess_chain(standing(TWO), OTHER, DONE)
    assert look.model_question(has_model=False) is None
    assert (look.verdict().succeeded, look.verdict().tier) == (None, 1)
    assert look.model_question(has_model=True).tier == 3


def test_a_recipe_asks_nobody():
    look = assess_chain(standing(plan("Fill", "Save", current=1, maker="recipe")), OTHER, DONE)
    assert look.model_question(has_model=True) is None


def test_a_look_that_is_the_same_is_not_asked_about_again():
    first = assess_chain(standing(TWO), OTHER, DONE)
    said = first.verdict(ModelOpinion(confidence=0.9, tier=3, reason="unsure"))
    waited = standing(TWO, chain=Chain(actions=(WAIT,)), last=said, report=DONE)
    same = assess_chain(waited, OTHER, DONE)
    assert same.model_question(has_model=True) is None
    assert same.verdict() == said
    changed = assess_chain(waited, replace(OTHER, summary="Yet another thing"), DONE)
    assert changed.model_question(has_model=True).tier == 3


def test_an_opinion_ends_the_task_and_settles_its_records():
    look = assess_chain(standing(TWO), OTHER, DONE)
    yes = ModelOpinion(
        succeeded=True,
        completed=True,
        confidence=0.95,
        tier=3,
        reason="It is saved",
        quote="Another thing",
    )
    found = settle_chain(look, look.verdict(yes))
    assert found.outcome.status == "completed"
    assert found.outcome.message == "Done. It is saved."
    assert found.plan.step is None


def test_the_opinion_of_a_part_ends_that_part_alone():
    look = assess_chain(standing(plan("Save", subtasks=PARTS)), OTHER, DONE)
    yes = ModelOpinion(
        succeeded=True,
        completed=True,
        confidence=0.95,
        tier=3,
        reason="It is saved",
        quote="Another thing",
    )
    found = settle_chain(look, look.verdict(yes))
    assert (found.subtask_ended, found.outcome) == (True, None)
    assert not found.verdict.task_completed


@pytest.mark.parametrize("quote", ["", "Save", "It was saved"])
def test_an_opinion_without_a_new_text_of_the_page_ends_nothing(quote):
    look = assess_chain(standing(TWO), OTHER, DONE)
    yes = ModelOpinion(succeeded=True, completed=True, confidence=0.95, tier=3, quote=quote)
    found = settle_chain(look, look.verdict(yes))
    assert (found.outcome, found.verdict.succeeded) == (None, True)


def test_a_model_is_asked_where_more_was_set_than_the_chain_sets():
    boxes = [Node(id=str(n), role="chk", name=name) for n, name in enumerate(("Work", "Sport"), 1)]
    before = replace(BEFORE, tree=Tree.of(boxes))
    tick = PlannedAction(action_id="t", action=action("setChecked", "1", True), description="Tick")
    sent = Chain(actions=(tick,), expected=ExpectedOutcome(elements=("Work",)))
    on = [replace(one, states=frozenset({"checked"})) for one in boxes]
    given = standing(ONE, chain=sent, judged=sent, before=pack(before))
    asked = [
        assess_chain(given, replace(before, tree=Tree.of(now)), DONE).model_question(has_model=True)
        for now in ((on[0], boxes[1]), on)
    ]
    assert asked[0] is None
    assert asked[1] is not None
