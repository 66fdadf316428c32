"""Node `outcome_prediction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.effects import sending
from app.agent.refining import unfit
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.engines.correction.repairs import begun
from app.engines.dispatch import dispatch
from app.engines.gates.approval import wanted
from app.engines.gates.following import Past
from app.engines.progress import step_limit
from app.engines.verification.snapshot import pack
from app.errors import InvalidAction
from app.hitl.putting import put


async def outcome_prediction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement, plan, deeds, steps; writes chain, judged, before, deeds, repair, question,
    outcome. What is hard to undo waits for a person.
    """
    context, refinement = runtime.context, state["refinement"]
    assert refinement is not None
    situation = situation_of(state, context)
    if outcome := step_limit(state["steps"], context.max_steps, situation.deeds):
        return {"outcome": outcome}
    expected = await context.reasoner.predict(situation, refinement.proposals)
    try:
        sent = dispatch(
            refinement,
            situation,
            expected,
            seed=f"{context.request_id}/{state['steps']}",
            turn=state["steps"] + 1,
        )
    except InvalidAction as error:
        return unfit(error, refinement, situation, state)
    patch: Patch = {
        "chain": sent.chain,
        "deeds": [*state["deeds"], *sent.deeds],
        "steps": state["steps"] + 1,
        "refusals": 0,
        "repair": begun(refinement, state["correction"], situation, sent),
    }
    if not sent.waits_only:
        patch |= {"judged": sent.chain, "before": pack(context.page)}
    past = Past(deeds=state["deeds"], judged=state["judged"], before=state["before"])
    asked = wanted(sent.chain, refinement, situation, context.policy, past)
    if asked is None:
        return patch | sending(sent.chain, situation, state)
    return patch | {"question": put(asked, context.request_id)}
