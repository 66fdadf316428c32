"""What a page whose session was over did not take is entered again, and never where it may be kept."""

import pytest

from app.domain.action import PlannedAction, action
from app.domain.directive import Directive
from app.domain.plan import Chain, Deed, Plan, PlanStep
from app.domain.verdict import ExpectedOutcome, Verdict
from app.engines.correction import propose
from app.engines.correction.filling_again import FILL_AGAIN, to_fill_again
from app.engines.reasoner import Situation
from app.engines.recovery.turned_away import TURNED_AWAY, held_against, says_so, was_turned_away
from tests.unit.verification.looks import FORM, URL, form, having, n, page, toast

SAVE = action("click", "14")
OVER = "Your session has expired. Signing you in again…"
NAME = Deed(
    action=action("setValue", "10", "Jas Patel"),
    step=0,
    status="success",
    signature=("inp", "Name", FORM),
    url=URL,
)
SENT = Deed(
    action=SAVE,
    action_id="a1",
    step=1,
    status="failure",
    error=TURNED_AWAY,
    signature=("btn", "Save", FORM),
    url=URL,
)
PLAN = Plan(
    steps=(
        PlanStep(id="1", description="fill", directive=Directive(verb="fill")),
        PlanStep(id="2", description="save", directive=Directive(verb="submit")),
    ),
    current=1,
)
CHAIN = Chain(
    actions=(PlannedAction(action_id="a1", action=SAVE, description="Save"),),
    expected=ExpectedOutcome(),
)


def at(look, *deeds, plan=PLAN):
    return Situation(goal="", page=look, plan=plan, deeds=deeds or (NAME, SENT))


def test_an_empty_form_is_filled_again_from_the_step_that_filled_it():
    plans = list(to_fill_again(at(form())))
    assert [step.description for step in plans[0].steps] == ["fill", "save"]
    assert all(step.status == "pending" for step in plans[0].steps)


@pytest.mark.parametrize(
    "look",
    [
        form("Jas Patel"),
        page(n("5", "txt", "Jas Patel", group="row: Jas Patel")),
        having(form(), toast("Jas Patel was saved")),
        page(url="https://app.example.org/elsewhere"),
    ],
    ids=["still filled", "listed", "told", "elsewhere"],
)
def test_what_may_be_kept_is_not_entered_again(look):
    assert list(to_fill_again(at(look))) == []


@pytest.mark.parametrize("change", [{"error": ""}, {"status": "unknown"}])
def test_only_what_the_page_said_it_did_not_take_is_entered_again(change):
    assert list(to_fill_again(at(form(), NAME, SENT.model_copy(update=change)))) == []


def test_it_is_entered_again_once_in_a_task():
    before = NAME.model_copy(update={"strategy": FILL_AGAIN})
    assert list(to_fill_again(at(form(), before, SENT))) == []


def test_an_empty_form_is_not_handed_in_again():
    said = having(form(), toast("Your session expired. Please try again", kind="alert"))
    assert propose(at(said), "said").outcome == "missing"


def test_the_page_says_so_itself_and_anew():
    assert says_so(having(form(), toast(OVER)), form())
    assert not says_so(having(form(), toast(OVER)), having(form(), toast(OVER)))
    assert was_turned_away(CHAIN, (NAME, SENT), form("Jas Patel"), form())
    assert not was_turned_away(CHAIN, (NAME,), form("Jas Patel"), form())


def look_again(look, succeeded=True):
    found = Verdict(succeeded=succeeded, confidence=0.85, tier=1, reason="The dialog closed")
    return held_against(found, CHAIN, (NAME, SENT), form("Jas Patel"), look)


def test_that_the_form_is_gone_says_nothing_after_that():
    assert look_again(form()).succeeded is False
    assert look_again(page(url="https://app.example.org/elsewhere")).succeeded is None


def test_a_success_that_is_shown_stands():
    assert look_again(having(form(), toast("The patient was saved"))).succeeded is True
    assert look_again(page(n("5", "txt", "Jas Patel"))).succeeded is True
