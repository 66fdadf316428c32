"""What is expected of an action can be checked, and is what comes when it works."""

import pytest

from app.domain.action import action
from app.domain.directive import Directive, Target
from app.domain.page import MASK
from app.domain.plan import PlanStep, Proposal
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.plans.prediction import check_expectation, predict
from app.verification import verify
from tests.unit.verification.looks import (
    CLICK_SAVE,
    SET_NAME,
    ClientReport,
    chain,
    form,
    having,
    n,
    page,
    toast,
)


def foresee(*actions, look=None, purpose="work", **more):
    look = look or form()
    return predict(
        [Proposal(action=a, description="", purpose=purpose) for a in actions], look, **more
    )


def test_an_entry_leaves_its_value_and_the_address():
    found = foresee(SET_NAME)
    assert found.values == {"10": "Jas Patel"}
    assert found.url_should_change is False
    assert "Name holds 'Jas Patel'" in found.description


def test_a_password_is_not_written_down():
    look = page(n("1", "inp", "Password", input_type="password"))
    found = foresee(action("setValue", "1", "s3cret"), look=look)
    assert "s3cret" not in found.model_dump_json()
    assert found.values == {"1": MASK}


def test_an_opener_opens_and_stays():
    look = page(n("1", "btn", "Patient", "haspopup collapsed"))
    found = foresee(action("click", "1"), look=look)
    assert found.url_should_change is False
    assert "opens" in found.description


@pytest.mark.parametrize(
    "move",
    [action("navigate", "https://a.org"), action("goBack"), action("openTab", "https://a.org")],
)
def test_a_way_to_another_page_changes_the_address(move):
    assert foresee(move).url_should_change is True


def test_a_submit_may_go_anywhere_and_takes_its_values_along():
    found = foresee(SET_NAME, CLICK_SAVE)
    assert found.url_should_change is None
    assert found.values == {}
    assert "success" in found.description


def test_the_next_goal_is_required_only_of_what_was_to_uncover_it():
    step = PlanStep(
        id="2",
        description="click New",
        directive=Directive(verb="click", target=Target(phrase="New")),
    )
    assert foresee(CLICK_SAVE, next_step=step).next_goal == NextGoal(
        description="click New", text="New"
    )
    assert foresee(CLICK_SAVE, next_step=step, purpose="explore").next_goal.required


def test_nothing_is_expected_of_nothing():
    assert foresee() == ExpectedOutcome()


def test_the_check_tells_what_is_met_and_what_is_not():
    expected = ExpectedOutcome(
        url_should_change=True,
        elements=("Patient created",),
        gone=("Loading",),
        values={"10": "Jas"},
        next_goal=NextGoal(description="press Save", role="btn", text="save"),
    )
    met, unmet = check_expectation(expected, form("jas ", toast("Patient created: 7")), form())
    assert met == (
        "Name holds 'Jas'",
        "'Patient created' is there",
        "'Loading' is gone",
        "next: press Save",
    )
    assert unmet == ("the address changes",)


def test_a_prediction_is_met_by_the_page_that_did_it():
    expected = foresee(SET_NAME)
    after = having(form("Jas Patel"))
    assert check_expectation(expected, after, form())[1] == ()
    verdict = verify(
        form(),
        after,
        chain(SET_NAME, expected=expected),
        ClientReport(),
        last_step=True,
        completes_step=True,
    )
    assert verdict.goal_achieved
