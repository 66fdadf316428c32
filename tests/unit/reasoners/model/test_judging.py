"""What a model is asked of a look at the page: a short question, or a full one."""

import pytest

from app.domain.action import ActionRecord, Chain, PlannedAction, action
from app.domain.reasoner import Transition
from app.domain.verdict import Verdict
from app.llm.prompt import fence
from tests.fakes.tokens import count as tokens
from tests.unit.reasoners.model.scripted import GOAL, TAG, customer_form, plan, reasoner, standing
from tests.unit.reasoners.model.test_tokens import fixed, whole

SEEN = ("New text: Jas Patel, Lyon", "The focus is on Save")
DONE = ("Press Save",)
YES = {"why": "The list shows Jas Patel.", "worked": "yes", "reached": "yes", "sure": 0.9}


def asked(tier=2, *, last=True, seen=SEEN, done=DONE):
    planned = tuple(
        PlannedAction(action_id=f"a{n}", action=action("click", "25"), description=text)
        for n, text in enumerate(done)
    )
    found = Verdict(succeeded=None, reason="It cannot be told", observations=seen)
    return Transition(
        before=customer_form(), chain=Chain(actions=planned), found=found, tier=tier, last_step=last
    )


async def test_a_short_question_holds_what_was_done_and_what_changed():
    ask, model = reasoner(YES)
    opinion = await ask.judge(standing(), asked())
    assert (opinion.succeeded, opinion.completed, opinion.tier) == (True, True, 2)
    assert (opinion.confidence, opinion.reason) == (0.9, "The list shows Jas Patel.")
    (call,) = model.asked
    assert (call.tier, call.purpose, call.thinking_tokens) == ("fast", "judging", 0)
    for text in (GOAL, "Press Save", *SEEN):
        assert text in call.prompt
    assert 'inp "Email"' not in call.prompt


async def test_of_a_step_on_the_way_its_step_is_told_and_not_the_goal():
    ask, model = reasoner(YES)
    opinion = await ask.judge(standing(plan=plan("Open the form", "Save")), asked(last=False))
    assert (opinion.succeeded, opinion.completed) == (True, None)
    assert "Open the form" in model.asked[0].prompt
    assert GOAL not in model.asked[0].prompt


async def test_a_full_question_holds_goal_plan_actions_and_page():
    ask, model = reasoner(YES)
    records = (
        ActionRecord(action=action("click", "1"), action_id="x", signature=("link", "Home", ""),
             status="success"),
        ActionRecord(action=action("click", "25"), action_id="a0", status="pending"),
    )  # fmt: skip
    opinion = await ask.judge(
        standing(records=records, plan=plan("Fill in", "Save", current=1)), asked(3)
    )
    assert (opinion.completed, opinion.tier) == (True, 3)
    (call,) = model.asked
    assert call.tier == "strong"
    for text in (GOAL, "1. Fill in", "link 'Home' done", "Press Save", *SEEN, 'inp "Email"'):
        assert text in call.prompt
    assert "not known yet" not in call.prompt  # the judged action is told once


@pytest.mark.parametrize(
    ("worked", "told"), [("yes", True), ("No", False), ("unsure", None), ("perhaps", None)]
)
async def test_other_words_than_the_three_are_unsure(worked, told):
    ask, _ = reasoner(YES | {"worked": worked})
    assert (await ask.judge(standing(), asked())).succeeded is told


async def test_a_short_question_is_short():
    """About 100 tokens beside instructions, schema, goal and fence, however much has changed."""
    ask, model = reasoner(YES, YES)
    await ask.judge(standing(plan=plan("Save the customer")), asked(last=False))
    await ask.judge(
        standing(), asked(seen=tuple(f"{n} {'word ' * 60}" for n in range(9)), done=DONE * 9)
    )
    usual, most = model.asked
    overhead = tokens(fence("", TAG))
    assert tokens(usual.prompt) - overhead <= 60
    assert tokens(most.prompt) - overhead <= 450
    assert fixed(usual.system, usual.reply) <= 170
    assert whole(usual) <= 230
