"""What helped before, right after the same failure."""

from dataclasses import replace

import pytest

from app.domain.action import action
from app.domain.directive import Instruction, Target
from app.domain.page import Node
from app.reasoners.rules import RuleReasoner
from app.skills.lessons import ALTERNATIVE, DISMISS, FILL, WAIT, propose_remedy
from tests.unit.skills.lessons.world import (
    GOAL,
    HOME,
    PATIENT,
    SEARCH,
    page,
    record,
    sent,
    skill,
    standing,
)

FAILED = record(action("click", "2"), PATIENT, "failure", error="ELEMENT_NOT_INTERACTABLE")
WAITS = skill(WAIT, helped=PATIENT, by=action("wait", 1000))
SAVE = Node(id="22", role="btn", name="Save", group="form: New patient")


def test_the_skill_for_this_failure_is_the_correction():
    made = propose_remedy(standing(skill(), records=(FAILED,)), FAILED)
    assert made is not None
    assert (made.outcome, made.source, made.strategy) == ("act", "skill", ALTERNATIVE)
    assert sent(made) == ['click("10")']
    assert [(one.purpose, one.skill) for one in made.proposals] == [("correct", ALTERNATIVE)]
    assert made.completes_step


def test_the_failed_action_is_taken_again_where_the_control_is_now():
    moved = page(HOME, replace(PATIENT, id="102"))
    made = propose_remedy(standing(WAITS, seen=moved, records=(FAILED,)), FAILED)
    assert made is not None
    assert sent(made) == ["wait(1000)", 'click("102")']


def test_the_skill_of_the_same_error_comes_first():
    same = WAITS.failed_state.model_copy(update={"error_type": "ELEMENT_NOT_INTERACTABLE"})
    known = (skill(), WAITS.model_copy(update={"failed_state": same}))
    made = propose_remedy(standing(*known, records=(FAILED,)), FAILED)
    assert made is not None
    assert made.strategy == WAIT


def test_nothing_is_tried_twice_in_a_step():
    done = record(action("click", "10"), SEARCH, "failure", purpose="correct")
    assert propose_remedy(standing(skill(), records=(FAILED, done)), FAILED) is None
    used = FAILED.model_copy(update={"skill": WAIT})
    assert propose_remedy(standing(WAITS, records=(used,)), used) is None


def test_without_a_skill_for_it_there_is_none():
    assert propose_remedy(standing(records=(FAILED,)), FAILED) is None
    assert propose_remedy(standing(skill(failed=HOME), records=(FAILED,)), FAILED) is None
    keyed = record(action("pressKey", "Escape"), None, "failure")
    assert propose_remedy(standing(skill(), records=(keyed,)), keyed) is None


def test_what_may_have_been_handed_in_is_not_pressed_again():
    name = Node(id="20", role="inp", name="Name", group="form: New patient")
    pressed = record(action("click", "22"), SAVE, "unknown")
    known = skill(WAIT, failed=SAVE, helped=SAVE, by=action("wait", 1000))
    situation = standing(known, seen=page(name, SAVE), records=(pressed,))
    assert propose_remedy(situation, pressed) is None


CLOSE = Node(id="70", role="btn", name="Close", group="dialog: News")


def test_what_stands_in_front_is_closed_first_and_the_step_goes_on_after_it():
    closes = skill(DISMISS, helped=CLOSE)
    made = propose_remedy(
        standing(closes, seen=page(HOME, PATIENT, CLOSE), records=(FAILED,)), FAILED
    )
    assert made is not None
    assert (sent(made), made.completes_step) == (['click("70")'], False)
    assert propose_remedy(standing(closes, records=(FAILED,)), FAILED) is None


def test_escape_is_pressed_only_where_something_is_in_front():
    escapes = skill(DISMISS, helped=None, by=action("pressKey", "Escape"))
    assert propose_remedy(standing(escapes, records=(FAILED,)), FAILED) is None
    covered = page(HOME, replace(PATIENT, occluded=True))
    made = propose_remedy(standing(escapes, seen=covered, records=(FAILED,)), FAILED)
    assert made is not None
    assert sent(made) == ['pressKey("Escape")']


@pytest.mark.parametrize(
    "known",
    [
        skill(helped=Node(id="9", role="menu", name="Elsewhere")),  # not on this page
        skill(FILL, helped=SEARCH),  # what belongs there, nobody says
    ],
)
def test_a_skill_that_does_not_fit_is_not_used(known):
    assert propose_remedy(standing(known, records=(FAILED,)), FAILED) is None


def test_what_was_recalled_for_another_site_is_not_used():
    elsewhere = page(url="https://other.example/patients")
    assert propose_remedy(standing(skill(), seen=elsewhere, records=(FAILED,)), FAILED) is None


def test_two_controls_of_that_name_are_none():
    twice = page(HOME, PATIENT, SEARCH, replace(SEARCH, id="11"))
    assert propose_remedy(standing(skill(), seen=twice, records=(FAILED,)), FAILED) is None


@pytest.mark.parametrize("name", ["Delete all patients", "Pay now"])
def test_a_safe_action_never_becomes_a_risky_one(name):
    risky = Node(id="10", role="menu", name=name, group="nav: Main")
    known, seen = skill(helped=risky), page(PATIENT, risky)
    assert propose_remedy(standing(known, seen=seen, records=(FAILED,)), FAILED) is None


def test_a_value_is_never_typed_into_another_field():
    name, note = (Node(id=i, role="inp", name=n) for i, n in (("20", "Name"), ("21", "Note")))
    typed = record(action("setValue", "20", "Jas"), name, "failure")
    known = skill(failed=name, helped=note, by=action("setValue", "21", "x"))
    state = known.failed_state.model_copy(update={"action": 'setValue("20", "x")'})
    known = known.model_copy(update={"failed_state": state})
    assert propose_remedy(standing(known, seen=page(name, note), records=(typed,)), typed) is None


def test_a_plain_click_never_becomes_a_submit():
    name = Node(id="20", role="inp", name="Name", group="form: New patient")
    known, seen = skill(helped=SAVE), page(PATIENT, name, SAVE)
    assert propose_remedy(standing(known, seen=seen, records=(FAILED,)), FAILED) is None


def test_a_skill_that_failed_is_used_no_more_in_the_task():
    earlier = record(
        action("click", "10"), SEARCH, "failure", skill=ALTERNATIVE, purpose="correct", step=-1
    )
    assert propose_remedy(standing(skill(), records=(earlier, FAILED)), FAILED) is None


async def test_what_the_person_forbade_is_not_done():
    told = Instruction(text=GOAL, forbidden=(Target(phrase="New/Search"),))
    situation = standing(skill(), records=(FAILED,), instruction=told)
    situation = replace(situation, plan=situation.plan.model_copy(update={"instruction": told}))
    made = await RuleReasoner().correct(situation, "nothing happened")
    assert made.source != "skill"
