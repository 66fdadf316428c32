"""What of a page is told again after an action."""

from dataclasses import replace

from app.domain.page import Node, Observation, PlacedText, Tree
from app.page.difference import page_update

LINKS = [Node(id=str(at), role="link", name=f"Room {at}", group="nav") for at in range(1, 31)]
FIELDS = [
    Node(id="40", role="inp", name="Name", group="form: Guest"),
    Node(id="41", role="inp", name="Phone", group="form: Guest"),
    Node(id="42", role="btn", name="Save", group="form: Guest"),
]
BEFORE = Observation(
    url="https://inn.example/guests", tree=Tree.of([*LINKS, *FIELDS]), summary="Breakfast at 8"
)


def changed(*nodes: Node, **more: object) -> Observation:
    by_id = {node.id: node for node in (*LINKS, *FIELDS)} | {node.id: node for node in nodes}
    return replace(BEFORE, tree=Tree.of(by_id.values()), **more)


def test_the_form_that_changed_is_told_and_the_rest_left_out():
    told = page_update(changed(replace(FIELDS[0], value="Jas")), BEFORE, about="Enter the guest")
    assert told is not None
    assert [node.id for node in told.page.tree] == ["29", "30", "40", "41", "42"]
    assert told.marks == {"40": "~"}
    assert told.folded == 28


def test_what_came_and_what_went_is_told():
    page = changed(Node(id="50", role="btn", name="Undo", group="form: Guest"))
    gone = replace(page, tree=Tree.of(node for node in page.tree if node.id != "42"))
    told = page_update(gone, BEFORE, about="")
    assert told is not None
    assert (told.marks, [node.name for node in told.gone]) == ({"50": "+"}, ["Save"])


def test_what_a_list_was_scrolled_to_is_told():
    rows = [Node(id=f"r{at}", role="opt", name=f"Row {at}", group="list") for at in range(6)]
    first = changed(*rows[:3], *(replace(row, scrolled_out=True) for row in rows[3:]))
    then = changed(*(replace(row, scrolled_out=True) for row in rows[:3]), *rows[3:])
    told = page_update(then, first, about="")
    assert told is not None
    assert told.marks == {"r3": "+", "r4": "+", "r5": "+"}


def test_what_the_goal_speaks_of_is_told_again():
    told = page_update(
        changed(replace(FIELDS[0], value="Jas")), BEFORE, about="then open the rooms"
    )
    assert told is not None
    assert "7" not in [node.id for node in told.page.tree]
    named = page_update(changed(replace(FIELDS[0], value="Jas")), BEFORE, about="then open room 7")
    assert named is None  # every link is a room


def test_new_text_is_told_and_old_left_out():
    texts = (PlacedText(before="5", text="Breakfast at 8"), PlacedText(before="5", text="Saved"))
    told = page_update(changed(replace(FIELDS[0], value="Jas"), texts=texts), BEFORE, about="")
    assert told is not None
    assert [text.text for text in told.page.texts] == ["Saved"]


def test_another_page_is_told_whole():
    moved = replace(BEFORE, url="https://inn.example/rooms")
    assert page_update(moved, BEFORE, about="") is None
    other = Tree.of(replace(node, name=f"Seat {node.id}") for node in BEFORE.tree)
    assert page_update(replace(BEFORE, tree=other), BEFORE, about="") is None


def test_a_small_page_is_told_whole():
    small = replace(BEFORE, tree=Tree.of(FIELDS))
    now = replace(small, tree=Tree.of([replace(FIELDS[0], value="Jas"), *FIELDS[1:]]))
    assert page_update(now, small, about="") is None
