"""What an action does, by its control, by its place, by what is asked, and by its address."""

import pytest

from app.authorization.assessment import assess_effect, question_effect
from app.domain.access import EFFECTS
from app.domain.action import action
from app.domain.page import Node, Observation, Tree

ASKED = "Delete patient\nAre you sure? This cannot be undone.\nContinue\nCancel"


def node(role, name="", group="", number="1", **more):
    return Node(id=number, role=role, name=name, group=group, **more)


def page(*nodes, **more):
    return Observation(**{"url": "https://a.example/", **more}, tree=Tree.of(nodes))


def press(button, *others, **more):
    return assess_effect(action("click", button.id), button, page(button, *others, **more))


def test_a_button_does_what_it_says():
    assert press(node("btn", "Delete Jas", "list: Patients > row: Jas")) == "deletes"


def test_a_plain_yes_does_what_its_dialog_asks():
    assert press(node("btn", "Continue", "dialog: Delete patient"), summary=ASKED) == "deletes"
    assert press(node("btn", "Cancel", "dialog: Delete patient"), summary=ASKED) == "reads"


def test_a_form_is_saved_by_its_submit_button():
    field = node("inp", "Name", "form: Patient", "2")
    assert press(node("btn", "Save", "form: Patient", input_type="submit"), field) == "saves"


def test_enter_presses_the_button_of_its_form():
    field = node("inp", "Message", "form: Chat", states=frozenset({"focused"}))
    button = node("btn", "Send message", "form: Chat", "2", input_type="submit")
    other = node("btn", "Delete", "form: Other", "3")

    assert assess_effect(action("pressKey", "Enter"), None, page(field, button, other)) == "sends"
    assert assess_effect(action("pressKey", "Tab"), None, page(field, button)) == "reads"


def test_the_delete_key_takes_away_what_has_the_focus():
    held = node("row", "Jas", "list: Patients", states=frozenset({"focused"}))
    field = node("inp", "Name", "form", states=frozenset({"focused"}))

    assert assess_effect(action("pressKey", "Delete"), None, page(held)) == "deletes"
    assert assess_effect(action("pressKey", "Delete"), None, page(field)) == "reads"


def test_a_point_presses_what_lies_under_it():
    row = node("row", "Jas", box=(0, 0, 500, 40))
    button = node("btn", "Delete", "row: Jas", "2", box=(400, 10, 60, 20))
    look = page(row, button)

    assert assess_effect(action("clickAt", 430, 20), None, look) == "deletes"
    assert assess_effect(action("clickAt", 30, 20), None, look) == "reads"
    by_centre = node("btn", "Delete", "row: Jas", center=(430, 20))
    assert assess_effect(action("clickAt", 434, 18), None, page(by_centre)) == "deletes"


def test_what_is_dragged_onto_a_bin_is_deleted():
    card, lane = node("btn", "Card", "item"), node("row", "Delete", "list", "3")
    bin_ = node("btn", "Delete", "toolbar", "2")

    assert assess_effect(action("dragTo", "1", "2"), card, page(card, bin_, lane)) == "deletes"
    assert assess_effect(action("dragTo", "1", "3"), card, page(card, bin_, lane)) == "saves"


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/users/3/delete",
        "https://a.example/delete/all",
        "https://a.example/?action=delete&id=3",
        "https://a.example/%64elete",
    ],
)
def test_going_to_an_address_may_delete(url):
    assert assess_effect(action("navigate", url), None, page()) == "deletes"


@pytest.mark.parametrize(
    "url", ["https://a.example/orders", "https://a.example/users/3", "https://[broken", ""]
)
def test_going_to_an_address_mostly_reads(url):
    assert assess_effect(action("navigate", url), None, page()) == "reads"


@pytest.mark.parametrize("name", ["", "'", '"', "()", "?!", "\u200f", "1 2 3", "a" * 5_000])
def test_any_name_is_read(name):
    assert press(node("btn", name, "form: " + name), summary=name) in EFFECTS


def test_what_only_enters_or_looks_does_little():
    field = node("inp", "Delete after", "form: Retention")
    assert assess_effect(action("setValue", "1", "30"), field, page(field)) == "fills"
    for call in (("hover", "1"), ("wait", 100), ("scroll", "1", "down")):
        assert assess_effect(action(*call), field, page(field)) == "reads"


def test_the_browsers_question_says_what_a_yes_does():
    assert question_effect("Delete Jas Patel for good?") == "deletes"
    assert question_effect("Leave the page without saving?") == "reads"


def test_what_is_dropped_at_a_point_is_judged_by_what_is_there():
    box = (100.0, 100.0, 50.0, 50.0)
    card, bin_ = (
        Node(id="1", role="el", name="Card"),
        Node(id="2", role="btn", name="Delete", box=box),
    )
    there, beside = action("dragTo", "1", 120, 120), action("dragTo", "1", 20, 20)
    assert assess_effect(there, card, page(card, bin_)) == "deletes"
    assert assess_effect(beside, card, page(card, bin_)) == "saves"
