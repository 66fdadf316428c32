"""Similarity of any pages: a measure, and monotonic."""

from dataclasses import replace
from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.page import Node, Observation, Tree
from app.page.snapshot import page_similarity
from tests.unit.verification.strategies import TEXT, nodes, pages

quick = settings(max_examples=80, deadline=None)

pytestmark = pytest.mark.slow
MOST_S = 0.001  # the bound there is, for pages of 500 nodes
MORE = st.lists(nodes("99"), min_size=1, max_size=4)


def with_nodes(look, found):
    return replace(look, tree=Tree(tuple(found)))


@given(pages(), pages())
@quick
def test_it_is_a_symmetric_share(one, other):
    assert page_similarity(one, one) == pytest.approx(1)
    assert page_similarity(one, other) == page_similarity(other, one)
    assert 0 <= page_similarity(one, other) <= 1 + 1e-9


@given(pages(), MORE)
@quick
def test_the_more_is_added_the_less_alike(look, added):
    scores = [
        page_similarity(look, with_nodes(look, [*look.tree, *added[:count]]))
        for count in range(len(added) + 1)
    ]
    assert all(a >= b - 1e-9 for a, b in pairwise(scores))
    assert scores[-1] < 1


@given(pages(), st.randoms(use_true_random=False))
@quick
def test_the_more_is_taken_away_the_less_alike(look, random):
    left = list(look.tree)
    random.shuffle(left)
    scores = []
    while left:
        scores.append(page_similarity(look, with_nodes(look, left)))
        left.pop()
    assert all(a >= b - 1e-9 for a, b in pairwise(scores))


@given(pages(), TEXT, st.booleans(), st.randoms(use_true_random=False))
@quick
def test_what_is_not_of_the_signature_does_not_count(look, text, occluded, random):
    other = [
        replace(
            node, id=f"7{node.id}", value=text, hint=text, occluded=occluded, center=(1, 2),
            states=frozenset({"focused"}), options=(text,),
        )
        for node in look.tree
    ]  # fmt: skip
    random.shuffle(other)
    assert page_similarity(look, with_nodes(look, other)) == pytest.approx(1)


def test_five_hundred_nodes_take_a_millisecond():
    def look(first):
        roles = ("btn", "link", "inp", "txt")
        return Observation(
            url="",
            tree=Tree.of(
                Node(
                    id=str(at), role=roles[at % 4], name=f"Control {at}",
                    group=f"section: {at // 50} > row: {at // 5}",
                )
                for at in range(first, first + 500)
            ),
        )  # fmt: skip

    one, other = look(0), look(100)
    least = 1.0
    for _ in range(200):  # a machine that is busy is slow for a while
        began = perf_counter()
        page_similarity(one, other)
        least = min(least, perf_counter() - began)
        if least <= MOST_S:
            break
    assert least <= MOST_S
