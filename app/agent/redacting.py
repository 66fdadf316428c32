"""What of a run's state is for nobody's eyes."""

from app.agent.state import AgentState
from app.domain.background import Background
from app.engines.redaction import masked, secrets_in, secrets_told


def hidden_of(state: AgentState) -> frozenset[str]:
    """The secrets in the goal, and what a person answered when asked for one."""
    return secrets_told(state["instruction"], state["background"]) | secrets_in(state["goal"])


def forget_background(background: Background, hidden: frozenset[str]) -> Background:
    """The background without the secrets."""
    answers = tuple(
        answer.model_copy(update={"text": masked(answer.text, hidden)})
        for answer in background.answers
    )
    return background.model_copy(update={"answers": answers})
