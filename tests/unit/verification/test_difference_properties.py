"""What holds of any two looks: identity, symmetry, and that one more change is never one less."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.page import Node, Tree
from app.page.difference import MOST_SENTENCES, compare_pages, describe_difference
from tests.unit.verification.strategies import TEXT, pages
from tests.unit.verification.test_verify_properties import ACTIONS

pytestmark = pytest.mark.slow

LOOKS = pages(heard=False)


@given(LOOKS, LOOKS)
@settings(max_examples=80, deadline=None)
def test_what_came_one_way_went_the_other(one, other):
    there, back = compare_pages(one, other), compare_pages(other, one)
    assert {n.id for n in there.added} == {n.id for n in back.removed}
    assert (there.opened, there.closed) == (back.closed, back.opened)
    assert (there.text_added, there.text_gone) == (back.text_gone, back.text_added)
    assert {(c.before.value, c.after.value) for c in there.changed} == {
        (c.after.value, c.before.value) for c in back.changed
    }
    assert {(c.gained, c.lost) for c in there.changed} == {(c.lost, c.gained) for c in back.changed}
    assert (there.title is None) == (back.title is None)
    assert there.address.is_changed == back.address.is_changed


@given(LOOKS, LOOKS, TEXT)
@settings(max_examples=80, deadline=None)
def test_one_more_control_is_one_more_difference(one, other, name):
    extra = Node(id="new", role="row", name=f"quite another {name}", group="list: others")
    more = replace(other, tree=Tree((*other.tree.nodes, extra)))
    assert len(compare_pages(one, more).added) == len(compare_pages(one, other).added) + 1


@given(LOOKS, st.data())
@settings(max_examples=80, deadline=None)
def test_one_more_changed_value_is_one_more_difference(look, data):
    now = look
    for count, node in enumerate(look.tree, start=1):
        changed = replace(node, value=f"{node.value or ''}{data.draw(st.sampled_from('xyz'))}")
        now = replace(now, tree=Tree.of(changed if n.id == node.id else n for n in now.tree))
        assert len(compare_pages(look, now).changed) == count


@given(pages(), pages(), ACTIONS)
@settings(max_examples=80, deadline=None)
def test_any_difference_is_told_in_a_few_lines(one, other, done):
    told = describe_difference(compare_pages(one, other), done)
    assert 1 <= len(told) <= MOST_SENTENCES
    assert len(set(told)) == len(told)
