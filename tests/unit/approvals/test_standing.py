"""What a yes lets happen is sent only where it is what was shown."""

from dataclasses import replace

import pytest

from app.approvals.approval import release_chain
from app.domain.action import Chain
from app.domain.page import Node, Observation, Tree
from app.page.snapshot import pack
from tests.unit.approvals.test_approval import ANN, FORM, HERE, JAS, asked, chain, situation

PAGE = situation().page
SEEN = pack(PAGE)


def changed(node_id: str, **change: object) -> Observation:
    nodes = (replace(n, **change) if n.id == node_id else n for n in PAGE.tree)
    return replace(PAGE, tree=Tree.of(nodes))


def without(node_id: str, *more: Node) -> Observation:
    return replace(PAGE, tree=Tree.of((*(n for n in PAGE.tree if n.id != node_id), *more)))


def beside(node: Node) -> Observation:
    return replace(PAGE, tree=Tree((*PAGE.tree, node)))


def sent(page: Observation, *calls: str) -> Chain | None:
    question = asked(*calls)
    assert question is not None
    return release_chain(question, replace(situation(), page=page), chain(*calls), SEEN)


@pytest.mark.parametrize(
    ("page", "holds"),
    [
        (PAGE, True),
        (replace(PAGE, url=f"{HERE}#top"), True),
        (replace(PAGE, url=f"{HERE}#/p/2"), False),
        (replace(PAGE, url=f"{HERE}?of=2"), False),
        (replace(PAGE, title="Doctors"), False),
        (changed("1", name="Delete all"), False),
        (changed("1", group=ANN), False),
        (changed("1", states=frozenset({"disabled"})), False),
        (changed("1", occluded=True), False),
        (without("1"), False),
        (without("1", Node(id="31", role="btn", name="Delete", group=ANN)), False),
        (beside(Node(id="30", role="chk", name="All", states=frozenset({"checked"}))), False),
        (beside(Node(id="40", role="txt", name="Saved")), True),
    ],
)
def test_a_press_is_of_what_was_shown(page: Observation, holds: bool):
    assert (sent(page, "click(1)") is not None) is holds


def test_the_same_record_under_another_id_is_taken():
    moved = sent(without("1", Node(id="31", role="btn", name="Delete", group=JAS)), "click(1)")
    assert moved is not None
    assert moved.actions[0].action.text == 'click("31")'


def test_what_has_no_record_of_its_own_is_not_looked_for():
    anew = Node(id="66", role="btn", name="Pay now", group=FORM, input_type="submit")
    assert sent(without("6", anew), "click(6)") is None


@pytest.mark.parametrize(("field", "holds"), [("3", False), ("4", True)])
def test_what_is_handed_in_is_what_was_shown(field: str, holds: bool):
    assert (sent(changed(field, value="9999"), "click(6)") is not None) is holds


def test_what_has_a_twin_that_was_not_shown_is_asked_about_anew():
    twin = Node(id="50", role="btn", name="Delete", group=JAS)
    assert sent(beside(twin), "click(1)") is None


def test_the_browsers_own_question_is_answered_with_the_same_yes():
    agreed = sent(PAGE, "click(1)")
    assert agreed is not None
    assert agreed.actions[0].dialog is not None
    assert agreed.actions[0].dialog.accept
    assert {"delete", "jas"} <= {*(agreed.actions[0].dialog.about or ())}
