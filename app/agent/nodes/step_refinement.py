"""Node `step_refinement`, and what follows from any decision: it is rejected, asked about, or followed."""

from langgraph.runtime import Runtime

from app.agent import subtasks
from app.agent.context import AgentContext, ask, situation_of
from app.agent.state import AgentState, Patch
from app.approvals import complete_required
from app.domain.hitl import Question
from app.domain.plan import Decision, Outcome
from app.domain.reasoner import Situation
from app.page import check_declared_end, needs_second_opinion
from app.plans import (
    MOST_QUESTIONS,
    apply_choice,
    choice_question,
    current_subtask,
    decide_lost_choice,
    find_impropriety,
    find_search,
    given_up_outcome,
    has_next_subtask,
    restrict_to_choice,
    strip_unasked_addresses,
    word_question,
)
from app.provenance import enforce_sources
from app.recovery import (
    advance_after_decision,
    apply_model_plan,
    find_contingency,
    insert_contingency,
    is_aside,
    make_correction,
    uncover_control,
)
from app.skills import describe_past_attempt
from app.verification import resolve_server_actions

MOST_LOOKUPS = 3  # lookups since the last action
MAX_REGENERATIONS = 2  # DESIGN, "Critic": then the run ends with the reason
ENDS = frozenset({"finish", "answer", "done"})
MISSING = {"source": "missing_info", "return_to": "step_refinement/continue"}


