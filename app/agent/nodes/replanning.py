"""Node `replanning`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.engines.replanning import hold, reconsidering
from app.engines.verification.snapshot import unpack


async def replanning(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads replanning, reconsidered, judged, before; writes replanning, reconsidered, plan, deeds,
    outcome.

    The plan is held against a page once: what was decided of it then is in the plan.
    """
    context, seen, judged = runtime.context, state["replanning"], state["judged"]
    assert seen is not None
    assert judged is not None
    known = reconsidering(context.page, state["reconsidered"])
    if known is None:
        return {"replanning": None}
    held = await hold(
        situation_of(state, context),
        seen,
        unpack(state["before"]),
        judged.expected,
        context.reasoner,
        modelled=context.modelled,
    )
    return {
        "replanning": held.found,
        "reconsidered": known,
        "plan": held.plan,
        "deeds": [*state["deeds"][: state["since"]], *held.deeds],
        "outcome": held.outcome,
    }
