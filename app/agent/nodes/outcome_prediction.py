"""Node `outcome_prediction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.domain.plan import Outcome
from app.engines.dispatch import dispatch
from app.engines.progress import step_limit
from app.engines.reasoner import Situation
from app.engines.verification.snapshot import pack
from app.errors import InvalidAction


async def outcome_prediction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement, plan, deeds, steps; writes chain, judged, before, deeds, steps, outcome."""
    context, refinement = runtime.context, state["refinement"]
    assert refinement is not None
    deeds = tuple(state["deeds"])
    if outcome := step_limit(state["steps"], context.max_steps, deeds):
        return {"outcome": outcome}
    situation = Situation(goal=state["goal"], page=context.page, plan=state["plan"], deeds=deeds)
    expected = await context.reasoner.predict(situation, refinement.proposals)
    try:
        sent = dispatch(
            refinement, situation, expected, seed=f"{context.request_id}/{state['steps']}"
        )
    except InvalidAction as error:
        return {"outcome": Outcome(status="failed", message=error.detail, code=error.code)}
    patch: Patch = {
        "chain": sent.chain,
        "deeds": [*state["deeds"], *sent.deeds],
        "steps": state["steps"] + 1,
    }
    if not sent.waits_only:
        patch |= {"judged": sent.chain, "before": pack(context.page)}
    return patch