async def step_refinement(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Decide on the next action.

    The first decision may have come with the analysis of this page; it is used once. An obstacle that
    the plan foresaw is cleared away first.
    """
    context, analysis = runtime.context, state["analysis"]
    situation = situation_of(state, context)
    first = analysis.first if analysis else None
    patch: Patch = {"analysis": analysis.model_copy(update={"first": None})} if analysis else {}
    if first is not None:
        return patch | apply_decision(first, situation, state, context)
    if (contingency := _apply_contingency(situation, state)) is not None:
        return patch | contingency
    decision = decide_lost_choice(situation) or apply_choice(
        await context.reasoner.refine(restrict_to_choice(situation)), situation
    )
    if (uncovering := uncover_control(decision, situation)) is not None:
        patch |= apply_decision(uncovering, situation, state, context)
        return patch | Patch(correction=make_correction(uncovering, situation))
    return patch | apply_decision(decision, situation, state, context)


def apply_decision(
    proposed: Decision, situation: Situation, state: AgentState, context: AgentContext
) -> Patch:
    """Follow the decision, reject it, ask the person, or end the run."""
    decision = _with_episode_hint(proposed, state)
    decision = resolve_server_actions(decision, situation.page, situation.background)
    decision = enforce_sources(complete_required(decision, situation), situation)
    patch: Patch = {
        "refinement": decision,
        "refusal_reason": None,
        "needs_critique": False,
        "notice": decision.notice or state["notice"],
    }
    if state["replanning"] is not None:
        patch["replanning"] = apply_model_plan(state["replanning"], situation.plan, decision)
    reason = _exceeded_limit(decision, situation, state)
    reason = reason or check_declared_end(decision, situation) or _explain_unsent(decision)
    if reason is not None:
        return patch | (_give_up_asking(decision) or reject_decision(reason, situation, state))
    if decision.outcome == "ask" and decision.question is not None:
        if (why := find_impropriety(decision.question, situation.page)) is not None:
            return patch | reject_decision(why, situation, state)
        question = decision.question.model_copy(update=MISSING)
        return patch | ask(word_question(question, situation.page), state, context.request_id)
    if decision.outcome == "ambiguous":
        choice = _selection_question(decision, situation, state)
        if choice is not None:
            return patch | ask(choice, state, context.request_id)
    if decision.outcome == "look":
        return patch | {"lookups": state["lookups"] + 1}
    if context.has_model and needs_second_opinion(decision, situation):
        return patch | {"needs_critique": True}
    return patch | advance_plan(decision, situation, state)


def _exceeded_limit(decision: Decision, situation: Situation, state: AgentState) -> str | None:
    """Why the decision is rejected, in words for its reasoner; None within the limits."""
    query = decision.query
    match decision.outcome:
        case "look" | "search" | "read" if state["lookups"] >= MOST_LOOKUPS:
            return "Enough was looked up for now. Do with what is known, ask, or fail."
        case "search" if find_search(situation, query) is not None:
            return (
                f"'{query}' was searched already; what came of it is known. Do with that, or ask."
            )
        case "read" if query in situation.background.extracts:
            return f"'{query}' was read from the page already. Do with that."
        case "ask" if state["question_count"] >= MOST_QUESTIONS:
            return "The person was asked often enough. Do with what is known, or fail."
    return None


def _give_up_asking(decision: Decision) -> Patch | None:
    """End the run if rules want to ask again, since they have no alternative."""
    question = decision.question if decision.outcome == "ask" else None
    if question is None or decision.maker != "rules":
        return None
    return {"outcome": given_up_outcome(question)}


def _explain_unsent(decision: Decision) -> str | None:
    """Why none of the actions can be sent; None if one can."""
    if decision.outcome != "act" or decision.proposals:
        return None
    return "; ".join(decision.unsent) or None


def _apply_contingency(situation: Situation, state: AgentState) -> Patch | None:
    """Insert the steps against a foreseen obstacle before the current step; None without one."""
    contingency = None if state["refusal_reason"] else find_contingency(situation, failed=False)
    if contingency is None:
        return None
    plan, records = insert_contingency(situation, contingency)
    earlier = state["action_records"][: state["subtask_start"]]
    return {"plan": plan, "action_records": [*earlier, *records], "refinement": None}


def _selection_question(
    decision: Decision, situation: Situation, state: AgentState
) -> Question | None:
    """The question which element is meant; None if there is none, or no question is left."""
    step = situation.plan.step
    if (step and is_aside(step)) or state["question_count"] >= MOST_QUESTIONS:
        return None
    return choice_question(decision, situation.page, step)


def reject_decision(
    reason: str, situation: Situation, state: AgentState, *, code: str | None = None
) -> Patch:
    """Have the decision made again for this reason.

    After `MAX_REGENERATIONS` the run fails with the reason, without addresses that came from the page,
    and with the error's `code`.
    """
    if state["refusal_count"] >= MAX_REGENERATIONS:
        message = strip_unasked_addresses(reason, situation)
        return {"outcome": Outcome(status="failed", message=message, code=code)}
    return {"refusal_reason": reason, "refusal_count": state["refusal_count"] + 1}


def advance_plan(decision: Decision, situation: Situation, state: AgentState) -> Patch:
    """Advance the plan by the decision, which may end the run or the sub-task."""
    plan, outcome = advance_after_decision(decision, situation)
    status = outcome.status if outcome is not None else None
    if status == "completed" and decision.outcome in ENDS and has_next_subtask(plan):
        return subtasks.end_subtask(plan, decision, situation, state)
    if status == "failed" and decision.outcome == "done" and current_subtask(plan) is not None:
        return subtasks.retry_subtask(plan, plan.subtask, "the page does not confirm it", state)
    patch: Patch = {"plan": plan, "outcome": outcome}
    if plan.current != state["plan"].current:
        patch["lookups"] = 0
    return patch


def _with_episode_hint(decision: Decision, state: AgentState) -> Decision:
    """Mention an earlier attempt at the goal in the thought of a task's first action.

    Not for recipes, which replay one.
    """
    episodes = () if state["recipe"] is not None else state["background"].episodes
    hint = describe_past_attempt(episodes) if episodes and not state["action_records"] else None
    if hint is None or decision.outcome != "act" or hint in decision.thought:
        return decision
    return decision.model_copy(update={"thought": f"{hint} {decision.thought}".strip()})
