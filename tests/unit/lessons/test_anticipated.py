"""What helped is done before the failure: where it fits, once, and within bounds."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.action import action
from app.domain.directive import Directive, FieldValue, Instruction, Target
from app.domain.page import Node
from app.domain.skill import ElementRef
from app.domain.verdict import ExpectedOutcome
from app.engines.lessons import anticipated, ways
from tests.unit.lessons.world import (
    GOAL,
    HOME,
    PATIENT,
    SEARCH,
    act,
    click,
    deed,
    page,
    sent,
    skill,
    standing,
)

CHOSEN = act(click(PATIENT), expected=ExpectedOutcome(elements=("New",)))
CLOSE = Node(id="70", role="btn", name="Close", group="dialog: News")
FORM = "form: New patient"
SAVE = Node(id="22", role="btn", name="Save", group=FORM)
BIRTHDAY = Node(id="21", role="inp", name="Birthday", group=FORM, value="")
WAITS = skill(ways.WAIT, helped=PATIENT, by=action("wait", 2000))


def test_the_other_control_is_taken_at_once():
    made = anticipated(CHOSEN, standing(skill()))
    assert sent(made) == ['click("10")']
    assert made.proposals[0].skill == ways.ALTERNATIVE
    assert made.proposals[0].description == "Click New/Search"
    assert "did not do it here before" in made.thought
    assert made.expected is None


def test_time_is_given_first():
    made = anticipated(CHOSEN, standing(WAITS))
    assert sent(made) == ["wait(2000)", 'click("2")']
    assert {one.skill for one in made.proposals} == {ways.WAIT}
    assert made.completes_step
    assert made.expected == CHOSEN.expected


def test_what_is_drawn_anew_is_looked_up_after_the_wait():
    made = anticipated(
        CHOSEN, standing(skill(ways.REFIND, helped=PATIENT, by=action("wait", 1000)))
    )
    assert sent(made) == ["wait(1000)"]
    assert not made.completes_step


def test_an_overlay_is_closed_first_while_it_is_there():
    closes = skill(ways.DISMISS, helped=CLOSE)
    made = anticipated(CHOSEN, standing(closes, seen=page(HOME, PATIENT, CLOSE)))
    assert sent(made) == ['click("70")']
    assert not made.completes_step
    assert anticipated(CHOSEN, standing(closes)) == CHOSEN


def test_escape_only_where_something_is_in_front():
    escapes = skill(ways.DISMISS, helped=None, by=action("pressKey", "Escape"))
    assert anticipated(CHOSEN, standing(escapes)) == CHOSEN
    covered = page(HOME, replace(PATIENT, occluded=True))
    assert sent(anticipated(CHOSEN, standing(escapes, seen=covered))) == ['pressKey("Escape")']


def test_at_its_centre_and_by_key():
    centre = skill(ways.AT_CENTRE, helped=PATIENT, by=action("clickAt", 1, 1))
    assert sent(anticipated(CHOSEN, standing(centre))) == ["clickAt(60, 20)"]
    key = skill(ways.KEYBOARD, helped=PATIENT, by=action("pressKey", "Enter"))
    assert anticipated(CHOSEN, standing(key)) == CHOSEN  # a key goes where the focus is
    focused = page(replace(PATIENT, states=frozenset({"focused"})))
    assert sent(anticipated(CHOSEN, standing(key, seen=focused))) == ['pressKey("Enter")']


def test_a_control_out_of_sight_is_scrolled_to():
    scrolls = skill(ways.SCROLL, helped=PATIENT, by=action("scroll", "page", "down"))
    assert anticipated(CHOSEN, standing(scrolls)) == CHOSEN
    below = page(replace(PATIENT, center=(60.0, 2400.0)))
    made = anticipated(CHOSEN, standing(scrolls, seen=below))
    assert sent(made) == ['scroll("page", "down")', 'click("2")']


def test_what_was_missing_is_filled_in_with_what_the_person_said():
    fills = skill(ways.FILL, failed=SAVE, helped=BIRTHDAY, by=action("setValue", "9", "x"))
    saves = act(click(SAVE))
    form = page(BIRTHDAY, SAVE)
    assert anticipated(saves, standing(fills, seen=form)) == saves  # nobody said what
    fields = (FieldValue(field="birthday", value="12 May 1990"),)
    told = Instruction(text=GOAL, directives=(Directive(verb="create", fields=fields),))
    made = anticipated(saves, standing(fills, seen=form, instruction=told))
    assert sent(made) == ['setValue("21", "12 May 1990")', 'click("22")']
    held = page(replace(BIRTHDAY, value="1 June"), SAVE)
    assert anticipated(saves, standing(fills, seen=held, instruction=told)) == saves


def test_with_nothing_recalled_nothing_changes():
    assert anticipated(CHOSEN, standing()) is CHOSEN


@pytest.mark.parametrize(
    "known",
    [
        skill(failed=HOME),  # about another control
        skill(domain="other.example"),
        skill(success_count=1, failure_count=2),
        skill(helped=Node(id="9", role="menu", name="Elsewhere")),  # not on this page
    ],
)
def test_a_skill_that_does_not_fit_is_not_used(known):
    assert anticipated(CHOSEN, standing(known)) == CHOSEN


def test_what_was_recalled_for_another_site_is_not_used():
    elsewhere = page(url="https://other.example/patients")
    assert anticipated(CHOSEN, standing(skill(), seen=elsewhere)) == CHOSEN


def test_two_controls_of_that_name_are_none():
    twice = page(HOME, PATIENT, SEARCH, replace(SEARCH, id="11"))
    assert anticipated(CHOSEN, standing(skill(), seen=twice)) == CHOSEN


@pytest.mark.parametrize("name", ["Delete all patients", "Pay now"])
def test_a_safe_action_never_becomes_a_risky_one(name):
    risky = Node(id="10", role="menu", name=name, group="nav: Main")
    made = anticipated(CHOSEN, standing(skill(helped=risky), seen=page(PATIENT, risky)))
    assert made == CHOSEN


def test_a_plain_click_never_becomes_a_submit():
    name = Node(id="20", role="inp", name="Name", group=FORM)
    made = anticipated(CHOSEN, standing(skill(helped=SAVE), seen=page(PATIENT, name, SAVE)))
    assert made == CHOSEN


def test_what_the_person_forbade_is_not_done():
    told = Instruction(text=GOAL, forbidden=(Target(phrase="New/Search"),))
    assert anticipated(CHOSEN, standing(skill(), instruction=told)) == CHOSEN


def test_each_is_used_once_in_a_step_and_no_more_in_the_task_when_it_failed():
    used = deed(action("click", "10"), SEARCH, skill=ways.ALTERNATIVE)
    assert anticipated(CHOSEN, standing(skill(), deeds=(used,))) == CHOSEN
    earlier = used.model_copy(update={"step": -1, "status": "failure"})
    assert anticipated(CHOSEN, standing(skill(), deeds=(earlier,))) == CHOSEN


def test_a_correction_is_left_as_it_is():
    correction = act(click(PATIENT, purpose="correct"))
    assert anticipated(correction, standing(WAITS)) == correction


def test_nothing_is_changed_while_it_is_open_whether_something_was_handed_in():
    name = Node(id="20", role="inp", name="Name", group=FORM)
    open_end = deed(action("click", "22"), SAVE, "unknown")
    seen = page(PATIENT, SEARCH, name, SAVE)
    assert anticipated(CHOSEN, standing(skill(), seen=seen, deeds=(open_end,))) == CHOSEN


def test_a_name_that_says_the_same_is_the_same_control():
    named = ElementRef(role="btn", name="Patients", group="nav: Main")
    known = skill()
    failed = known.failed_state.model_copy(update={"element": named})
    made = anticipated(CHOSEN, standing(known.model_copy(update={"failed_state": failed})))
    assert sent(made) == ['click("10")']


def test_an_old_skill_is_used_all_the_same():
    old = skill(last_used=skill().last_used - timedelta(days=80))
    assert sent(anticipated(CHOSEN, standing(old))) == ['click("10")']


def test_the_menu_that_held_it_is_opened_first_while_it_is_closed():
    more = Node(id="60", role="btn", name="More actions", states=frozenset({"collapsed"}))
    opens = skill(ways.OPEN, helped=more, by=action("click", "60"))
    made = anticipated(CHOSEN, standing(opens, seen=page(HOME, PATIENT, more)))
    assert sent(made) == ['click("60")']
    assert not made.completes_step
    is_open = replace(more, states=frozenset({"haspopup", "expanded"}))
    assert anticipated(CHOSEN, standing(opens, seen=page(PATIENT, is_open))) == CHOSEN
    assert anticipated(CHOSEN, standing(opens)) == CHOSEN
