"""Node `outcome_prediction`: turns a decision into a chain of actions, asking first if it must."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import not_sent, unfit
from app.agent.updates.effects import sending
from app.approvals.approval import (
    declined,
    first_held,
    given_up,
    questioned,
    unagreed,
    values_with,
    wanted,
)
from app.approvals.approval_scope import Past
from app.approvals.risk import Weighed, around, doubtful, marked, weighed
from app.domain.access import CONSEQUENTIAL, Effect
from app.domain.action import Chain
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.errors import InvalidAction
from app.hitl.questions import create_question
from app.page.snapshot import pack
from app.planning.dispatch import Dispatch, dispatch
from app.planning.validation import LONGEST
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
    return patch | {"question": create_question(asked, context.request_id)}


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


async def ruled(
    chain: Chain,
    refinement: Decision,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
    past: Past,
) -> tuple[Weighed, ...]:
    """Each action with its ruling. The critic is asked at most once; without it, the graver view stands."""
    said, pending = effects_said(refinement, state)
    found = weighed(chain, refinement, situation, context.policy, said=said, pending=pending)
    in_doubt = doubtful(unagreed(found, situation, past), context.policy)
    if not context.modelled or not in_doubt:
        return found
    acts = tuple(_told(one, values_with(one, found, situation)) for one in in_doubt)
    opinion = await context.reasoner.examine(situation, acts, around(in_doubt))
    return tuple(one.with_opinion(opinion, context.policy) for one in found)


def _told(one: Weighed, values: tuple[str, ...]) -> str:
    return f"{one.sentence()} ({'; '.join(values)})" if values else one.sentence()


def effects_said(refinement: Decision, state: AgentState) -> tuple[Effect | None, Effect | None]:
    """The effect that the model says of these actions, and the consequential one that it said of the whole
    goal, which is pending until the person was asked about a press.
    """
    analysis, background = state["analysis"], state["background"]
    whole = analysis.effect if analysis is not None else None
    asked = bool(background.approved or background.refused)
    if whole not in CONSEQUENTIAL:
        return refinement.effect or whole, None
    return refinement.effect, None if asked else whole
