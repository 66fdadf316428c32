"""Node `planning`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.domain.plan import Outcome


async def planning(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads instruction; writes plan, outcome."""
    instruction = state["instruction"]
    assert instruction is not None
    plan = await runtime.context.reasoner.plan(instruction, runtime.context.page)
    if not plan.steps:
        message = f"No steps were found that would do this: {state['goal']}"
        return {"plan": plan, "outcome": Outcome(status="failed", message=message)}
    return {"plan": plan}
