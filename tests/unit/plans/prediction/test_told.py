"""What a model expects counts where templates know nothing, and never fails an action by itself."""

import pytest

from app.domain.action import action
from app.domain.plan import Proposal
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.plans.prediction import merge_expectations, predict
from app.verification import verify
from tests.unit.verification.looks import ClientReport, chain, n, page

BEFORE = page(n("1", "btn", "Details"), n("2", "chk", "Agree"), n("3", "inp", "Name"))
TOLD = ExpectedOutcome(
    description="The details are shown",
    elements=("Order history", "Agree", " ", "x" * 99),
    gone=("Details", "Nothing like it"),
    url_should_change=False,
    values={"3": "Bob"},
    next_goal=NextGoal(
        description="open the history", role="button", text="History", required=True
    ),
)


def foresee(act, told=TOLD):
    made = predict([Proposal(action=act, description="")], BEFORE)
    return merge_expectations(made, told, act, BEFORE)


def test_of_a_plain_click_what_can_be_checked_is_taken():
    found = foresee(action("click", "1"))
    assert found.description == "The details are shown"
    assert found.elements == ("Order history",)  # what is there already tells nothing
    assert found.gone == ("Details",)
    assert found.url_should_change is False
    assert found.values == {}


@pytest.mark.parametrize("act", [action("click", "2"), action("setValue", "3", "Jas")])
def test_what_templates_know_is_left_to_them(act):
    found = foresee(act)
    assert found.elements == ()
    assert found.gone == ()
    assert found.values == ({"3": "Jas"} if act.name == "setValue" else {})


def test_the_next_goal_is_taken_of_any_action_and_found_by_its_words():
    goal = foresee(action("setValue", "3", "Jas")).next_goal
    assert (goal.text, goal.role, goal.required) == ("History", None, True)


def test_a_goal_that_nothing_can_be_looked_for_is_not_required():
    vague = ExpectedOutcome(next_goal=NextGoal(description="go on", role="thing", required=True))
    assert foresee(action("click", "1"), vague).next_goal.required is False


def judged(expected, *after):
    sent = chain(action("click", "1")).model_copy(update={"expected": expected})
    done = ClientReport(status="success")
    now = page(n("1", "btn", "Details"), *after, summary="Your order of May")
    return verify(BEFORE, now, sent, done, last_step=True, completes_step=True)


def test_a_wrong_guess_fails_nothing():
    sure = judged(ExpectedOutcome(), n("9", "link", "History"))
    guessed = judged(ExpectedOutcome(elements=("A success message",)), n("9", "link", "History"))
    assert sure.succeeded
    assert guessed.succeeded
    assert guessed.goal_achieved is sure.goal_achieved
    assert any("A success message" in said for said in guessed.observations)


def test_only_a_required_goal_that_is_absent_takes_success_away():
    missing = foresee(action("click", "1"))
    assert judged(missing, n("9", "link", "Other")).confidence <= 0.5
    assert judged(missing, n("9", "link", "Order history")).goal_achieved
