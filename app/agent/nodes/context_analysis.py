"""Node `context_analysis`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.domain.plan import Outcome
from app.engines.analysis import analyse


async def context_analysis(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads instruction; writes analysis, outcome."""
    instruction = state["instruction"]
    assert instruction is not None
    analysis = analyse(instruction, runtime.context.page)
    if analysis.answer is not None:
        return {
            "analysis": analysis,
            "outcome": Outcome(status="completed", message=analysis.answer),
        }
    if analysis.missing is not None:
        return {
            "analysis": analysis,
            "outcome": Outcome(status="failed", message=analysis.missing),
        }
    return {"analysis": analysis}
