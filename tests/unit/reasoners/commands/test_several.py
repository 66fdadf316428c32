"""All that were asked for and no other: what is to be left alone."""

import pytest

from app.domain.page import Node
from app.reasoners.commands import parse
from tests.unit.reasoners.commands.pages import Page, Run, node, run

NAMES = ("Ann", "Bob", "Cleo", "Dan")


def told(page: Page, goal: str) -> Run:
    read = parse(goal)
    return run(page, *read.directives, goal=goal)


def boxes() -> list[Node]:
    topics = ("News", "Offers", "Events", "Jobs")
    save = node("s", "btn", "Save", group="form: Topics")
    return [*(node(t, "chk", t, group="form: Topics") for t in topics), save]


@pytest.mark.parametrize(
    "goal", ["Click like on 3 posts", "Tick two of them", "Tick all 4 boxes", "Delete 2 posts"]
)
def test_a_number_of_things_is_no_command(goal: str) -> None:
    assert parse(goal).unread is not None


@pytest.mark.parametrize(
    ("goal", "checked"),
    [
        ("Tick all boxes except Jobs", ["News", "Offers", "Events"]),
        ("Tick all boxes except Weather", []),
    ],
)
def test_boxes_are_ticked_as_they_were_counted(goal: str, checked: list[str]) -> None:
    done = told(Page(boxes()), goal)
    assert done.calls == [f'setChecked("{name}", true)' for name in checked]


def test_a_control_that_bears_the_number_is_the_one_meant() -> None:
    guests = node("g", "sel", "Guests", options=("1 adult", "2 adults"), value="1 adult")
    assert told(Page([guests]), "Choose 2 adults").calls == ['selectOption("g", "2 adults")']
    days = [node(f"d{n}", "btn", f"{n} days") for n in (7, 14)]
    assert told(Page(days), "Click '7 days'").calls == ['click("d7")']


def test_a_quality_that_nothing_shows_ticks_no_box() -> None:
    rows = [node(f"c{who}", "chk", "Select", group=f"row: {who}") for who in NAMES]
    assert told(Page(rows), "Select all unread emails").calls == []
    assert len(told(Page(rows), "Select all emails").calls) == len(NAMES)


@pytest.mark.parametrize("value", ["tomorrow", "next Friday", "in two weeks"])
def test_a_day_told_from_today_is_not_typed_as_words(value: str) -> None:
    due = node("d", "inp", "Due date", input_type="date")
    done = told(Page([due]), f"Set the due date to {value}")
    assert done.calls == []
    assert done.last is not None
    assert value in done.last.reason
    note = node("n", "inp", "Note")
    assert told(Page([note]), f"Set the note to {value}").calls == [f'setValue("n", "{value}")']
