"""Node `direct_action`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.engines.direct import single_step, surely_grounded
from app.engines.reasoner import Situation


async def direct_action(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, instruction; writes plan, refinement, misclassified."""
    instruction = state["instruction"]
    assert instruction is not None
    plan = single_step(instruction)
    refinement = await runtime.context.reasoner.refine(
        Situation(goal=state["goal"], page=runtime.context.page, plan=plan)
    )
    if not surely_grounded(refinement):
        return {"misclassified": True}
    return {"plan": plan, "refinement": refinement}
