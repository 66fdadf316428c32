"""Node `complexity_check`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.plans import classify_complexity


async def complexity_check(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    page = runtime.context.page
    instruction = await runtime.context.reasoner.understand(state["goal"], page)
    return {"instruction": instruction, "complexity": classify_complexity(instruction, page)}
