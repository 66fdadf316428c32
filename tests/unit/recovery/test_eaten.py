"""A click whose only effect is a dialog that has nothing to do with it was not done."""

import pytest

from app.domain.action import PlannedAction, action
from app.domain.plan import Chain, Deed
from app.domain.verdict import ExpectedOutcome, Verdict
from app.engines.recovery.eaten import CAME_INSTEAD, unless_eaten
from tests.unit.verification.looks import form, having, n, page, toast, without

OPEN = n("7", "btn", "Add contact")
LIST = page(OPEN, n("8", "link", "Bob Tanner"))
TOUR = "dialog: New here?"
GOT_IT = n("20", "btn", "Got it", "modal", group=TOUR)
TOURED = having(LIST, GOT_IT)
WORKED = Verdict(succeeded=True, confidence=0.95, tier=1, reason="A dialog opened: New here?")


def judged(after, *, before=LIST, act="7", found=WORKED, completes=False, deeds=(), purpose="work"):
    planned = PlannedAction(action_id="a", action=action("click", act), description="Open it")
    chain = Chain(
        actions=(planned,),
        expected=ExpectedOutcome(),
        completes_step=completes,
        purpose=purpose,
    )
    return unless_eaten(found, chain, deeds, before, after)


def test_a_tour_that_came_instead_is_no_success():
    told = judged(TOURED)
    assert told.succeeded is False
    assert told.reason == f"{CAME_INSTEAD}: New here?"


NAMESAKE = having(LIST, n("20", "btn", "Close", "modal", group="dialog: Add contact"))
FILLABLE = having(TOURED, n("21", "inp", "Name", "modal", group=TOUR))
ANSWERED = having(TOURED, toast("Contact added"))
MORE_TO_DO = having(TOURED, n("21", "btn", "Continue", "modal", group=TOUR))


@pytest.mark.parametrize(
    "after",
    [LIST, NAMESAKE, FILLABLE, ANSWERED, MORE_TO_DO],
    ids=["no dialog", "its own words", "a field", "an answer", "more than closing"],
)
def test_what_may_be_the_click_s_own_effect_stays_one(after):
    assert judged(after).succeeded


def test_a_button_that_says_no_more_than_new_may_have_opened_it():
    bare = page(n("7", "btn", "New"), n("8", "link", "Bob Tanner"))
    assert judged(having(bare, GOT_IT), before=bare).succeeded


def test_what_the_click_does_each_time_is_what_it_does():
    before = Deed(action=action("click", "7"), status="failure", note=f"{CAME_INSTEAD}: New here?")
    assert judged(TOURED, deeds=(before,)).succeeded


def test_a_step_that_ends_with_it_and_foresees_nothing_else_is_believed():
    assert judged(TOURED, completes=True).succeeded


def test_a_look_and_a_form_that_was_handed_in_are_left_alone():
    assert judged(TOURED, purpose="explore").succeeded
    asked = form("Jas")
    assert judged(having(asked, GOT_IT), before=asked, act="14").succeeded
    gone = without(TOURED, "8")
    assert judged(gone, found=WORKED.model_copy(update={"succeeded": None})).succeeded is None
