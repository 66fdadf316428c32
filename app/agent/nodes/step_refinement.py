"""Node `step_refinement`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.engines.progress import after_refinement
from app.engines.reasoner import Situation


async def step_refinement(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, deeds; writes refinement, plan, outcome."""
    situation = Situation(
        goal=state["goal"],
        page=runtime.context.page,
        plan=state["plan"],
        deeds=tuple(state["deeds"]),
    )
    refinement = await runtime.context.reasoner.refine(situation)
    plan, outcome = after_refinement(refinement, situation)
    return {"refinement": refinement, "plan": plan, "outcome": outcome}
