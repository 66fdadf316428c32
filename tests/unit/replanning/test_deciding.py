"""What becomes of a plan on a page that is another, by rules."""

from dataclasses import replace

import pytest

from app.domain.verdict import ExpectedOutcome, NextGoal
from app.engines.replanning.recast import redoing
from tests.unit.replanning.stages import (
    FORM,
    HOME,
    LIST,
    LISTED,
    LOGIN,
    NAV,
    NEW,
    SIGN_IN,
    deed,
    dialog,
    held,
    lines,
    page,
    planned,
)  # fmt: skip

FILLS = "Open Patients, open New patient, enter 'Jas' in Name and click Save"
ADDS = "Add a new patient with name 'Jas'"
CLICKS = "Click Home, then click New patient"
OPENED = deed("click", "10", "btn", "New patient")
IN_FORM = {"step": 1, "group": "form: New patient", "on": "/patients/new"}
FILLED = deed("setValue", "20", "inp", "Name", **IN_FORM)
SAVED = deed("click", "22", "btn", "Save", **IN_FORM)
ACCOUNT = [
    replace(node, group="form: New user", name=name)
    for node, name in zip(SIGN_IN, ("Email", "Password", "Create"), strict=True)
]


async def test_the_plan_goes_on_where_its_next_step_can_be_done():
    plan = planned(FILLS, done=1)
    found = await held(FILLS, HOME, LIST, plan=plan)
    assert (found.found.decision, found.plan, found.outcome) == ("continue", plan, None)


async def test_what_was_expected_is_no_reason_to_look_closer():
    there = NextGoal(description="New patient", text="New patient")
    plan = planned(FILLS, done=1)
    found = await held(FILLS, HOME, LIST, plan=plan, expected=ExpectedOutcome(next_goal=there))
    assert found.found.decision == "continue"


async def test_a_step_that_needs_nothing_of_the_page_is_taken_from_any():
    goal = "Click Home, then go to https://office.example/patients"
    found = await held(goal, LIST, HOME, plan=planned(goal, done=1))
    assert found.found.decision == "continue"


async def test_after_the_last_step_nothing_is_planned():
    found = await held(CLICKS, LIST, HOME, plan=planned(CLICKS, done=2))
    assert found.found.decision == "continue"


async def test_steps_that_lead_to_where_the_page_is_already_are_left_out():
    found = await held(FILLS, HOME, NEW, plan=planned(FILLS, done=1))
    assert found.found.decision == "modify"
    assert "New patient" in found.found.reason
    assert [status for _, status in lines(found.plan)] == [
        "completed", "skipped", "current", "pending",
    ]  # fmt: skip


async def test_a_control_that_merely_fits_is_no_reason_to_leave_a_step_out():
    goal = "Open Patients, open Ann Lee and enter '5' in Phone"
    search = page(*NAV, FORM[1], path="/patients", title="Patients")
    found = await held(goal, HOME, search, plan=planned(goal, done=1))
    assert [status for _, status in lines(found.plan)] == ["completed", "current", "pending"]


async def test_a_dialog_that_came_by_itself_is_closed_first():
    clicked = deed("click", "1", "link", "Home")
    plan = planned(CLICKS, done=1)
    found = await held(CLICKS, LIST, dialog("No thanks"), plan=plan, deeds=(clicked,))
    assert found.found.decision == "modify"
    assert [text for text, _ in lines(found.plan)] == [
        "Click 'Home'", "click 'No thanks'", "Click 'New patient'",
    ]  # fmt: skip
    assert found.plan.step.status == "current"
    assert found.deeds == (clicked,)


@pytest.mark.parametrize(
    "names", [("Delete", "Cancel"), ("Save", "Cancel"), ("Subscribe", "Learn more")]
)
async def test_a_dialog_that_asks_something_is_not_closed(names):
    found = await held(CLICKS, LIST, dialog(*names), plan=planned(CLICKS, done=1))
    assert found.plan == planned(CLICKS, done=1)


