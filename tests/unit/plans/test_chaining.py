"""What may be sent to the browser together."""

import pytest

from app.domain.action import action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Proposal
from app.plans.validation import LONGEST, safe_prefix

A, B = "form: A", "form: B"


def node(id, role, name="", group=A, states="", **more):
    return Node(
        id=id, role=role, name=name or id, group=group, states=frozenset(states.split()), **more
    )


PAGE = Observation(
    url="",
    tree=Tree(
        (
            node("n1", "inp", "Name"),
            node("n2", "inp", "Phone"),
            node("n3", "sel", "Sex", options=("Female", "Male")),
            node("n4", "chk", "Consent"),
            node("n5", "inp", "City", states="haspopup"),
            node("n6", "inp", "Off", states="disabled"),
            node("save", "btn", "Save"),
            node("send", "btn", "Send"),
            node("more", "btn", "Details"),
            node("b1", "inp", "Search", group=B),
            node("go", "btn", "Search", group=B),
            node("link", "link", "Home", group=""),
            node("menu", "btn", "More", states="haspopup collapsed", group=""),
        )
    ),
)

NAME, PHONE = action("setValue", "n1", "x"), action("setValue", "n2", "1")
SEX, CONSENT = action("selectOption", "n3", "Male"), action("setChecked", "n4", True)
SAVE, SEND = action("click", "save"), action("click", "send")
FOCUS, COPY = action("click", "n1"), action("pressKey", "Control+C")
PASTE = action("pressKey", "Control+V")

CASES = {
    "a whole form and its submit": ((NAME, PHONE, SEX, CONSENT, SAVE), 5),
    "nothing after a submit": ((NAME, SAVE, PHONE), 2),
    "a risky submit comes last": ((NAME, SEND, PHONE), 2),
    "Enter ends it": ((NAME, action("pressKey", "Enter"), PHONE), 2),
    "another form too": ((NAME, action("setValue", "b1", "x")), 2),
    "a field with suggestions may be handed in": ((NAME, action("setValue", "n5", "Ber"), SAVE), 3),
    "other fields may come after it": ((action("setValue", "n5", "Ber"), NAME, PHONE), 3),
    "what is disabled now may be enabled by then": ((NAME, action("setValue", "n6", "x")), 2),
    "what is not there yet is not in it": ((NAME, action("setValue", "n99", "x")), 1),
    "an option not there yet is not in it": ((NAME, action("selectOption", "n3", "Other")), 1),
    "another button too": ((NAME, action("click", "more"), PHONE), 3),
    "a link stands alone": ((action("click", "link"), NAME), 1),
    "an address stands alone": ((action("navigate", "https://a.org"), NAME), 1),
    "a risky first one stands alone": ((SEND, NAME), 1),
    "a wait may come before": ((action("wait", 500), NAME, SAVE), 3),
    "a box may be clicked": ((action("click", "n4"), NAME), 2),
    "a field is clicked for the clipboard": ((FOCUS, COPY, action("click", "n2"), PASTE), 4),
    "a field may be clicked": ((FOCUS, PHONE), 2),
    "a form is handed in by a double click": ((action("doubleClick", "save"), PHONE), 1),
    "what opens something may be followed": ((action("click", "menu"), PHONE), 2),
    "nothing proposed": ((), 0),
}


@pytest.mark.parametrize(("actions", "length"), CASES.values(), ids=CASES.keys())
def test_the_longest_safe_prefix(actions, length):
    proposals = tuple(Proposal(action=a, description="") for a in actions)
    assert safe_prefix(proposals, PAGE) == proposals[:length]


def test_a_chain_has_an_end():
    proposals = tuple(
        Proposal(action=action("setValue", "n1", str(i)), description="") for i in range(30)
    )
    assert len(safe_prefix(proposals, PAGE)) == LONGEST


MUST = Observation(
    url="",
    tree=Tree(
        (
            node("1", "inp", "Name", states="required"),
            node("2", "inp", "Note"),
            node("3", "btn", "Save"),
        )
    ),
)


@pytest.mark.parametrize(("field", "length"), [("1", 1), ("2", 2)])
def test_nothing_is_handed_in_that_may_lack_what_must_be_there(field, length):
    entry = Proposal(action=action("setValue", field, "x"), description="", can_fail=True)
    save = Proposal(action=action("click", "3"), description="")
    assert len(safe_prefix((entry, save), MUST)) == length
