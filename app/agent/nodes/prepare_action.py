"""Node `outcome_prediction`."""

from langgraph.runtime import Runtime

from app.agent.authorization import ruled
from app.agent.context import AgentContext
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import not_sent, unfit
from app.agent.updates.effects import sending
from app.approvals.advised import given_up, questioned
from app.approvals.approval import declined, first_held, wanted
from app.approvals.following import Past
from app.approvals.weighing import marked
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.errors import InvalidAction
from app.hitl.putting import put
from app.page.snapshot import pack
from app.planning.chain import LONGEST
from app.planning.dispatch import Dispatch, dispatch
from app.recovery.correction.repairs import begun
from app.recovery.progress import step_limit


async def outcome_prediction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement, plan, deeds, steps; writes refinement, chain, judged, before, deeds, repair,
    question, outcome. What is hard to undo, or was decided against, waits for a person.
    """
    context, refinement = runtime.context, state["refinement"]
    assert refinement is not None
    situation = situation_of(state, context)
    limit = step_limit(state["steps"], context.max_steps, situation.deeds)
    if outcome := limit or given_up(situation.background, context.page, context.policy):
        return {"outcome": outcome}
    past = Past(deeds=state["deeds"], judged=state["judged"], before=state["before"])
    try:
        sent = await _dispatched(refinement, situation, state, context)
        found = await ruled(sent.chain, refinement, situation, state, context, past)
        if at := first_held(found, situation, past):
            sent = await _dispatched(refinement, situation, state, context, most=at)
            found = found[:at]
    except InvalidAction as error:
        return unfit(error, refinement, situation, state)
    if (why := declined(found, situation)) is not None:
        return not_sent(why, refinement, situation, state)
    chain = marked(sent.chain, found)
    patch: Patch = {
        "chain": chain,
        "refinement": refinement.model_copy(update={"unsent": (*refinement.unsent, *sent.unsent)}),
        "deeds": [*state["deeds"], *sent.deeds],
        "steps": state["steps"] + 1,
        "refusals": 0,
        "repair": begun(refinement, state["correction"], situation, sent),
    }
    if not sent.waits_only:
        patch |= {"judged": chain, "before": pack(context.page)}
    asked = wanted(found, situation, past)
    asked = questioned(asked, situation, context.policy)
    if asked is None:
        return patch | sending(chain, situation, state)
    return patch | {"question": put(asked, context.request_id)}


async def _dispatched(
    refinement: Decision,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
    most: int = LONGEST,
) -> Dispatch:
    return dispatch(
        refinement,
        situation,
        await context.reasoner.predict(situation, refinement.proposals[:most]),
        seed=f"{context.request_id}/{state['steps']}",
        turn=state["steps"] + 1,
        most=most,
    )
