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
    """Turn the decision into a chain with a prediction; consequential actions wait for approval."""
    context, decision = runtime.context, state["refinement"]
    assert decision is not None
    situation = situation_of(state, context)
    limit = step_limit_outcome(state["steps"], context.max_steps, situation.records)
    if outcome := limit or accepted_objection_outcome(
        situation.background, context.page, context.policy
    ):
        return {"outcome": outcome}
    history = RunHistory(
        records=state["action_records"],
        judged=state["unverified_chain"],
        before=state["page_before"],
    )
    try:
        dispatch = await _dispatch(decision, situation, state, context)
        risks = await _assess_risks(dispatch.chain, decision, situation, state, context, history)
        if at := first_unapproved(risks, situation, history):
            dispatch = await _dispatch(decision, situation, state, context, most=at)
            risks = risks[:at]
    except InvalidAction as error:
        if decision.maker == "model":
            return reject_decision(error.detail, situation, state, code=error.code)
        return {"outcome": Outcome(status="failed", message=error.detail, code=error.code)}
    if (why := explain_declined(risks, situation)) is not None:
        if "model" in (decision.maker, situation.plan.maker):
            return reject_decision(f"{why}. Do without it, or fail.", situation, state)
        return {"outcome": failed_outcome(f"{why}.", situation.records)}
    chain = mark_grave(dispatch.chain, risks)
    patch: Patch = {
        "chain": chain,
        "refinement": decision.model_copy(update={"unsent": (*decision.unsent, *dispatch.unsent)}),
        "action_records": [*state["action_records"], *dispatch.records],
        "steps": state["steps"] + 1,
        "refusal_count": 0,
        "repair": begin_repair(decision, state["correction"], situation, dispatch),
    }
    if not dispatch.waits_only:
        patch |= {"unverified_chain": chain, "page_before": pack(context.page)}
    question = approval_question(risks, situation, history)
    question = add_objection(question, situation, context.policy)
    if question is None:
        return patch | _record_dispatch(chain, situation, state)
    return patch | {"question": create_question(question, context.request_id)}


async def _dispatch(
    decision: Decision,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
    most: int = LONGEST,
) -> Dispatch:
    return prepare_dispatch(
        decision,
        situation,
        await context.reasoner.predict(situation, decision.proposals[:most]),
        seed=f"{context.request_id}/{state['steps']}",
        turn=state["steps"] + 1,
        most=most,
    )


async def _assess_risks(
    chain: Chain,
    decision: Decision,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
    history: RunHistory,
) -> tuple[ActionRisk, ...]:
    """Rule on each action. A model reviews doubtful ones in one call; without it the graver view holds."""
    stated, pending = _stated_effects(decision, state)
    risks = weigh_chain(
        chain, decision, situation, context.policy, model_effect=stated, pending=pending
    )
    doubtful = list_doubtful(list_unapproved(risks, situation, history), context.policy)
    if not context.has_model or not doubtful:
        return risks
    acts = []
    for risk in doubtful:
        values = "; ".join(list_submitted_values(risk, risks, situation))
        acts.append(f"{risk.sentence()} ({values})" if values else risk.sentence())
    opinion = await context.reasoner.examine(situation, tuple(acts), text_around(doubtful))
    return tuple(risk.with_opinion(opinion, context.policy) for risk in risks)


def _stated_effects(decision: Decision, state: AgentState) -> tuple[Effect | None, Effect | None]:
    """The model's effect of these actions, and its consequential effect of the goal.

    The latter is pending until a person was asked to approve an action.
    """
    analysis, background = state["analysis"], state["background"]
    of_goal = analysis.effect if analysis is not None else None
    if of_goal not in CONSEQUENTIAL:
        return decision.effect or of_goal, None
    return decision.effect, None if background.approved or background.refused else of_goal


def _record_dispatch(chain: Chain, situation: Situation, state: AgentState) -> Patch:
    """Enter the chain's steps in the ledger; reject the decision if one of them was sent before."""
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
