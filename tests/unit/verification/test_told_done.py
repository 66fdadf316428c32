"""What bears out that a task is done, where no message says so in so many words."""

import pytest

from app.domain.action import ClientReport, action
from app.domain.directive import Directive, Target
from app.verification import verify
from tests.unit.verification.looks import (
    CLICK_SAVE,
    SET_NAME,
    alter,
    chain,
    form,
    having,
    judge,
    n,
    page,
    toast,
    without,
)

FILLED = form("Jas Patel")
CARDS = page(
    n("1", "link", "Ann Lee", group="list: Open > item: Ann Lee"),
    n("2", "btn", "Bin Ann Lee", group="list: Open > item: Ann Lee"),
    n("3", "link", "Bo Chen", group="list: Open > item: Bo Chen"),
    n("4", "btn", "Bin Bo Chen", group="list: Open > item: Bo Chen"),
)
BIN = Directive(verb="delete", target=Target(phrase="card", within="Bo Chen"))


def binned(after):
    sent = chain(action("click", "4"))
    return verify(CARDS, after, sent, ClientReport(), last_step=True, completes_step=True, step=BIN)


def test_a_submit_that_is_confirmed_is_as_sure_as_its_message_though_its_fields_are_gone():
    listed = page(n("1", "link", "Patients"), toast("Patient created"), summary="Jas Patel")
    alone = judge(FILLED, listed, CLICK_SAVE)
    filled_too = judge(form(), listed, SET_NAME, CLICK_SAVE)
    assert filled_too.task_completed
    assert filled_too.confidence == alone.confidence


@pytest.mark.parametrize(
    ("was", "now"), [("👍 0", "👍 1"), ("Hold Ann Lee", "Free Ann Lee"), ("Follow", "Following")]
)
def test_a_control_that_is_called_by_its_new_state_has_done_what_it_is_for(was, now):
    before, after = (page(n("1", "btn", name), n("2", "link", "Help")) for name in (was, now))
    assert judge(before, after, action("click", "1")).task_completed


def test_a_control_that_is_called_something_else_altogether_completes_nothing():
    before, after = (page(n("1", "btn", name)) for name in ("Claim permit", "Taken by another"))
    assert not judge(before, after, action("click", "1")).task_completed


def test_a_submit_button_that_says_what_it_did_confirms_it():
    assert judge(FILLED, alter(FILLED, "14", name="Saved"), CLICK_SAVE).task_completed
    assert not judge(FILLED, alter(FILLED, "14", name="Save now"), CLICK_SAVE).task_completed


def test_a_record_that_left_its_list_is_deleted_whatever_the_button_is_called():
    assert binned(without(CARDS, "3", "4")).confidence >= 0.9


def test_a_page_that_was_swapped_for_another_does_not_show_that_a_record_is_deleted():
    other = page(n("9", "link", "Back"), summary="A card in use stays.")
    assert not binned(other).task_completed


def test_the_words_of_a_page_that_names_the_record_count_before_the_name_alone():
    said = "Your room is reserved, Jas Patel."
    thanks = page(
        n("1", "link", "Start"), title="Thank you", summary=f"Thank you\n# Thank you\n{said}"
    )
    assert judge(FILLED, thanks, CLICK_SAVE).task_completed
    beside = having(FILLED, n("95", "txt", said), summary=said)
    assert not judge(FILLED, beside, CLICK_SAVE).task_completed


def test_what_is_only_to_happen_yet_is_not_done_though_the_page_styles_it_as_a_success():
    later, before = "Ticket 7 will be closed tonight", page(n("1", "btn", "Close"))
    after = having(before, toast(later), successes=(later,))
    assert judge(before, after, action("click", "1")).succeeded is None
    done = having(before, toast("Ticket 7 was closed"), successes=("Ticket 7 was closed",))
    assert judge(before, done, action("click", "1")).task_completed
