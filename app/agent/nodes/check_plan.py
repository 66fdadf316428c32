"""Node `replanning`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.page.snapshot import unpack
from app.recovery.replanning import reconsidering, signed_out_since


async def replanning(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads replanning, reconsidered, plan, before; writes replanning, reconsidered, outcome.

    The plan is held against a page once.
    """
    context = runtime.context
    known = reconsidering(context.page, state["reconsidered"])
    if known is None:
        return {"replanning": None}
    situation, before = situation_of(state, context), unpack(state["before"])
    outcome = await signed_out_since(situation, before, context.reasoner)
    return {"reconsidered": known, "outcome": outcome}
