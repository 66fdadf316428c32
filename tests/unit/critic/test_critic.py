"""When a second opinion is asked for before a choice is sent."""

import pytest

from app.domain.action import action
from app.domain.page import Observation
from app.domain.plan import Proposal, Refinement
from app.domain.verdict import Verdict
from app.engines.critic import wanted
from app.engines.reasoner import Situation

DONE = Verdict(succeeded=True, task_completed=True, confidence=0.9, tier=1)
GUESSED = DONE.model_copy(update={"tier": 2})
PAGE = Observation(url="", summary="Patient Jas was created.")
CLICK = Proposal(action=action("click", "2"), description="")


def choice(outcome, quote="", *, confidence=0.99):
    proposals = (CLICK,) if outcome == "act" else ()
    return Refinement(
        outcome=outcome, maker="model", confidence=confidence, quote=quote, proposals=proposals
    )


CASES = {
    "an action, however unsure": (choice("act", confidence=0.2), None, False),
    "an end that quotes the page": (choice("finish", "patient jas was created"), None, False),
    "an end without a quote": (choice("finish"), None, True),
    "an end whose quote is nowhere": (choice("finish", "Saved"), None, True),
    "an end that the page shows": (choice("finish"), DONE, False),
    "an end that a model saw": (choice("finish"), GUESSED, True),
    "giving up": (choice("fail"), None, False),
    "a question": (choice("ask"), None, False),
}


@pytest.mark.parametrize(("refinement", "verdict", "is_wanted"), CASES.values(), ids=CASES.keys())
def test_when_the_critic_is_asked(refinement, verdict, is_wanted):
    situation = Situation(goal="Add Jas", page=PAGE, verdict=verdict)
    assert wanted(refinement, situation) is is_wanted
