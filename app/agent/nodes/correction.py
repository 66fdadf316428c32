"""Node `correction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.domain.plan import Correction
from app.engines.correction import attempts
from app.engines.progress import after_correction, retry_limit
from app.engines.reasoner import Situation


async def correction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, verdict, deeds; writes refinement, correction, outcome."""
    verdict = state["verdict"]
    assert verdict is not None
    situation = Situation(
        goal=state["goal"],
        page=runtime.context.page,
        plan=state["plan"],
        deeds=tuple(state["deeds"]),
    )
    if outcome := retry_limit(situation):
        return {"outcome": outcome}
    refinement = await runtime.context.reasoner.correct(situation, verdict.reason)
    return {
        "refinement": refinement,
        "correction": Correction(
            strategy=refinement.strategy or refinement.thought,
            attempt=attempts(situation.deeds, situation.plan.current) + 1,
        ),
        "outcome": after_correction(refinement, verdict, situation),
    }
