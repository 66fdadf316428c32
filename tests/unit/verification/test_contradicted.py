"""Which verdicts stand on evidence that contradicts itself."""

from typing import Any

import pytest

from app.domain.verdict import ModelOpinion, Verdict
from app.verification.tiers import OpinionLimits, Stake, weigh_opinion

LAST = Stake(ends=True, large=True)


def judged(found: Any, said: Any, completed: Any = None, **held: Any) -> Verdict:
    """Tier 1's verdict with the opinion of a model, both of them sure."""
    verdict = Verdict(succeeded=found, task_completed=bool(found), confidence=0.9)
    opinion = ModelOpinion(succeeded=said, completed=completed, confidence=0.95, tier=3)
    return weigh_opinion(verdict, opinion, LAST, OpinionLimits(**held))


@pytest.mark.parametrize(
    ("found", "said", "completed", "held"),
    [
        (True, False, None, {}),  # what code saw happen, a model says did not
        (False, True, None, {}),
        (True, True, False, {}),  # the step, but not the goal
        (None, True, None, {"objection": "The page says: Refused"}),  # a model against the page
    ],
)
def test_a_tier_against_another_or_against_the_page(
    found: Any, said: Any, completed: Any, held: dict[str, Any]
):
    assert judged(found, said, completed, **held).contradicted


@pytest.mark.parametrize(
    ("found", "said", "completed"),
    [(True, True, True), (None, True, True), (None, False, None), (False, False, None)],
)
def test_those_that_agree_and_those_that_only_know_more(found: Any, said: Any, completed: Any):
    assert not judged(found, said, completed).contradicted


def test_what_was_contradictory_before_a_model_was_asked_stays_so():
    found = Verdict(succeeded=None, confidence=0.5, doubted=True, contradicted=True)
    agrees = ModelOpinion(succeeded=True, completed=True, confidence=0.95, tier=3)
    assert weigh_opinion(found, agrees, LAST, OpinionLimits()).contradicted
    away = ModelOpinion(tier=1)
    assert weigh_opinion(found, away, LAST, OpinionLimits()).contradicted
