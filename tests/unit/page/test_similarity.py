"""Similarity of pages: identity, symmetry, and less the more differs."""

import pytest
from hypothesis import given, settings

from app.domain.page import Node, Observation, Tree
from app.page.snapshot import REPLAN_BELOW, page_similarity
from tests.unit.verification.strategies import pages


@given(pages())
@settings(max_examples=60, deadline=None)
def test_a_page_is_like_itself(look):
    assert page_similarity(look, look) == pytest.approx(1)


@given(pages(), pages())
@settings(max_examples=60, deadline=None)
def test_it_is_symmetric_and_in_range(one, other):
    found = page_similarity(one, other)
    assert found == pytest.approx(page_similarity(other, one))
    assert 0 <= found <= 1 + 1e-9


def look(count, first=0, group="form: A"):
    nodes = (
        Node(id=str(i), role="btn", name=f"Button {i}", group=group)
        for i in range(first, first + count)
    )
    return Observation(url="", tree=Tree(tuple(nodes)))


def test_the_more_differs_the_less_alike():
    scores = [page_similarity(look(20), look(20, first)) for first in range(0, 21, 5)]
    assert scores == sorted(scores, reverse=True)


def test_ids_and_values_do_not_count():
    other = Observation(
        url="x",
        tree=Tree.of(
            Node(id=f"9{n.id}", role=n.role, name=n.name, group=n.group, value="v")
            for n in look(5).tree
        ),
    )
    assert page_similarity(look(5), other) == pytest.approx(1)


def test_another_page_calls_for_another_plan_and_an_open_menu_does_not():
    menu = Observation(
        url="", tree=Tree((*look(20).tree.nodes, Node(id="90", role="menu", name="New")))
    )
    assert page_similarity(look(20), menu) >= REPLAN_BELOW
    assert page_similarity(look(20), look(20, 50, "dialog: B")) < REPLAN_BELOW


def test_structure_weighs_more_than_names():
    assert page_similarity(look(10), look(10, 50)) == pytest.approx(0.6)


def test_two_empty_pages_are_alike():
    assert page_similarity(Observation(url=""), Observation(url="")) == pytest.approx(1)
