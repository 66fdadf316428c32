"""Node `correction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import corrected
from app.planning.disambiguation import held_to
from app.recovery.chain_outcome import why_failed
from app.recovery.correction.case import named
from app.recovery.progress import hopeless


async def correction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, verdict, deeds, judged; writes refinement, correction, outcome."""
    verdict = state["verdict"]
    assert verdict is not None
    situation = situation_of(state, runtime.context)
    if outcome := hopeless(situation):
        return {"outcome": outcome}
    reason = why_failed(verdict, state["judged"], situation.deeds)
    refinement = await runtime.context.reasoner.correct(held_to(situation), reason)
    patch = corrected(refinement, verdict, situation, state, runtime.context)
    return patch | Patch(correction=named(refinement, situation))
