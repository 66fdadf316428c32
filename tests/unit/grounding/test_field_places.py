"""Fields named by their place, by a word that says little elsewhere, or by a joint."""

import pytest

from app.domain.directive import FieldValue, Target
from app.domain.page import Node, Tree
from app.grounding import assign_fields, find_field, ground_target


def tree(*nodes: Node) -> Tree:
    return Tree(nodes)


def field(id: str, name: str, group: str = "", **more: object) -> Node:
    return Node(id=id, role=str(more.pop("role", "inp")), name=name, group=group, **more)  # type: ignore[arg-type]


ADDRESSES = tree(
    field("b", "City", "fieldset: Billing address > form"),
    field("s", "City", "fieldset: Shipping address > form"),
)


@pytest.mark.parametrize(("said", "found"), [("billing city", "b"), ("shipping city", "s")])
def test_the_place_tells_fields_of_one_name_apart(said: str, found: str) -> None:
    assert find_field(said, ADDRESSES).chosen == (found,)


def test_without_a_place_they_are_ambiguous() -> None:
    assert find_field("city", ADDRESSES).outcome == "ambiguous"


def test_a_field_called_to_is_found_by_that_name() -> None:
    mail = tree(
        field("q", "Search mail"), field("t", "To"), field("s", "Subject"), field("m", "Message")
    )
    pairs = (FieldValue(field="to", value="ann@x.org"), FieldValue(field="subject", value="Hi"))
    assert [one.chosen for one in assign_fields(pairs, mail)] == [("t",), ("s",)]


def test_a_choice_is_found_by_words_of_all_its_places() -> None:
    group = "tabpanel: Notifications > fieldset: Frequency"
    page = tree(*(field(name, name, group, role="rad") for name in ("Daily", "Never")))
    assert find_field("notification frequency", page, value="Daily").chosen == ("Daily",)


def test_a_sign_is_that_sign_and_no_other() -> None:
    page = tree(
        Node(id="m", role="btn", name="Decrease guests", hint="-"),
        Node(id="p", role="btn", name="Increase guests", hint="+"),
    )
    assert ground_target(Target(phrase="+"), page).chosen == ("p",)
