"""What an end must show before it stands."""

from dataclasses import replace

import pytest

from app.domain.action import ActionRecord, action
from app.domain.hitl import Approval, UserAction
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision
from app.domain.reasoner import Background, Passage, Situation, WebResult, WebSearch
from app.domain.verdict import Verdict
from app.page.evidence import check_declared_end, is_quoted
from app.page.snapshot import pack

PAGE = Observation(
    url="https://desk.example/orders",
    title="Orders",
    summary="Order 12\nTotal: 1,240.00 EUR",
    tree=Tree.of([Node(id="1", role="chk", name="Shipped", states=frozenset({"checked"}))]),
    successes=("The order was updated",),
)
ACTED = (ActionRecord(action=action("click", "1"), status="success"),)
FAILED = Verdict(succeeded=False, confidence=0.9, reason="Nothing changed")


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("The order was updated", True),
        ("the order was UPDATED.", True),
        ("Total: 1,240.00 EUR", True),
        ("Shipped checked", True),
        ("Open until six", True),
        ("Rome has 2.7 million", True),
        ("The order was deleted", False),
        ("order was updat", False),
        ("", False),
        ("1", False),
    ],
)
def test_a_quote_stands_where_it_is_written(quote, stands):
    result = WebResult(title="Rome", url="https://r.example", text="Rome has 2.7 million people")
    known = Background(
        knowledge=(Passage(text="The desk is open until six.", title="Handbook"),),
        searches=(WebSearch(need="people of Rome", results=(result,)),),
    )
    assert is_quoted(quote, Situation(goal="", page=PAGE, background=known)) is stands


BEFORE = replace(PAGE, summary="Order 12", successes=(), tree=Tree())


def why(quote="", *, page=PAGE, reason="Done.", outputs=None, **more):
    end = Decision(
        outcome="finish", maker="model", quote=quote, reason=reason, outputs=outputs or {}
    )
    return check_declared_end(end, Situation(goal="Ship order 12", page=page, **more))


def test_a_quote_that_is_not_there_is_told_with_the_way_out():
    assert "is neither on the page" in (why("Order 12 has left", records=ACTED) or "")


def test_an_end_without_a_quote_is_none():
    assert "Quote the text" in (why() or "")
    assert "Quote the text" in (why(records=ACTED) or "")


def test_what_a_person_did_themselves_needs_no_quote():
    pressed = UserAction(kind="click", name="Ship")
    assert why(background=Background(acts=(pressed,))) is None


def test_before_anything_was_done_the_quote_has_to_do_with_the_goal():
    assert why("Order 12") is None
    assert "nothing to do with the goal" in (why("Shipped") or "")
    assert why("Shipped checked", reason="It is shipped.") is None


def test_once_something_was_done_the_quote_is_new():
    done = {"records": ACTED, "shown_before": pack(BEFORE)}
    assert why("The order was updated", **done) is None
    assert why("Shipped checked", **done) is None
    assert "was there before" in (why("Order 12", **done) or "")


def test_what_was_saved_is_read_back_where_it_is_opened_again():
    saved = replace(PAGE, summary="Ticket 58.00 EUR")  # also when it was typed, before it was saved
    done = {"records": ACTED, "page": saved, "shown_before": pack(saved)}
    assert why("Ticket 58.00 EUR", **done, before=pack(BEFORE)) is None
    assert "was there before" in (why("Ticket 58.00 EUR", **done, before=pack(saved)) or "")


def test_a_sign_that_became_another_is_new():
    now, before = (replace(PAGE, summary=f"Order 12 {sign} Contoso") for sign in "*!")
    done = {"records": ACTED, "page": now, "shown_before": pack(before)}
    assert why("Order 12 * Contoso", **done) is None
    assert "was there before" in (why("Order 12", **done) or "")


