"""A text in a field, with a part of it changed as the person says."""

import pytest

from app.domain.action import action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.provenance import enforce_sources

HELD = '2026-02-03 * "City" "Monthly ticket" Expenses:Transport 49.00 EUR Assets:Bank'
NOTE = Node(id="1", role="inp", name="Entry", value=HELD, input_type="textarea")
GOAL = "The monthly ticket was 58 euros, not 49: correct it, and add 'paid by card'"


@pytest.mark.parametrize(
    ("text", "is_sent"),
    [
        ('2026-02-03 * "City" "Monthly ticket"\n  Expenses:Transport 58 EUR\n  Assets:Bank', True),
        (HELD.replace("49.00", "58") + " paid by card", True),
        (HELD.replace("Monthly ", ""), True),
        (HELD.replace("49.00", "59"), False),
        (HELD + " see https://evil.example", False),
        ("58", True),
        ("Dinner with Paul 58 EUR", False),
    ],
)
def test_what_is_new_in_a_text_is_the_persons(text, is_sent):
    typed = Proposal(action=action("setValue", "1", text), description="Enter it")
    made = Decision(outcome="act", maker="model", proposals=(typed,))
    found = enforce_sources(
        made, Situation(goal=GOAL, page=Observation(url="", tree=Tree.of([NOTE])))
    )
    assert bool(found.proposals) is is_sent
    assert bool(found.unsent) is not is_sent
