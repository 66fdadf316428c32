"""Which of several a person means."""

import pytest

from app.domain.grounding import Candidate
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Refinement
from app.domain.skill import ElementRef, SiteChoice
from app.engines.disambiguation import (
    MOST_OPTIONS,
    choice_of,
    lasting,
    narrowed,
    options_of,
    picked,
    question_of,
)


def page_of(*nodes: Node) -> Observation:
    return Observation(url="https://crm.example/", tree=Tree(nodes))


def edit(node_id: str, group: str, name: str = "Edit") -> Node:
    return Node(id=node_id, role="btn", name=name, group=group)


def candidates(*nodes: Node) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(id=n.id, role=n.role, name=n.name, group=n.group, score=0.9) for n in nodes
    )


BILLING, SHIPPING = edit("1", "section: Billing"), edit("2", "section: Shipping")
PAGE = page_of(BILLING, SHIPPING, edit("3", "", "Home"))
UNSURE = Refinement(outcome="ambiguous", candidates=candidates(SHIPPING, BILLING), about="edit")


def chosen(node: Node, phrase: str = "edit", choice_id: str = "") -> SiteChoice:
    element = ElementRef(role=node.role, name=node.name, group=node.group)
    return SiteChoice(choice_id=choice_id, tenant="", domain="", phrase=phrase, element=element)


def test_options_are_numbered_as_they_stand_on_the_page():
    options = options_of(UNSURE.candidates, PAGE)
    assert [(one.id, one.label, one.element_id) for one in options] == [
        ("1", "Edit (Billing)", "1"),
        ("2", "Edit (Shipping)", "2"),
    ]


def test_options_that_would_read_the_same_are_told_apart():
    nodes = (edit("1", "form: A > row: Ann"), edit("2", "form: B > row: Ann"))
    labels = [one.label for one in options_of(candidates(*nodes), page_of(*nodes))]
    assert labels == ["Edit (Ann), 1st from the top", "Edit (Ann), 2nd from the top"]


def test_no_more_options_than_keys():
    nodes = tuple(edit(str(n), f"section: {n}") for n in range(30))
    assert len(options_of(candidates(*nodes), page_of(*nodes))) == MOST_OPTIONS


def test_nothing_is_asked_where_there_is_nothing_to_choose():
    gone = page_of(BILLING)
    assert question_of(UNSURE, gone) is None
    assert question_of(Refinement(outcome="ambiguous"), PAGE) is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("1", "1"), (" 2 ", "2"), ("Edit (Shipping)", "2"), ("edit shipping", "2"),
        ("the Shipping", None), ("shipping", "2"), ("edit", None), ("3", None), ("", None),
    ],
)  # fmt: skip
def test_what_an_answer_names(said, meant):
    question = question_of(UNSURE, PAGE)
    found = picked(question, said)
    assert (found.id if found else None) == meant


def test_a_choice_leaves_what_was_meant_and_all_that_is_no_candidate():
    left = narrowed(UNSURE, PAGE, (chosen(SHIPPING),))
    assert [node.id for node in left.tree] == ["2", "3"]


def test_the_choice_made_now_goes_before_what_is_remembered():
    kept = chosen(SHIPPING, choice_id="k")
    left = narrowed(UNSURE, PAGE, (kept, chosen(BILLING)))
    assert [node.id for node in left.tree] == ["1", "3"]


def test_what_is_remembered_counts_for_the_same_words_alone():
    assert narrowed(UNSURE, PAGE, (chosen(SHIPPING, choice_id="k"),)) is not None
    assert narrowed(UNSURE, PAGE, (chosen(SHIPPING, "open", choice_id="k"),)) is None


def test_a_choice_that_is_not_there_decides_nothing():
    other = edit("9", "section: Notes")
    assert narrowed(UNSURE, PAGE, (chosen(other),)) is None
    assert narrowed(UNSURE, PAGE, ()) is None


@pytest.mark.parametrize(
    ("node", "lasts"),
    [
        (SHIPPING, True),
        (edit("1", "form: Order > row: Ann Lee"), False),
        (edit("1", "list: Orders > item: 12"), False),
        (edit("1", "section: Danger", "Delete account"), False),
        (Node(id="1", role="row", name="Ann Lee"), False),
    ],
)
def test_what_may_be_remembered(node, lasts):
    assert lasting(chosen(node)) is lasts
    unsure = Refinement(
        outcome="ambiguous", candidates=candidates(node, edit("8", "x")), about="edit"
    )
    page = page_of(node, edit("8", "x"))
    assert (narrowed(unsure, page, (chosen(node, choice_id="k"),)) is not None) is lasts
    assert narrowed(unsure, page, (chosen(node),)) is not None, "in this run it always counts"


def test_a_choice_holds_the_words_and_the_element():
    question = question_of(UNSURE, PAGE)
    made = choice_of(question, picked(question, "2"), "crm.example")
    assert (made.phrase, made.element.group, made.choice_id) == ("edit", "section: Shipping", "")
