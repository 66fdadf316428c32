"""What helped before, right after the same failure."""

from dataclasses import replace

from app.domain.action import action
from app.domain.page import Node
from app.engines.lessons import remedy, ways
from tests.unit.lessons.world import HOME, PATIENT, SEARCH, deed, page, sent, skill, standing

FAILED = deed(action("click", "2"), PATIENT, "failure", error="ELEMENT_NOT_INTERACTABLE")
WAITS = skill(ways.WAIT, helped=PATIENT, by=action("wait", 1000))
SAVE = Node(id="22", role="btn", name="Save", group="form: New patient")


def test_the_skill_for_this_failure_is_the_correction():
    made = remedy(standing(skill(), deeds=(FAILED,)), FAILED, "nothing happened")
    assert made is not None
    assert (made.outcome, made.source, made.strategy) == ("act", "skill", ways.ALTERNATIVE)
    assert sent(made) == ['click("10")']
    assert [(one.purpose, one.skill) for one in made.proposals] == [("correct", ways.ALTERNATIVE)]
    assert made.completes_step


def test_the_failed_action_is_taken_again_where_the_control_is_now():
    moved = page(HOME, replace(PATIENT, id="102"))
    made = remedy(standing(WAITS, seen=moved, deeds=(FAILED,)), FAILED, "")
    assert made is not None
    assert sent(made) == ["wait(1000)", 'click("102")']


def test_the_skill_of_the_same_error_comes_first():
    same = WAITS.failed_state.model_copy(update={"error_type": "ELEMENT_NOT_INTERACTABLE"})
    known = (skill(), WAITS.model_copy(update={"failed_state": same}))
    made = remedy(standing(*known, deeds=(FAILED,)), FAILED, "")
    assert made is not None
    assert made.strategy == ways.WAIT


def test_nothing_is_tried_twice_in_a_step():
    done = deed(action("click", "10"), SEARCH, "failure", purpose="correct")
    assert remedy(standing(skill(), deeds=(FAILED, done)), FAILED, "") is None
    used = FAILED.model_copy(update={"skill": ways.WAIT})
    assert remedy(standing(WAITS, deeds=(used,)), used, "") is None


def test_without_a_skill_for_it_there_is_none():
    assert remedy(standing(deeds=(FAILED,)), FAILED, "") is None
    assert remedy(standing(skill(failed=HOME), deeds=(FAILED,)), FAILED, "") is None
    keyed = deed(action("pressKey", "Escape"), None, "failure")
    assert remedy(standing(skill(), deeds=(keyed,)), keyed, "") is None


def test_what_may_have_been_handed_in_is_not_pressed_again():
    name = Node(id="20", role="inp", name="Name", group="form: New patient")
    pressed = deed(action("click", "22"), SAVE, "unknown")
    known = skill(ways.WAIT, failed=SAVE, helped=SAVE, by=action("wait", 1000))
    situation = standing(known, seen=page(name, SAVE), deeds=(pressed,))
    assert remedy(situation, pressed, "") is None


def test_a_disappointing_skill_is_no_remedy():
    poor = skill(success_count=1, failure_count=2)
    assert remedy(standing(poor, deeds=(FAILED,)), FAILED, "") is None
