"""Nothing that does not fit the page reaches the browser."""

import pytest

from app.domain.action import Action, action
from app.domain.page import Node, Tree
from app.engines.validation import check
from app.errors import InvalidAction

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
        action("scroll", "page", "down"), action("hover", "2"), action("goBack"),
    ],
)  # fmt: skip
def test_what_fits(fits):
    check(fits, TREE)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (action("click", "9"), "no element 9"),
        (action("click", "2"), "disabled"),
        (action("setValue", "1", "Jas"), "does not fit"),
        (action("setValue", "4", "Jas"), "cannot be changed"),
        (action("setChecked", "3", True), "does not fit"),
        (action("scroll", "page", "sideways"), "no direction"),
        (Action(name="click", args={}), "needs id"),
        (Action(name="setValue", args={"id": "3", "text": 5}), "needs text"),
        (action("dragTo", "1", "9"), "no element 9"),
    ],
)
def test_what_does_not(wrong, said):
    with pytest.raises(InvalidAction, match=said):
        check(wrong, TREE)
