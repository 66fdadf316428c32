"""Copying from field to field, and from what the page shows into a field."""

from app.domain.page import Node
from app.reasoners.rules.parse import parse
from tests.unit.rules.pages import Page, node, run


def said(goal: str, *nodes: Node, summary: str = "") -> list[str]:
    return run(Page(list(nodes), summary=summary), *parse(goal).directives).calls


BILLING = node("b", "inp", "Billing address", value="5 Hill Road")
NOTES = node("n", "inp", "Notes", value="Ring twice", input_type="textarea")
EMPTY = node("e", "inp", "Delivery address", value="")
KEYS = ['pressKey("Control+A")', 'pressKey("Control+C")']


def test_what_one_field_holds_goes_into_another() -> None:
    calls = said("Copy the billing address into the delivery address", BILLING, NOTES, EMPTY)
    assert calls == ['click("b")', *KEYS, 'click("e")', 'pressKey("Control+V")']


def test_copy_and_paste_may_be_two_clauses() -> None:
    calls = said(
        "Copy the text in the notes, then paste it into the text box", BILLING, NOTES, EMPTY
    )
    assert calls == ['click("n")', *KEYS, 'click("e")', 'pressKey("Control+V")']


def test_what_a_field_held_before_is_replaced() -> None:
    calls = said("Copy the billing address into the notes", BILLING, NOTES)
    assert calls[-2:] == ['pressKey("Control+A")', 'pressKey("Control+V")']


def test_what_only_the_page_shows_is_typed() -> None:
    box = node("t", "inp", "Tracking code", value="")
    calls = said(
        "Copy the order number and paste it into the tracking code field",
        box,
        summary="Your order\nOrder number: A-77",
    )
    assert calls == ['setValue("t", "A-77")']


def test_copying_a_thing_is_no_typing() -> None:
    page = Page([node("d", "row", "Standup"), node("f", "row", "Friday"), BILLING])
    assert not run(page, *parse("Copy the event to Friday").directives).calls
