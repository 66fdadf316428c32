"""Node `correction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.refining import corrected
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.domain.plan import Correction
from app.engines.correction import attempts
from app.engines.progress import retry_limit


async def correction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, verdict, deeds; writes refinement, correction, outcome."""
    verdict = state["verdict"]
    assert verdict is not None
    situation = situation_of(state, runtime.context)
    if outcome := retry_limit(situation):
        return {"outcome": outcome}
    refinement = await runtime.context.reasoner.correct(situation, verdict.reason)
    patch = corrected(refinement, verdict, situation, state, runtime.context)
    return patch | Patch(
        correction=Correction(
            strategy=refinement.strategy or refinement.thought,
            attempt=attempts(situation.deeds, situation.plan.current) + 1,
        )
    )
