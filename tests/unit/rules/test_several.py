"""As many as were asked for and no other: counts, and what is to be left alone."""

import pytest

from app.domain.page import Node
from app.reasoners.rules.parse import parse
from tests.unit.rules.pages import Page, Run, node, run

NAMES = ("Ann", "Bob", "Cleo", "Dan")


def pressed(name: str, to: str | None = None) -> Page:
    """A list with one such button a line, which is called otherwise once it was pressed."""
    nodes = [node(f"b{who}", "btn", name, group=f"item: {who}") for who in NAMES]

    def turned(node_id: str) -> object:
        return lambda page: page.put(node_id, name=to) if to else None

    return Page(nodes, {("click", n.id): turned(n.id) for n in nodes})


def told(page: Page, goal: str) -> Run:
    read = parse(goal)
    return run(page, *read.directives, goal=goal)


def boxes() -> list[Node]:
    topics = ("News", "Offers", "Events", "Jobs")
    save = node("s", "btn", "Save", group="form: Topics")
    return [*(node(t, "chk", t, group="form: Topics") for t in topics), save]


@pytest.mark.parametrize("to", ["Unlike", None])
def test_a_number_of_lines_is_pressed_each_once(to: str | None) -> None:
    done = told(pressed("Like", to), "Click like on 3 posts")
    assert done.calls == ['click("bAnn")', 'click("bBob")', 'click("bCleo")']
    assert done.plan is not None
    assert done.plan.step is None


def test_the_last_ones_are_those_at_the_end() -> None:
    done = told(pressed("Like", "Unlike"), "Click Like on the last 2 posts")
    assert done.calls == ['click("bCleo")', 'click("bDan")']


def test_fewer_than_were_asked_for_are_left_alone_and_told() -> None:
    done = told(pressed("Like"), "Like 9 posts")
    assert done.calls == []
    assert done.last is not None
    assert "only 4" in done.last.reason


def test_which_of_several_cannot_be_undone_is_for_the_person_to_say() -> None:
    done = told(pressed("Delete"), "Click Delete on 2 posts")
    assert done.calls == []
    assert done.last is not None
    assert done.last.outcome == "missing"


@pytest.mark.parametrize(
    ("goal", "checked"),
    [
        ("Tick all 4 boxes", ["News", "Offers", "Events", "Jobs"]),
        ("Check two of the boxes", ["News", "Offers"]),
        ("Tick all boxes except Jobs", ["News", "Offers", "Events"]),
        ("Tick all 5 boxes", []),
        ("Tick all boxes except Weather", []),
        ("Tick everything but the last one", []),
    ],
)
def test_boxes_are_ticked_as_they_were_counted(goal: str, checked: list[str]) -> None:
    done = told(Page(boxes()), goal)
    assert done.calls == [f'setChecked("{name}", true)' for name in checked]


def test_a_control_that_bears_the_number_is_the_one_meant() -> None:
    guests = node("g", "sel", "Guests", options=("1 adult", "2 adults"), value="1 adult")
    assert told(Page([guests]), "Choose 2 adults").calls == ['selectOption("g", "2 adults")']
    days = [node(f"d{n}", "btn", f"{n} days") for n in (7, 14)]
    assert told(Page(days), "Click 7 days").calls == ['click("d7")']


def test_all_lines_but_one_are_pressed_and_never_that_one() -> None:
    done = told(pressed("Like", "Unlike"), "Like every post except Bob's")
    assert done.calls == ['click("bAnn")', 'click("bCleo")', 'click("bDan")']


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
