"""Similarity of a page to what became of it, case by case, to three digits."""

from dataclasses import replace

import pytest

from app.domain.page import Node, Observation, Tree
from app.page.snapshot import REPLAN_BELOW, page_similarity

BASE = tuple(
    Node(id=str(at), role="btn", name=f"Button {at}", group="form: A", center=(at, at))
    for at in range(10)
)
LINK = Node(id="90", role="link", name="More", group="nav: Main")
TEXT = Node(id="91", role="txt", name="Saved", group="form: A", states=frozenset({"status"}))


def seen(*nodes, **more):
    return Observation(url="https://a.example/", tree=Tree(tuple(nodes)), **more)


def each(**changes):
    return tuple(replace(node, **changes) for node in BASE)


def named(words):
    return tuple(replace(node, name=words.format(node.id)) for node in BASE)


PAGE = seen(*BASE)
LINKS = tuple(replace(LINK, id=str(at), name=f"L {at}") for at in range(10))

# Interactive: shared controls by role and name over all of them; structure: by role and container.
CASES = [
    ("the same page", PAGE, PAGE, 1.0),
    ("two empty pages", seen(), seen(), 1.0),
    ("nothing left", PAGE, seen(), 0.0),
    ("another page altogether", PAGE, seen(*LINKS), 0.0),
    ("other ids", PAGE, seen(*(replace(node, id=f"9{node.id}") for node in BASE)), 1.0),
    ("values entered", PAGE, seen(*each(value="x")), 1.0),
    ("other states", PAGE, seen(*each(states=frozenset({"disabled"}))), 1.0),
    ("moved", PAGE, seen(*each(center=(500, 900), box=(0, 0, 10, 10))), 1.0),
    ("covered", PAGE, seen(*each(occluded=True)), 1.0),
    ("in another order", PAGE, seen(*reversed(BASE)), 1.0),
    ("another address and title", PAGE, replace(PAGE, url="https://b.example/", title="T"), 1.0),
    ("other text, errors and events", PAGE, replace(PAGE, summary="s", errors=("e",), events=("v",)), 1.0),
    ("a hint and options", PAGE, seen(*each(hint="h", options=("a",))), 1.0),
    ("clocks in names", seen(*named("At 10:0{}")), seen(*named("At 11:1{}")), 1.0),
    ("counts in brackets", seen(*named("Inbox ({})")), seen(*named("Inbox (7{})")), 1.0),
    ("ages in names", seen(*named("Left {} min")), seen(*named("Left 1{} min")), 1.0),
    ("a count in a container", seen(*each(group="row: In (3)")), seen(*each(group="row: In (4)")), 1.0),
    ("other names in the same places", PAGE, seen(*named("Other {}")), 0.6),
    ("the same controls in another place", PAGE, seen(*each(group="dialog: B")), 0.4),
    ("another role", PAGE, seen(*each(role="link")), 0.0),
    ("half of it gone", PAGE, seen(*BASE[:5]), 0.5),
    ("one gone of ten", PAGE, seen(*BASE[1:]), 0.9),
    ("one more", PAGE, seen(*BASE, LINK), 0.909),
    ("twice as much", PAGE, seen(*BASE, *named("Other {}")), 0.5),
    ("each of them twice", PAGE, seen(*BASE, *BASE), 0.5),
    ("one renamed", PAGE, seen(replace(BASE[0], name="Undo"), *BASE[1:]), 0.4 * 9 / 11 + 0.6),
    ("a message: a place, and no control", PAGE, seen(*BASE, TEXT), 0.4 + 0.6 * 10 / 11),
    ("a message in other words", seen(*BASE, TEXT), seen(*BASE, replace(TEXT, name="No")), 1.0),
    ("text alone", seen(TEXT), seen(replace(TEXT, name="No")), 1.0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_similarity(one, other, wanted):
    assert page_similarity(one, other) == pytest.approx(wanted, abs=5e-4)
    assert page_similarity(other, one) == pytest.approx(wanted, abs=5e-4)


@pytest.mark.parametrize(
    ("changed", "calls"), [(0, False), (1, False), (2, True), (5, True), (10, True)]
)
def test_from_which_change_on_a_plan_is_held_against_the_page(changed, calls):
    """Two of ten controls replaced, in another place, are too many."""
    moved = (replace(node, group="dialog: B", name=f"New {node.id}") for node in BASE[:changed])
    assert (page_similarity(PAGE, seen(*moved, *BASE[changed:])) < REPLAN_BELOW) is calls
