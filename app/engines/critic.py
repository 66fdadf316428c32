"""Whether a refinement gets a second opinion, of a model, before it is sent."""

from app.domain.plan import Refinement
from app.engines.evidence import declares_end, is_only_entered
from app.engines.reasoner import Situation

MAX_REGENERATIONS = 2  # DESIGN, "Critic": at most two; then the run ends with the reason


def wanted(refinement: Refinement, situation: Situation) -> bool:
    """Whether the critic is asked: of an end that only the run's own entries show, which may want saving."""
    return declares_end(refinement, situation) and is_only_entered(refinement.quote, situation)
