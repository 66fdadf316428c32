"""Node `critic`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, log, situation_of
from app.agent.nodes.step_refinement import advance_plan, reject_decision
from app.agent.state import AgentState, Patch
from app.domain.verdict import Critique
from app.errors import ModelFailed


async def critic(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Have a model review the decision; without a model it is followed."""
    decision = state["refinement"]
    assert decision is not None
    situation = situation_of(state, runtime.context)
    try:
        critique = await runtime.context.reasoner.criticise(situation, decision)
    except ModelFailed as error:
        log.warning("no critic", code=error.code)
        critique = Critique()
    if critique.sensible:
        return Patch(needs_critique=False) | advance_plan(decision, situation, state)
    return Patch(needs_critique=False) | reject_decision(critique.reason, situation, state)
