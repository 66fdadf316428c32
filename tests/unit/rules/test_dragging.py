"""Dragging to a place in a list or grid, beside another, some steps on, or onto a thing."""

import pytest

from app.domain.page import Node
from app.reasoners.rules.parse import parse
from tests.unit.rules.pages import Page, node, run

SONGS = ("Help", "Yesterday", "Michelle", "Julia", "Girl")


def song(at: int, *, columns: int = 1) -> Node:
    x, y = 20 + 60 * (at % columns), 40 + 30 * (at // columns)
    return node(SONGS[at], "row", SONGS[at], center=(x + 25, y + 12), box=(x, y, 50, 24))


def said(goal: str, *, columns: int = 1, more: tuple[Node, ...] = ()) -> list[str]:
    page = Page([*(song(at, columns=columns) for at in range(5)), *more])
    return run(page, *parse(goal).directives).calls


@pytest.mark.parametrize(
    ("goal", "goes"),
    [
        ("Drag Julia to the 2nd position", "Yesterday"),
        ("Move Help to the bottom of the list", "Girl"),
        ("drag Julia to the top", "Help"),
        ("Move Julia to the beginning", "Help"),
        ("Move Julia up by two", "Yesterday"),
        ("drag Help one place down", "Yesterday"),
        ("Move Julia above Yesterday", "Yesterday"),
        ("Drag Help before Julia", "Michelle"),
        ("drag Help after Julia", "Julia"),
        ("Drag Girl below Help", "Yesterday"),
        ("Move the song Girl to the first place", "Help"),
    ],
)
def test_a_place_in_a_list_is_that_of_what_lies_there(goal: str, goes: str) -> None:
    source = min((name for name in SONGS if name in goal), key=goal.index)
    assert said(goal) == [f'dragTo("{source}", "{goes}")']


@pytest.mark.parametrize(
    ("goal", "goes"),
    [
        ("Drag Girl to the top right", 'dragTo("Girl", "Michelle")'),
        ("Drag Yesterday down by one", 'dragTo("Yesterday", "Girl")'),
        ("Move Help right", 'dragTo("Help", "Yesterday")'),
        ("Move Michelle one step to the left", 'dragTo("Michelle", "Yesterday")'),
        ("Drag Michelle to the bottom left", 'dragTo("Michelle", "Julia")'),
    ],
)
def test_a_grid_has_rows_and_columns(goal: str, goes: str) -> None:
    assert said(goal, columns=3) == [goes]


def test_what_is_there_already_stays() -> None:
    assert said("Drag Help to the top") == []
    assert said("Drag Help before Yesterday") == []


def test_nothing_is_further_than_the_end() -> None:
    page = Page([song(at) for at in range(5)])
    assert run(page, *parse("Move Girl down").directives).last.outcome == "missing"


def test_its_own_control_moves_it_one_step() -> None:
    up = node("up", "btn", "Move up", group="row: Julia")
    assert said("Move Julia up", more=(up,)) == ['click("up")']


def test_a_thing_is_dropped_on_another() -> None:
    trash = node("trash", "el", "Trash", center=(300, 300), box=(280, 280, 40, 40))
    assert said("Drag Girl so that it is inside the Trash", more=(trash,)) == [
        'dragTo("Girl", "trash")'
    ]
