"""What only puts something aside is not waited for as for an answer, and the blocked step goes on."""

import pytest

from app.domain.action import ActionRecord, action
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.recovery.plan_revision import ASIDE
from app.recovery.proposals import propose_correction
from tests.unit.verification.looks import FORM, form, having, n

TIP = "dialog: Tip"
OK = n("70", "btn", "OK", group=TIP)
PRESSED = ActionRecord(
    action=action("click", "70"), status="unknown", signature=("btn", "OK", TIP), step=0
)
ESCAPED = ActionRecord(
    action=action("pressKey", "Escape"),
    status="unknown",
    purpose="correct",
    strategy="dismiss overlay",
    step=0,
)
FRONT = having(form("Jas"), OK)


def ask(look, *records, id=f"{ASIDE}1.1"):
    plan = Plan(steps=(PlanStep(id=id, description="click OK"), PlanStep(id="2", description="x")))
    situation = Situation(goal="", page=look, plan=plan, records=records)
    return propose_correction(situation, "Nothing on the page shows whether it had an effect")


def texts(found):
    return [one.action.text for one in found.proposals]


@pytest.mark.parametrize("look", [form("Jas"), FRONT], ids=["gone", "there"])
def test_whether_it_went_or_stands_the_plan_goes_on(look):
    assert ask(look, PRESSED).outcome == "done"


def test_an_ok_that_was_asked_for_is_still_looked_at_again():
    assert texts(ask(FRONT, PRESSED, id="1")) == ["wait(1000)"]


def test_after_a_look_that_put_something_aside_it_is_the_blocked_action_that_is_mended():
    blocked = ActionRecord(
        action=action("setValue", "10", "Jas"),
        status="failure",
        error="NOT_INTERACTABLE",
        signature=("inp", "Name", FORM),
    )
    aside = PRESSED.model_copy(update={"purpose": "explore"})
    found = ask(form(), blocked, aside, ESCAPED, id="1")
    assert texts(found)[-1] == 'setValue("10", "Jas")'
