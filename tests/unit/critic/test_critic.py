"""When a refinement is looked at a second time."""

import pytest

from app.domain.action import action
from app.domain.background import Provenance
from app.domain.page import Observation
from app.domain.plan import Proposal, Refinement
from app.domain.verdict import Verdict
from app.engines.critic import wanted
from app.engines.reasoner import Situation

DONE = Verdict(succeeded=True, task_completed=True, confidence=0.9, tier=1)
GUESSED = DONE.model_copy(update={"tier": 2})
FAILED = Verdict(succeeded=False, confidence=0.9)
SET = action("setValue", "1", "Jas")
CLICK = action("click", "2")


def act(what, origin=None, *, confidence=0.95, maker="model", **more):
    source = Provenance(origin=origin) if origin else None
    proposal = Proposal(action=what, description="", provenance=source)
    return Refinement(
        outcome="act", maker=maker, proposals=(proposal,), confidence=confidence, **more
    )


def end(outcome, maker="model"):
    return Refinement(outcome=outcome, maker=maker, confidence=0.99, reason="so")


CASES = {
    "a sure click": (act(CLICK), None, False),
    "an unsure click": (act(CLICK, confidence=0.84), None, True),
    "a sure click after a failure": (act(CLICK), FAILED, True),
    "a sure click after a success": (act(CLICK), DONE, False),
    "typed as the person said": (act(SET, "goal"), None, False),
    "typed as the person answered": (act(SET, "answer"), None, False),
    "typed as a part before handed on": (act(SET, "subtask"), None, False),
    "typed off the page": (act(SET, "page"), None, True),
    "typed from a search": (act(SET, "search"), None, True),
    "typed from an earlier talk": (act(SET, "memory"), None, True),
    "typed from nowhere": (act(SET), None, True),
    "a field emptied": (act(action("setValue", "1", ""), None), None, False),
    "the end": (end("finish"), None, True),
    "the end that the page shows": (end("finish"), DONE, False),
    "the end that a model saw": (end("finish"), GUESSED, True),
    "giving up": (end("fail"), None, True),
    "giving up though it was seen": (end("fail"), DONE, True),
    "a sure rule": (act(SET, maker="rules"), FAILED, False),
    "an unsure rule": (act(CLICK, maker="rules", confidence=0.6), None, True),
    "a rule's correction": (act(CLICK, maker="rules", confidence=0.6, strategy="wait"), None, False),
    "a rule while the model is away": (
        act(CLICK, maker="rules", confidence=0.6, notice="away"), None, False
    ),
    "a question": (end("ask"), FAILED, False),
    "a search": (end("search"), FAILED, False),
    "a look": (end("look"), FAILED, False),
}  # fmt: skip


@pytest.mark.parametrize(("refinement", "verdict", "is_wanted"), CASES.values(), ids=CASES.keys())
def test_when_the_critic_is_asked(refinement, verdict, is_wanted):
    situation = Situation(goal="Add Jas", page=Observation(url=""), verdict=verdict)
    assert wanted(refinement, situation) is is_wanted