async def test_a_dialog_the_next_step_works_in_stays():
    goal = "Click New patient, then enter 'Jas' in Name"
    inside = [replace(node, group="dialog: New patient") for node in FORM]
    form = page(*NAV, *inside, path="/patients")
    found = await held(goal, LIST, form, plan=planned(goal, done=1))
    assert found.found.decision == "continue"


async def test_a_form_that_is_gone_is_opened_and_filled_once_more():
    found = await held(ADDS, NEW, LIST, plan=planned(ADDS, done=2), deeds=(OPENED, FILLED))
    assert found.found.decision == "regenerate"
    assert [status for _, status in lines(found.plan)] == [
        "completed", "completed", "current", "pending", "pending",
    ]  # fmt: skip
    assert found.plan.steps[2].directive == found.plan.steps[0].directive
    assert len({step.id for step in found.plan.steps}) == 5
    assert found.deeds == (OPENED, FILLED)


async def test_a_step_that_led_astray_is_taken_again_from_where_it_led():
    found = await held(ADDS, LIST, HOME, plan=planned(ADDS, done=1), deeds=(OPENED,))
    assert found.found.decision == "regenerate"
    assert found.plan.step.directive.verb == "create"


async def test_what_was_handed_in_is_not_handed_in_again():
    goal = f"{ADDS} and enter '5' in Phone"
    sent = SAVED.model_copy(update={"step": 2})
    plan = planned(ADDS, done=2)
    found = await held(goal, NEW, HOME, plan=plan, deeds=(OPENED, FILLED, sent))
    assert (found.found.decision, found.plan) == ("continue", plan)


async def test_what_was_done_on_this_very_page_is_not_done_again():
    here = OPENED.model_copy(update={"url": HOME.url})
    plan = planned(ADDS, done=1)
    found = await held(ADDS, LIST, HOME, plan=plan, deeds=(here,))
    assert (found.found.decision, found.plan) == ("continue", plan)


async def test_a_click_is_not_done_again():
    goal = "Click New patient, then enter 'Jas' in Name"
    plan = planned(goal, done=1)
    found = await held(goal, LIST, HOME, plan=plan, deeds=(OPENED,))
    assert found.plan == plan


def test_deeds_of_a_step_that_was_begun_count_to_no_step_afterwards():
    made, freed = redoing(planned(ADDS, done=1), (OPENED, FILLED), 0)
    assert [one.step for one in freed] == [0, -1]
    assert made.current == 1


async def test_nothing_is_planned_around_a_sign_in():
    found = await held(CLICKS, LIST, LOGIN, plan=planned(CLICKS, done=1))
    assert found.outcome.status == "failed"
    assert "asks to sign in" in found.outcome.message
    assert "Click 'New patient'" in found.outcome.message
    assert found.outcome.hand_over


@pytest.mark.parametrize(
    ("goal", "before", "now"),
    [
        ("Click Home, then log in as 'ann' with password 'x'", HOME, LOGIN),
        ("Click Home, then click Sign in", HOME, LOGIN),
        (CLICKS, LOGIN, LOGIN),
        (CLICKS, HOME, page(*NAV, *SIGN_IN, *LISTED, path="/patients")),
        (CLICKS, HOME, page(*NAV, *ACCOUNT, path="/users/new", title="New user")),
    ],
    ids=["asked for", "pressed", "there before", "beside the work", "a form of another kind"],
)
async def test_a_password_field_alone_is_no_end(goal, before, now):
    found = await held(goal, before, now, plan=planned(goal, done=1))
    assert found.outcome is None


async def test_where_a_model_is_there_the_plan_is_left_to_it():
    plan = planned(ADDS, done=2)
    found = await held(ADDS, NEW, LIST, plan=plan, deeds=(OPENED, FILLED), modelled=True)
    assert (found.found.decision, found.plan) == ("continue", plan)


async def test_a_recipe_is_not_planned_anew():
    plan = planned(ADDS, done=2).model_copy(update={"maker": "recipe"})
    found = await held(ADDS, NEW, LIST, plan=plan, deeds=(OPENED, FILLED))
    assert (found.found.decision, found.plan) == ("continue", plan)
