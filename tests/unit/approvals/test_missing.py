"""What a form lacks before it is handed in, and what is done with the answer."""

import pytest

from app.approvals.requested_fields import complete_required
from app.domain.action import action
from app.domain.directive import Directive
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Plan, PlanStep, Proposal
from app.domain.reasoner import Background, GivenAnswer, Situation

FORM = "dialog: New patient > form: New patient"
DEMANDED = frozenset({"required"})


def n(i, role, name, value="", states=DEMANDED, group=FORM, **more):
    return Node(id=str(i), role=role, name=name, value=value, states=states, group=group, **more)


NAME, PHONE = n(1, "inp", "Name"), n(2, "inp", "Phone", input_type="tel")
SAVE = n(9, "btn", "Save", states=frozenset(), input_type="submit")
PRESS = Proposal(action=action("click", "9"), description="Press the 'Save' button")


def at(*nodes, answers=(), verb="submit"):
    step = PlanStep(id="1", description="Save", directive=Directive(verb=verb, value="create"))
    page = Observation(url="https://clinic.example/", tree=Tree.of((*nodes, SAVE)))
    known = Background(answers=tuple(answers))
    return Situation(goal="Add a patient", page=page, plan=Plan(steps=(step,)), background=known)


def press(*before, maker="rules"):
    return Decision(outcome="act", maker=maker, proposals=(*before, PRESS), confidence=0.9)


def texts(found):
    return [one.action.text for one in found.proposals]


def told(*fields, text="", left=(), **given):
    return GivenAnswer(
        question="What is it?", text=text, fields=fields, values=given, left_empty=left
    )


def test_what_a_form_demands_is_asked_for_and_nothing_is_done():
    found = complete_required(press(), at(NAME, PHONE))
    assert (found.outcome, found.proposals) == ("ask", ())
    assert found.question.fields == ("Name", "Phone")
    assert found.question.return_to == "step_refinement/continue"


@pytest.mark.parametrize(
    "node",
    [
        n(1, "inp", "Name", states=frozenset()),
        n(1, "inp", "Name", value="Jas"),
        n(1, "inp", "Name", states=frozenset({"required", "disabled"})),
        n(1, "inp", "Name", states=frozenset({"required", "readonly"})),
        n(1, "inp", "Name", occluded=True),
        n(1, "inp", "Name", group="form: Search"),
        n(1, "sel", "Ward", value="A", options=("A", "B")),
        n(1, "chk", "I agree", states=frozenset({"required", "checked"})),
        n(1, "inp", ""),
    ],
)
def test_what_is_not_asked_for(node):
    assert complete_required(press(), at(node)) == press()


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (
            n(1, "sel", "Ward", value="Choose…", options=("Choose…", "A", "B")),
            "What is the Ward: 'A', 'B'?",
        ),
        (n(1, "sel", "Ward", value="---", options=("---", "A")), "What is the Ward: 'A'?"),
        (n(1, "sel", "Ward", value="", options=("A", "B")), "What is the Ward: 'A', 'B'?"),
        (n(1, "chk", "I agree to the terms"), "Should 'I agree to the terms' be checked?"),
        (n(1, "inp", "Your name *"), "What is Your name?"),
    ],
)
def test_how_it_is_asked(node, text):
    assert complete_required(press(), at(node)).question.text == text


def test_what_the_person_names_is_pressed_as_it_is():
    assert complete_required(press(), at(NAME, verb="click")) == press()


def test_what_the_chain_fills_is_not_asked_for():
    fills = Proposal(action=action("setValue", "1", "Jas"), description="Enter it")
    assert complete_required(press(fills), at(NAME)) == press(fills)


def test_an_answer_is_entered_before_the_form_is_handed_in():
    situation = at(NAME, PHONE, answers=(told("Name", "Phone", Name="Jas", Phone="050 1"),))
    found = complete_required(press(), situation)
    assert texts(found) == ['setValue("1", "Jas")', 'setValue("2", "050 1")', 'click("9")']


def test_a_half_answer_asks_for_the_rest_and_keeps_what_was_given():
    half = (told("Name", "Phone", Name="Jas"),)
    rest = complete_required(press(), at(NAME, PHONE, answers=half))
    assert (rest.outcome, rest.question.fields) == ("ask", ("Phone",))
    whole = complete_required(
        press(), at(NAME, PHONE, answers=(*half, told("Phone", Phone="050 1")))
    )
    assert texts(whole) == ['setValue("1", "Jas")', 'setValue("2", "050 1")', 'click("9")']


def test_what_a_model_leaves_empty_is_handed_in_as_it_chose():
    chosen = press(maker="model")
    assert complete_required(chosen, at(NAME, PHONE)) == chosen


def test_what_a_list_does_not_offer_is_no_answer():
    ward = n(1, "sel", "Ward", options=("North", "South"))
    asked = complete_required(press(), at(ward, answers=(told("Ward", Ward="West"),)))
    assert asked.question.fields == ("Ward",)


def test_nobody_knows_and_it_ends():
    ended = complete_required(press(), at(NAME, answers=(told("Name", text="dunno"),)))
    assert (ended.outcome, ended.question) == ("missing", None)
    assert "'Name' must be filled in" in ended.reason


def test_what_is_to_stay_empty_is_not_asked_for_again():
    situation = at(NAME, answers=(told("Name", left=("Name",)),))
    assert complete_required(press(), situation) == press()
