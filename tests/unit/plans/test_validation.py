"""Nothing that does not fit the page reaches the browser."""

import pytest

from app.domain.action import Action, action
from app.domain.page import Node, Observation, ObservedTab, Tree
from app.errors import InvalidAction
from app.plans.validation import validate_action

TREE = Tree.of(
    [
        Node(id="1", role="btn", name="Save"),
        Node(id="2", role="btn", name="Off", states=frozenset({"disabled"})),
        Node(id="3", role="inp", name="Name"),
        Node(id="4", role="inp", name="Fixed", states=frozenset({"readonly"})),
        Node(id="5", role="chk", name="Agree"),
    ]
)


@pytest.mark.parametrize(
    "fits",
    [
        action("click", "1"), action("setValue", "3", "Jas"), action("setChecked", "5", True),
        action("setValue", "4", "2026-03-01"),
        action("scroll", "page", "down"), action("hover", "2"), action("goBack"),
    ],
)  # fmt: skip
def test_what_fits(fits):
    validate_action(fits, TREE)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (action("click", "9"), "no element 9"),
        (action("click", "2"), "disabled"),
        (action("setValue", "1", "Jas"), "does not fit"),
        (action("setChecked", "3", True), "does not fit"),
        (action("scroll", "page", "sideways"), "no direction"),
        (Action(name="click", args={}), "needs id"),
        (Action(name="setValue", args={"id": "3", "text": 5}), "needs text"),
        (action("dragTo", "1", "9"), "no element 9"),
    ],
)
def test_what_does_not(wrong, said):
    with pytest.raises(InvalidAction, match=said):
        validate_action(wrong, TREE)


LIST = tuple(f"Option {number}" for number in range(20))
LOOK = Observation(
    url="https://a.org",
    viewport=(800, 600),
    tabs=(ObservedTab(index=0, title="A", url="a"), ObservedTab(index=2, title="B", url="b")),
    tree=Tree.of(
        [
            Node(id="1", role="btn", name="Save", occluded=True),
            Node(
                id="2", role="sel", name="Size", input_type="select-one", options=("Small", "Large")
            ),
            Node(
                id="3",
                role="sel",
                name="City",
                input_type="select-one",
                options=(*LIST, "… 80 more"),
            ),
            Node(id="4", role="sel", name="Tag", options=("Red",)),
            Node(id="5", role="chk", name="Agree"),
            Node(id="6", role="file", name="Photo"),
            Node(id="7", role="btn", name="Upload"),
        ]
    ),
)


@pytest.mark.parametrize(
    "fits",
    [
        action("clickAt", 799, 0), action("switchTab", 2), action("selectOption", "2", " small"),
        action("selectOption", "3", "Paris"), action("selectOption", "4", "Blue"),
        action("uploadFile", "6", "a.png"), action("uploadFile", "7", "a.png"), action("hover", "1"),
        action("pressKey", "Control+Shift+K"), action("pressKey", "+"), action("pressKey", "é"),
        action("navigate", "http://localhost:8000/x"),
    ],
)  # fmt: skip
def test_what_a_look_allows(fits):
    validate_action(fits, LOOK.tree, LOOK)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (action("clickAt", 800, 10), "outside of the window"),
        (action("clickAt", 5, -1), "outside of the window"),
        (action("switchTab", 1), "no tab 1"),
        (action("click", "1"), "covered"),
        (action("selectOption", "2", "Medium"), "offers no 'Medium', only 'Small', 'Large'"),
        (action("selectOption", "3", "… 80 more"), "offers no"),
        (action("uploadFile", "5", "a.png"), "takes no file"),
        (action("scroll", "99", "down"), "no element 99"),
        (action("click", "page"), "no element page"),
        (action("pressKey", "Launch"), "no key"),
        (action("pressKey", "A+B"), "no key"),
        (action("navigate", "chrome://settings"), "no address"),
        (action("openTab", "javascript:alert(1)"), "no address"),
    ],
)
def test_what_a_look_forbids(wrong, said):
    with pytest.raises(InvalidAction, match=said):
        validate_action(wrong, LOOK.tree, LOOK)


def test_a_file_that_was_downloaded_can_be_read_and_nothing_else_done_to_it():
    tree = Tree.of([])
    validate_action(action("read", "report.csv"), tree, files=("report.csv",))
    for call in (action("read", "other.csv"), action("click", "report.csv")):
        with pytest.raises(InvalidAction, match="the page holds no element"):
            validate_action(call, tree, files=("report.csv",))
