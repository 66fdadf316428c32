"""When a second opinion is asked for before a choice is sent."""

import pytest

from app.domain.action import ActionRecord, action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.page.evidence import needs_second_opinion

FIELD = Node(id="1", role="inp", name="Name", value="Jas")
PAGE = Observation(url="", summary="Patient Ann was created.", tree=Tree.of([FIELD]))
CLICK = Proposal(action=action("click", "2"), description="")
FILLED = ActionRecord(
    action=action("setValue", "1", "Jas"), signature=FIELD.signature, status="success"
)


def choice(outcome, quote=""):
    proposals = (CLICK,) if outcome == "act" else ()
    return Decision(outcome=outcome, maker="model", quote=quote, proposals=proposals)


CASES = {
    "an action": (choice("act"), False),
    "an end that quotes the page": (choice("finish", "patient ann was created"), False),
    "an end that quotes what was typed": (choice("finish", "Jas"), True),
    "giving up": (choice("fail"), False),
    "a question": (choice("ask"), False),
}


@pytest.mark.parametrize(("refinement", "is_wanted"), CASES.values(), ids=CASES.keys())
def test_when_the_critic_is_asked(refinement, is_wanted):
    situation = Situation(goal="Add Jas", page=PAGE, records=(FILLED,))
    assert needs_second_opinion(refinement, situation) is is_wanted
