"""What is said after "save" or "send" is what is handed in; a link of its name only leads to it."""

import pytest

from app.domain.page import Node
from app.reasoners.commands import parse
from tests.unit.reasoners.commands.pages import Page, Run, node, run


def told(page: Page, goal: str) -> Run:
    return run(page, *parse(goal).directives, goal=goal)


def form(save: str, *ways: str, group: str = "form: Preferences") -> list[Node]:
    nav = [node(f"to {way}", "link", way, group="nav: Main") for way in ways]
    return [*nav, node("city", "inp", "City", group=group), node("save", "btn", save, group=group)]


@pytest.mark.parametrize(
    ("save", "way", "said"),
    [
        ("Save settings", "Settings", "save the settings"),
        ("Save", "Settings", "save the settings"),
        ("Save changes", "Profile", "save my profile"),
        ("Send", "Message", "send the message"),
        ("Place order", "Order", "submit the order"),
        ("Save settings", "Settings", "save"),
        ("Save and close", "Close", "save"),
        ("Apply filters", "Filters", "apply the filters"),
    ],
)
def test_the_forms_own_button_is_pressed(save: str, way: str, said: str) -> None:
    done = told(Page(form(save, way)), f"Enter Leeds as the city and {said}")
    assert done.calls == ['setValue("city", "Leeds")', 'click("save")']


def test_a_dialogs_button_is_pressed_and_not_the_page_behind() -> None:
    page = Page(form("Send", "Message", group="dialog: New message"))
    done = told(page, "Enter Leeds as the city, then send the message")
    assert done.calls[-1] == 'click("save")'


def test_a_button_called_as_was_said_needs_nothing_filled_in() -> None:
    page = Page(form("Save settings", "Settings"))
    assert told(page, "Save the settings").calls == ['click("save")']


def test_what_is_not_here_is_not_saved_by_the_button_of_another_thing() -> None:
    page = Page(form("Save settings", "Message"))
    assert told(page, "Save the message").calls == []


def test_to_open_them_is_still_to_go_there() -> None:
    page = Page(form("Save settings", "Settings"))
    assert told(page, "Open the settings").calls == ['click("to Settings")']


def test_a_link_that_hands_in_is_pressed() -> None:
    nodes = [node("city", "inp", "City"), node("go", "link", "Submit order")]
    done = told(Page(nodes), "Enter Leeds as the city and submit the order")
    assert done.calls[-1] == 'click("go")'


@pytest.mark.parametrize("other", ["Delete", "Show more", "Reset", "Log out", "Help"])
def test_words_that_do_something_else_still_hand_in_nothing(other: str) -> None:
    done = told(Page(form(other)), "Enter Leeds as the city and save")
    assert 'click("save")' not in done.calls