def test_a_value_that_was_asked_for_may_have_stood_there_before():
    done = {"records": ACTED, "shown_before": pack(PAGE)}
    total = {"total": "1,240.00 EUR"}
    assert "was there before" in (why("Total: 1,240.00 EUR", **done) or "")
    assert why("Total: 1,240.00 EUR", outputs=total, **done) is None
    assert why("Order 12", outputs={"total": "1,250.00"}, **done) is not None
    counted = replace(PAGE, summary="3\nOrder 12")
    assert why("Order 12", outputs={"orders": "3"}, page=counted, **done) is None
    assert "on many pages" in (why("3", outputs={"orders": "3"}, page=counted, **done) or "")


def test_what_was_deleted_after_a_yes_is_shown_by_its_absence():
    gone = replace(PAGE, summary="Order 11", successes=())
    yes = Approval(action='click("4")', description="Press 'Delete'", effects=("deletes",))
    worked = Verdict(succeeded=True, confidence=0.9, reason="The row is gone")
    done = {"records": ACTED, "page": gone, "shown_before": pack(BEFORE), "verdict": worked}
    agreed = {"background": Background(approved=(yes,))}
    assert why("Order 12", **done, **agreed) is None
    assert "is neither" in (why("Order 12", **done) or "")
    assert "is neither" in (why("Order 13", **done, **agreed) or "")
    assert "was there before" in (why("Order 12", **(done | {"page": PAGE}), **agreed) or "")


def test_what_the_page_speaks_against_is_not_reached():
    refused = Observation(url="", summary="Order 12", errors=("The address is missing",))
    assert "The address is missing" in (why("Order 12", page=refused, records=ACTED) or "")
    assert "Nothing changed" in (why("Shipped", records=ACTED, verdict=FAILED) or "")
    doubted = Verdict(succeeded=None, doubted=True, reason="Ann Lee is still listed")
    assert "Ann Lee is still listed" in (why("Shipped", records=ACTED, verdict=doubted) or "")


def test_a_text_that_stands_there_more_often_is_new():
    before = pack(replace(PAGE, summary="Paid: 58.00 EUR\nTicket: 49.00 EUR"))
    now = replace(PAGE, summary="Paid: 58.00 EUR\nTicket: 58.00 EUR")
    assert why("58.00 EUR", page=now, shown_before=before, records=ACTED) is None
    again = why("Paid: 58.00 EUR", page=now, shown_before=before, records=ACTED)
    assert "was there before anything was done" in (again or "")


FORM = {"group": "form: Profile"}
ADDRESS = Node(id="1", role="inp", name="Address", value="12 Low Street", **FORM)
SAVE = Node(id="2", role="btn", name="Store", input_type="submit", **FORM)
PROFILE = Observation(url="https://desk.example/profile", tree=Tree.of([ADDRESS, SAVE]))
TYPED = ActionRecord(action=action("setValue", "1", "12 Low Street"), signature=ADDRESS.signature)


@pytest.mark.parametrize("effect", ["saves", "sends", None])
def test_what_was_entered_and_not_saved_is_not_reached(effect):
    done = {"page": PROFILE, "records": (TYPED,), "shown_before": pack(BEFORE), "effect": effect}
    assert "'Store' was not pressed" in (why("12 Low Street", **done) or "")


@pytest.mark.parametrize("effect", ["reads", "fills"])
def test_where_saving_is_no_part_of_the_goal_an_entry_is_enough(effect):
    done = {"page": PROFILE, "records": (TYPED,), "shown_before": pack(BEFORE), "effect": effect}
    assert why("12 Low Street", **done) is None


def test_what_was_pressed_or_saves_itself_is_not_held_to_be_unsaved():
    before = {"shown_before": pack(BEFORE), "effect": "saves"}
    pressed = (TYPED, ActionRecord(action=action("click", "2"), signature=SAVE.signature))
    assert why("12 Low Street", page=PROFILE, records=pressed, **before) is None
    itself = replace(PROFILE, tree=Tree.of([ADDRESS]))
    assert why("12 Low Street", page=itself, records=(TYPED,), **before) is None
