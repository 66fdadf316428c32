"""Nodes `direct_action`, `step_refinement` and `critic`: choose the next action, and follow the choice."""

import structlog
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

log = structlog.get_logger(__name__)

MOST_LOOKUPS = 3  # looks, searches and readings since the last action
MAX_REGENERATIONS = 2  # DESIGN, "Critic": at most two; then the run ends with the reason
ENDS = frozenset({"finish", "answer", "done"})
MISSING = {"source": "missing_info", "return_to": "step_refinement/continue"}


async def step_refinement(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, deeds, analysis; writes refinement, plan, question, correction, outcome.

    The analysis may have made the first choice with the plan, on this same page: it is used once.
    What the plan foresaw, and now stands in the way, is cleared away first.
    """
    context, analysis = runtime.context, state["analysis"]
    situation = situation_of(state, context)
    first = analysis.first if analysis else None
    used: Patch = {"analysis": analysis.model_copy(update={"first": None})} if analysis else {}
    if first is not None:
        return used | apply_decision(first, situation, state, context)
    if (aside := _apply_contingency(situation, state)) is not None:
        return used | aside
    found = decide_lost_choice(situation) or apply_choice(
        await context.reasoner.refine(restrict_to_choice(situation)), situation
    )
    if (cleared := uncover_control(found, situation)) is not None:
        patch = apply_decision(cleared, situation, state, context)
        return used | patch | Patch(correction=make_correction(cleared, situation))
    return used | apply_decision(found, situation, state, context)


def apply_decision(
    proposed: Decision, situation: Situation, state: AgentState, context: AgentContext
) -> Patch:
    """Follow the choice, refuse it, or end the run."""
    helped = _with_episode_hint(proposed, state)
    served = resolve_server_actions(helped, situation.page, situation.background)
    refinement = enforce_sources(complete_required(served, situation), situation)
    patch: Patch = {
        "refinement": refinement,
        "refusal_reason": None,
        "needs_critique": False,
        "notice": refinement.notice or state["notice"],
    }
    if state["replanning"] is not None:
        patch["replanning"] = apply_model_plan(state["replanning"], situation.plan, refinement)
    reason = _exceeded_limit(refinement, situation, state)
    reason = reason or check_declared_end(refinement, situation) or _nothing_sent(refinement)
    if reason is not None:
        return patch | (_give_up_asking(refinement) or reject_decision(reason, situation, state))
    if refinement.outcome == "ask" and refinement.question is not None:
        if (why := find_impropriety(refinement.question, situation.page)) is not None:
            return patch | reject_decision(why, situation, state)
        missing = refinement.question.model_copy(update=MISSING)
        return patch | ask(word_question(missing, situation.page), state, context)
    if refinement.outcome == "ambiguous" and (
        which := _selection_question(refinement, situation, state)
    ):
        return patch | ask(which, state, context)
    if refinement.outcome == "look":
        return patch | {"lookups": state["lookups"] + 1}
    if context.has_model and needs_second_opinion(refinement, situation):
        return patch | {"needs_critique": True}
    return patch | advance_plan(refinement, situation, state)


def _exceeded_limit(refinement: Decision, situation: Situation, state: AgentState) -> str | None:
    """Why the refinement is not to be followed, as its reasoner is told; None when it is."""
    query = refinement.query
    match refinement.outcome:
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


def _give_up_asking(refinement: Decision) -> Patch | None:
    """The end where rules would only go on asking: they know no other way."""
    asked = refinement.question if refinement.outcome == "ask" else None
    return {"outcome": given_up_outcome(asked)} if asked and refinement.maker == "rules" else None


def _nothing_sent(refinement: Decision) -> str | None:
    """Why none of the actions that were chosen can be sent; None where one can."""
    if refinement.outcome != "act" or refinement.proposals:
        return None
    return "; ".join(refinement.unsent) or None


def _apply_contingency(situation: Situation, state: AgentState) -> Patch | None:
    """The steps against what was foreseen and stands in the way, put before the current one."""
    foreseen = None if state["refusal_reason"] else find_contingency(situation, failed=False)
    if foreseen is None:
        return None
    plan, records = insert_contingency(situation, foreseen)
    kept = state["action_records"][: state["subtask_start"]]
    return {"plan": plan, "action_records": [*kept, *records], "refinement": None}


def _selection_question(
    refinement: Decision, situation: Situation, state: AgentState
) -> Question | None:
    """The question which of several is meant; None where nobody is to be asked."""
    step = situation.plan.step
    if (step and is_aside(step)) or state["question_count"] >= MOST_QUESTIONS:
        return None
    return choice_question(refinement, situation.page, step)


def reject_decision(
    reason: str, situation: Situation, state: AgentState, *, code: str | None = None
) -> Patch:
    """Have the choice made again, told why; after the last time, end with the reason, without addresses
    that a page brought in, and with the `code` of an error.
    """
    if state["refusal_count"] >= MAX_REGENERATIONS:
        message = strip_unasked_addresses(reason, situation)
        return {"outcome": Outcome(status="failed", message=message, code=code)}
    return {"refusal_reason": reason, "refusal_count": state["refusal_count"] + 1}


def advance_plan(refinement: Decision, situation: Situation, state: AgentState) -> Patch:
    """The plan after the choice, and how the run ends or which sub-task follows, if it does."""
    plan, outcome = advance_after_decision(refinement, situation)
    is_done = outcome is not None and outcome.status == "completed"
    if is_done and refinement.outcome in ENDS and has_next_subtask(plan):
        return subtasks.end_subtask(plan, refinement, situation, state)
    if outcome is not None and subtasks.is_unconfirmed(refinement, outcome, plan):
        return subtasks.retry_subtask(plan, plan.subtask, "the page does not confirm it", state)
    patch: Patch = {"plan": plan, "outcome": outcome}
    if plan.current != state["plan"].current:
        patch["lookups"] = 0
    return patch


def _with_episode_hint(refinement: Decision, state: AgentState) -> Decision:
    """The first choice of a task, with what is remembered of the same goal in its thought.

    A recipe says so by being one.
    """
    episodes = () if state["recipe"] is not None else state["background"].episodes
    told = describe_past_attempt(episodes) if episodes and not state["action_records"] else None
    if told is None or refinement.outcome != "act" or told in refinement.thought:
        return refinement
    return refinement.model_copy(update={"thought": f"{told} {refinement.thought}".strip()})
