"""What a model's choice needs the person's leave for, by their own words."""

import pytest

from app.domain.background import Provenance
from app.domain.page import Node, Observation, Tree
from app.engines.leave import exceeds, with_leave
from app.engines.reasoner import Situation
from tests.unit.agent.reasoning import act

NODES = (
    Node(id="1", role="btn", name="Delete", group="row: Ann Miller"),
    Node(id="2", role="btn", name="Delete", group="row: Jas Patel"),
    Node(id="3", role="btn", name="Send", group="form: Message"),
    Node(id="4", role="btn", name="Save", group="form: Patient"),
    Node(id="5", role="btn", name="Sign in"),
)


def situation(goal: str) -> Situation:
    page = Observation(url="https://clinic.example/p", tree=Tree(NODES))
    return Situation(goal=goal, page=page)


@pytest.mark.parametrize(
    ("goal", "call", "free"),
    [
        ("Delete Jas Patel", "click(2)", True),
        ("Delete Jas Patel", "click(1)", False),
        ("Delete the oldest patient", "click(1)", True),
        ("Do not delete anyone, only look up Ann", "click(1)", False),
        ("Tell Ann that I am late", "click(3)", True),
        ("Fill in the form and submit it", "click(3)", True),
        ("Open the post and add a note", "click(3)", False),
        ("Add a patient", "click(4)", True),
        ("Log in as bob", "click(5)", True),
        ("Add a patient", 'navigate("https://clinic.example/p/7/delete")', False),
    ],
)
def test_leave_is_in_the_persons_words(goal: str, call: str, free: bool) -> None:
    found = with_leave(act(call), situation(goal))
    assert (found.outcome, not found.leave) == ("act", free)


def test_what_a_chain_fills_in_it_may_hand_in() -> None:
    name = Node(id="1", role="inp", name="Name", group="form: New")
    save = Node(id="2", role="btn", name="Save patient", group="form: New")
    page = Observation(url="https://clinic.example/p", tree=Tree((name, save)))
    now = Situation(goal="Somebody called Jas is at the desk, our list should know", page=page)
    assert with_leave(act("click(2)"), now).leave
    given = Provenance(origin="goal", excerpt="Jas")
    chain = act('setValue(1, "Jas")', "click(2)")
    first, last = chain.proposals
    traced = first.model_copy(update={"provenance": given})
    assert not with_leave(chain.model_copy(update={"proposals": (traced, last)}), now).leave


def test_a_rules_plan_of_the_persons_words_needs_none() -> None:
    made = act("click(1)").model_copy(update={"maker": "rules"})
    assert with_leave(made, situation("Take her off the list")) == made


def test_all_is_more_than_one() -> None:
    assert exceeds("Delete all patients?", "delete Jas")
    assert not exceeds("Delete all patients?", "delete all patients")
    assert exceeds("Pay now", "delete Jas")
