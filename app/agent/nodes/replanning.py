"""Node `replanning`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.page import unpack
from app.recovery import remember_page, sign_out_outcome


async def replanning(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reconsider the plan on a changed page, once per page."""
    context = runtime.context
    known = remember_page(context.page, state["reconsidered"])
    if known is None:
        return {"replanning": None}
    situation, before = situation_of(state, context), unpack(state["page_before"])
    outcome = await sign_out_outcome(situation, before, context.reasoner)
    return {"reconsidered": known, "outcome": outcome}
