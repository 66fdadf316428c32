"""Node `critic`."""

import structlog
from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import advance_plan, reject_decision
from app.domain.verdict import Critique
from app.errors import ModelFailed

log = structlog.get_logger(__name__)


async def critic(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement; writes refused, refusals, plan, outcome. Fails open."""
    refinement = state["refinement"]
    assert refinement is not None
    situation = situation_of(state, runtime.context)
    try:
        critique = await runtime.context.reasoner.criticise(situation, refinement)
    except ModelFailed as error:
        log.warning("no critic", code=error.code)
        critique = Critique()
    if critique.sensible:
        return Patch(doubted=False) | advance_plan(refinement, situation, state)
    return Patch(doubted=False) | reject_decision(critique.reason, situation, state)
