"""Whether a refinement gets a second opinion, of a model, before it is sent."""

from app.domain.plan import Refinement
from app.engines.evidence import declares_end, is_quoted
from app.engines.reasoner import Situation

MAX_REGENERATIONS = 2  # DESIGN, "Critic": at most two; then the run ends with the reason


def wanted(refinement: Refinement, situation: Situation) -> bool:
    """Whether the critic is asked: only of an end that neither a quote nor the page itself shows."""
    if not declares_end(refinement, situation):
        return False
    verdict = situation.verdict
    is_seen = verdict is not None and verdict.goal_achieved and verdict.tier == 1
    return not (is_seen or is_quoted(refinement.quote, situation))
