"""Node `outcome_prediction`: turns a decision into a chain of actions, asking first if it must."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.nodes.step_refinement import reject_decision
from app.agent.state import AgentState, Patch
from app.approvals import (
    ActionRisk,
    RunHistory,
    accepted_objection_outcome,
    add_objection,
    approval_question,
    explain_declined,
    first_unapproved,
    list_doubtful,
    list_submitted_values,
    list_unapproved,
    mark_grave,
    text_around,
    weigh_chain,
)
from app.domain.access import CONSEQUENTIAL, Effect
from app.domain.action import Chain
from app.domain.plan import Decision, Outcome
from app.domain.reasoner import Situation
from app.errors import InvalidAction
from app.hitl import create_question, mark_sent, step_ids, was_sent
from app.page import pack
from app.plans import LONGEST, Dispatch, prepare_dispatch
from app.recovery import begin_repair, failed_outcome, step_limit_outcome

ALREADY_SENT = "This was sent before, and is not sent again"


async def outcome_prediction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement, plan, deeds, steps; writes refinement, chain, judged, before, deeds, repair,
    question, outcome. What is hard to undo, or was decided against, waits for a person.
    """
    context, refinement = runtime.context, state["refinement"]
    assert refinement is not None
    situation = situation_of(state, context)
    limit = step_limit_outcome(state["steps"], context.max_steps, situation.records)
    if outcome := limit or accepted_objection_outcome(
        situation.background, context.page, context.policy
    ):
        return {"outcome": outcome}
    past = RunHistory(
        records=state["action_records"],
        judged=state["unverified_chain"],
        before=state["page_before"],
    )
    try:
        sent = await _dispatch(refinement, situation, state, context)
        found = await _authorize_chain(sent.chain, refinement, situation, state, context, past)
        if at := first_unapproved(found, situation, past):
            sent = await _dispatch(refinement, situation, state, context, most=at)
            found = found[:at]
    except InvalidAction as error:
        if refinement.maker == "model":
            return reject_decision(error.detail, situation, state, code=error.code)
        return {"outcome": Outcome(status="failed", message=error.detail, code=error.code)}
    if (why := explain_declined(found, situation)) is not None:
        if "model" in (refinement.maker, situation.plan.maker):
            return reject_decision(f"{why}. Do without it, or fail.", situation, state)
        return {"outcome": failed_outcome(f"{why}.", situation.records)}
    chain = mark_grave(sent.chain, found)
    patch: Patch = {
        "chain": chain,
        "refinement": refinement.model_copy(update={"unsent": (*refinement.unsent, *sent.unsent)}),
        "action_records": [*state["action_records"], *sent.records],
        "steps": state["steps"] + 1,
        "refusal_count": 0,
        "repair": begin_repair(refinement, state["correction"], situation, sent),
    }
    if not sent.waits_only:
        patch |= {"unverified_chain": chain, "page_before": pack(context.page)}
    asked = approval_question(found, situation, past)
    asked = add_objection(asked, situation, context.policy)
    if asked is None:
        return patch | _record_dispatch(chain, situation, state)
    return patch | {"question": create_question(asked, context.request_id)}


async def _dispatch(
    refinement: Decision,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
    most: int = LONGEST,
) -> Dispatch:
    return prepare_dispatch(
        refinement,
        situation,
        await context.reasoner.predict(situation, refinement.proposals[:most]),
        seed=f"{context.request_id}/{state['steps']}",
        turn=state["steps"] + 1,
        most=most,
    )


async def _authorize_chain(
    chain: Chain,
    refinement: Decision,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
    past: RunHistory,
) -> tuple[ActionRisk, ...]:
    """Each action with its ruling. The critic is asked at most once; without it, the graver view stands."""
    said, pending = _stated_effects(refinement, state)
    found = weigh_chain(chain, refinement, situation, context.policy, said=said, pending=pending)
    in_doubt = list_doubtful(list_unapproved(found, situation, past), context.policy)
    if not context.has_model or not in_doubt:
        return found
    values = ("; ".join(list_submitted_values(one, found, situation)) for one in in_doubt)
    acts = tuple(
        f"{one.sentence()} ({typed})" if typed else one.sentence()
        for one, typed in zip(in_doubt, values, strict=True)
    )
    opinion = await context.reasoner.examine(situation, acts, text_around(in_doubt))
    return tuple(one.with_opinion(opinion, context.policy) for one in found)


def _stated_effects(refinement: Decision, state: AgentState) -> tuple[Effect | None, Effect | None]:
    """The effect that the model says of these actions, and the consequential one that it said of the whole
    goal, which is pending until the person was asked about a press.
    """
    analysis, background = state["analysis"], state["background"]
    whole = analysis.effect if analysis is not None else None
    asked = bool(background.approved or background.refused)
    if whole not in CONSEQUENTIAL:
        return refinement.effect or whole, None
    return refinement.effect, None if asked else whole


def _record_dispatch(chain: Chain, situation: Situation, state: AgentState) -> Patch:
    """The chain goes out: its steps are noted. Steps that were sent before are not sent again: the
    page is looked at for what to do instead.
    """
    steps = chain_step_ids(state, chain, state["steps"])
    if was_sent(state["executed"], steps):
        return Patch(chain=None, action_records=state["action_records"]) | reject_decision(
            ALREADY_SENT, situation, state
        )
    return {"executed": mark_sent(state["executed"], steps)}


def chain_step_ids(state: AgentState, chain: Chain, step_index: int) -> tuple[str, ...]:
    correction = state["correction"]
    attempt = correction.attempt if correction else 0
    return step_ids(step_index, attempt, len(chain.actions))
