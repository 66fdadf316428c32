"""Dragging to a numbered place in a list, or onto a thing."""

import pytest

from app.domain.page import Node
from app.reasoners.commands import parse
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
        ("Move the song Girl to the first place", "Help"),
    ],
)
def test_a_place_in_a_list_is_that_of_what_lies_there(goal: str, goes: str) -> None:
    source = min((name for name in SONGS if name in goal), key=goal.index)
    assert said(goal) == [f'dragTo("{source}", "{goes}")']


def test_a_thing_is_dropped_on_another() -> None:
    trash = node("trash", "el", "Trash", center=(300, 300), box=(280, 280, 40, 40))
    assert said("Drag Girl into the Trash", more=(trash,)) == ['dragTo("Girl", "trash")']
