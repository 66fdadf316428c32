"""Node `correction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import apply_correction
from app.plans import restrict_to_choice
from app.recovery import explain_failure, hopeless_outcome, make_correction


async def correction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, verdict, deeds, judged; writes refinement, correction, outcome."""
    verdict = state["verdict"]
    assert verdict is not None
    situation = situation_of(state, runtime.context)
    if outcome := hopeless_outcome(situation):
        return {"outcome": outcome}
    reason = explain_failure(verdict, state["judged"], situation.deeds)
    refinement = await runtime.context.reasoner.correct(restrict_to_choice(situation), reason)
    patch = apply_correction(refinement, verdict, situation, state, runtime.context)
    return patch | Patch(correction=make_correction(refinement, situation))
