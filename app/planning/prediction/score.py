"""A prediction held against what came."""

from app.domain.action import Chain
from app.domain.page import Observation
from app.domain.verdict import PredictionScore, Verdict
from app.planning.prediction.check import check
from app.planning.prediction.predict import kind_of


def scored(
    chain: Chain, before: Observation, after: Observation, verdict: Verdict
) -> PredictionScore | None:
    """The chain's prediction with what came of it; None where nothing of it can be told.

    Checked is what was written down (address, values, texts, a required next goal); whether what the
    templates promise in words came, that a menu opens or a form is taken, is what the verdict says. A next
    goal that is not required may be behind something yet, and was not predicted of this page.
    """
    expected = chain.expected
    if not chain.actions or expected.confidence <= 0:
        return None
    goal = expected.next_goal
    if goal is not None and not goal.required:
        expected = expected.model_copy(update={"next_goal": None})
    met, unmet = check(expected, after, before)
    last = chain.actions[-1]
    kind = kind_of(last.action, before)
    if verdict.succeeded is False:
        unmet = (*unmet, f"its effect: {kind}")
    if verdict.succeeded is None and not met and not unmet:
        return None
    return PredictionScore(
        action_id=last.action_id,
        kind=kind,
        predicted=expected.confidence,
        met=not unmet,
        unmet=unmet,
    )
