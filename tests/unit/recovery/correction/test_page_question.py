"""A question in a dialog of the page is answered as one of the browser's: where it asks about that act."""

import pytest

from app.domain.action import ActionRecord, action
from app.domain.directive import Directive, Instruction
from app.domain.plan import Plan, PlanStep
from app.domain.reasoner import Situation
from app.recovery.failed_case import find_new_page_question
from app.recovery.proposals import propose_correction
from tests.unit.verification.looks import FORM, form, having, n

SAVE = ActionRecord(action=action("click", "14"), status="unknown", signature=("btn", "Save", FORM))


def asking(title, yes="Yes, go on", no="Cancel", *more):
    place = f"dialog: {title}"
    return having(
        form("Jas"), n("70", "btn", yes, group=place), n("71", "btn", no, group=place), *more
    )


def answer(look, *records, told="Save the patient"):
    step = PlanStep(id="1", description=told, directive=Directive(verb="submit", source=told))
    plan = Plan(steps=(step,), instruction=Instruction(text=told))
    records = records or (SAVE,)
    return propose_correction(
        Situation(goal=told, page=look, plan=plan, records=records), "it asks"
    )


@pytest.mark.parametrize("title", ["Are you sure?", "Save the patient?", "Sind Sie sicher?"])
def test_a_question_about_that_act_is_agreed_to(title):
    found = answer(asking(title))
    assert [p.action.text for p in found.proposals] == ['click("70")']
    assert found.strategy == "answer the page"


@pytest.mark.parametrize(
    "look",
    [
        asking("Delete all patients?"),
        asking("Do you want to add another patient?"),
        asking("Subscribe to our news?"),
        asking("Are you sure?", "Delete everything"),
        asking(
            "Are you sure?", "Yes", "Cancel", n("72", "inp", "Code", group="dialog: Are you sure?")
        ),
        asking("Leave without saving the patient?"),
    ],
    ids=["a risk", "more", "another thing", "a risky answer", "a field", "leaving"],
)
def test_any_other_is_not(look):
    assert 'click("70")' not in [p.action.text for p in answer(look).proposals]


def test_it_is_agreed_to_once():
    yes = ActionRecord(
        action=action("click", "70"),
        status="unknown",
        purpose="correct",
        strategy="answer the page",
        signature=("btn", "Yes, go on", "dialog: Are you sure?"),
    )
    assert 'click("70")' not in [
        p.action.text for p in answer(asking("Are you sure?"), SAVE, yes).proposals
    ]


def test_nothing_was_handed_in_while_the_page_asks():
    look, save = asking("Are you sure?"), form("Jas").tree.by_id["14"]
    assert find_new_page_question(look, form("Jas"), save) == "Are you sure?"
    assert find_new_page_question(look, look, save) is None
