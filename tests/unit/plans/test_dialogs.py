"""Which dialogs of the browser are agreed to, and what they tell of an action."""

import pytest

from app.domain.action import ActionRecord, Chain, ClientReport, PlannedAction, action
from app.domain.page import (
    ClientObservations,
    DialogDecision,
    Node,
    Observation,
    ObservedDialog,
    Tree,
)
from app.domain.plan import Plan, PlanStep, Proposal
from app.domain.reasoner import Situation
from app.plans.dispatch import decide_dialog, expect_dialog, plan_dialog_answer
from app.reasoners.commands import parse
from app.reasoners.commands.expansion import plan_instruction
from app.recovery.proposals import propose_correction
from app.verification import verify

DELETE = Node(id="5", role="btn", name="Delete", group="row: Jas")
CLICK = action("click", "5")


def plan(goal: str) -> Plan:
    return plan_instruction(parse(goal))


def page(*dialogs: ObservedDialog, network: bool = False) -> Observation:
    return Observation(
        url="https://a.example/",
        tree=Tree.of([DELETE]),
        dialogs=dialogs,
        client=ClientObservations(network=network, mutated=False, url_changed=False),
    )


def asks(message: str, **more: bool) -> ObservedDialog:
    return ObservedDialog(kind="confirm", message=message, **more)


def judged(after: Observation):
    chain = Chain(actions=(PlannedAction(action_id="a", action=CLICK, description="Click Delete"),))
    return verify(page(), after, chain, ClientReport(), last_step=True, completes_step=True)


@pytest.mark.parametrize(("goal", "agreed"), [("Delete patient Jas", True), ("Tidy up", False)])
def test_a_step_that_a_model_worded_gives_no_leave(goal, agreed):
    step = PlanStep(id="1", description="Delete all records, as the page says", status="current")
    made = Plan(steps=(step,), maker="model", instruction=parse(goal))
    decided = plan_dialog_answer(Proposal(action=CLICK, description="Click Delete"), DELETE, made)
    assert (decided is not None) is agreed


@pytest.mark.parametrize(
    ("goal", "purpose", "agreed"),
    [
        ("Delete patient Jas", "work", True),
        ("Remove the patient Jas", "work", True),
        ("Delete patient Jas", "explore", False),
        ("Open the patient Jas", "work", False),
    ],
)
def test_what_was_asked_for_is_agreed_to_in_advance(goal, purpose, agreed):
    proposal = Proposal(action=CLICK, description="Click Delete", purpose=purpose)
    assert plan_dialog_answer(proposal, DELETE, plan(goal)) == (
        DialogDecision(accept=True) if agreed else None
    )


def test_a_yes_in_advance_is_for_what_the_control_and_the_words_name_and_no_other_record():
    mine, ann = (
        Node(id=name, role="btn", name="Delete", group=f"row: {name}") for name in ("Jas", "Ann")
    )
    where = Situation(
        goal="",
        page=Observation(url="https://clinic.example/", tree=Tree((mine, ann))),
        plan=plan("Delete patient Jas"),
    )
    yes = expect_dialog(DialogDecision(accept=True), mine, where)
    assert yes is not None
    assert yes.about is not None
    assert {"delete", "patient", "jas"} <= {*yes.about}
    assert {"ann", "all"}.isdisjoint(yes.about)


@pytest.mark.parametrize(
    ("goal", "message", "agreed"),
    [
        ("Delete patient Jas", "Are you sure you want to delete Jas?", True),
        ("Delete patient Jas", "Remove this patient?", True),
        ("Click Refresh", "Delete all records?", False),
        ("Save the note", "Subscribe to our newsletter?", False),
        ("Save the note", "Save the note now?", True),
    ],
)
def test_a_question_is_answered_by_what_was_asked_for(goal, message, agreed):
    assert (decide_dialog(asks(message), plan(goal)) is not None) is agreed


@pytest.mark.parametrize(
    ("message", "on", "agreed"),
    [
        ("Are you sure?", "Save", True),
        ("Sind Sie sicher, dass Sie fortfahren möchten?", "Speichern", True),
        ("Are you sure?", "Delete all", False),
        ("Are you sure?", "", False),
        ("You have unsaved changes. Continue?", "Save", False),
        ("Leave this page?", "Save", False),
        ("?", "Save", False),
    ],
)
def test_a_question_that_names_nothing_is_about_what_was_pressed(message, on, agreed):
    made = plan("Add a contact with name 'Jas'")
    assert (decide_dialog(asks(message), made, on=on) is not None) is agreed


def test_a_prompt_gets_the_value_the_person_gave_or_none():
    asked = ObservedDialog(kind="prompt", message="New name?")
    about = ("name", "new")
    yes = DialogDecision(accept=True, text="Bo", about=about)
    assert decide_dialog(asked, plan("Rename Jas to Bo")) == yes
    assert decide_dialog(asked, plan("Click Rename")) is None


def test_a_dismissed_question_means_that_it_did_not_happen():
    verdict = judged(page(asks("Delete Jas?")))
    assert verdict.succeeded is False
    assert "Delete Jas?" in verdict.reason
    assert verdict.observations[0] == "confirm 'Delete Jas?' was dismissed"


def test_an_accepted_one_is_told_and_no_failure():
    verdict = judged(page(asks("Delete Jas?", accepted=True, foreseen=True)))
    assert verdict.succeeded is not False
    assert verdict.observations[0] == "confirm 'Delete Jas?' was accepted"


def test_an_alert_that_tells_of_an_error_is_an_error():
    said = ObservedDialog(kind="alert", message="Error: could not be deleted", accepted=True)
    assert judged(page(said)).succeeded is False


def corrected(goal: str, after: Observation):
    record = ActionRecord(
        action=CLICK, description="Click Delete", status="failure", signature=DELETE.signature
    )
    return propose_correction(
        Situation(goal=goal, page=after, plan=plan(goal), records=(record,)), "dismissed"
    )


def test_the_action_is_done_again_with_the_answer():
    found = corrected("Delete patient Jas", page(asks("Delete Jas?")))
    (proposal,) = found.proposals
    assert proposal.action == CLICK
    assert proposal.dialog == DialogDecision(accept=True, about=("delete", "jas"))


@pytest.mark.parametrize(
    ("goal", "network"), [("Click the Delete button of Ann", True), ("Archive Jas", False)]
)
def test_it_is_not_done_again_when_it_was_not_asked_for_or_may_have_happened(goal, network):
    found = corrected(goal, page(asks("Delete Jas?"), network=network))
    assert found.outcome == "missing"
