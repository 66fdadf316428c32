"""What a choice for the current step changes, however it was made."""

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.agent.updates import subtasks
from app.agent.updates.lessons import learn_from, with_episode_hint
from app.approvals import complete_required
from app.domain.hitl import Question
from app.domain.plan import Correction, Decision, Outcome
from app.domain.reasoner import Situation
from app.domain.verdict import RePlan, Verdict
from app.errors import InvalidAction
from app.hitl.questions import create_question
from app.page import check_declared_end, needs_second_opinion
from app.plans import (
    MOST_QUESTIONS,
    choice_question,
    find_impropriety,
    find_search,
    given_up_outcome,
    has_next_subtask,
    strip_unasked_addresses,
    word_question,
)
from app.provenance import enforce_sources
from app.recovery import (
    Judgement,
    advance_after_decision,
    apply_model_plan,
    failed_outcome,
    find_contingency,
    insert_contingency,
    is_aside,
    outcome_after_correction,
)
from app.recovery import settle_repair as settled_repair
from app.verification import resolve_server_actions

MOST_LOOKUPS = 3  # looks, searches and readings since the last action


ENDS = frozenset({"finish", "answer", "done"})
MISSING = {"source": "missing_info", "return_to": "step_refinement/continue"}
MAX_REGENERATIONS = 2  # DESIGN, "Critic": at most two; then the run ends with the reason
ON_THE_STEP = frozenset({"done", "missing", "ambiguous", "answer"})


def apply_decision(
    proposed: Decision, situation: Situation, state: AgentState, context: AgentContext
) -> Patch:
    """Follow the choice, refuse it, or end the run."""
    helped = with_episode_hint(proposed, state)
    served = resolve_server_actions(helped, situation.page, situation.background)
    refinement = enforce_sources(complete_required(served, situation), situation)
    patch: Patch = {
        "refinement": refinement,
        "refused": None,
        "doubted": False,
        "notice": refinement.notice or state["notice"],
    }
    if state["replanning"] is not None:
        patch["replanning"] = apply_model_plan(state["replanning"], situation.plan, refinement)
    reason = exceeded_limit(
        refinement,
        situation,
        lookups=state["lookups"],
        asked=state["asked"],
    )
    reason = reason or check_declared_end(refinement, situation) or _nothing_sent(refinement)
    if reason is not None:
        return patch | (_give_up_asking(refinement) or reject_decision(reason, situation, state))
    if refinement.outcome == "ask" and refinement.question is not None:
        return patch | _ask(refinement.question, situation, state, context)
    if refinement.outcome == "ambiguous" and (
        which := _selection_question(refinement, situation, state)
    ):
        question = create_question(which, context.request_id)
        return patch | {"question": question, "asked": state["asked"] + 1}
    if refinement.outcome == "look":
        return patch | {"lookups": state["lookups"] + 1}
    if context.has_model and needs_second_opinion(refinement, situation):
        return patch | {"doubted": True}
    return patch | advance_plan(refinement, situation, state)


def exceeded_limit(
    refinement: Decision, situation: Situation, *, lookups: int, asked: int
) -> str | None:
    """Why the refinement is not to be followed, as its reasoner is told; None when it is."""
    query = refinement.query
    match refinement.outcome:
        case "look" | "search" | "read" if lookups >= MOST_LOOKUPS:
            return "Enough was looked up for now. Do with what is known, ask, or fail."
        case "search" if find_search(situation, query) is not None:
            return (
                f"'{query}' was searched already; what came of it is known. Do with that, or ask."
            )
        case "read" if query in situation.background.extracts:
            return f"'{query}' was read from the page already. Do with that."
        case "ask" if asked >= MOST_QUESTIONS:
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


def _ask(wanted: Question, situation: Situation, state: AgentState, context: AgentContext) -> Patch:
    """The question for what is missing within a step, which goes on with the answer."""
    if (why := find_impropriety(wanted, situation.page)) is not None:
        return reject_decision(why, situation, state)
    asked = word_question(wanted.model_copy(update=MISSING), situation.page)
    return {"question": create_question(asked, context.request_id), "asked": state["asked"] + 1}


def apply_correction(
    proposed: Decision,
    verdict: Verdict,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
) -> Patch:
    """As `refined`, after a failure: what is held to be done already is looked at anew."""
    patch = apply_decision(proposed, situation, state, context)
    step = situation.plan.step
    by_rules = proposed.maker == "rules"
    if patch.get("question") is not None:
        return patch
    if by_rules and proposed.outcome in ON_THE_STEP and not (step and is_aside(step)):
        outcome = outcome_after_correction(proposed, verdict, situation)
        patch |= {"plan": situation.plan, "outcome": outcome}
    return patch


def reject_action(
    error: InvalidAction, refinement: Decision, situation: Situation, state: AgentState
) -> Patch:
    """An action that the page cannot carry out: a model chooses again, a rule has erred."""
    if refinement.maker == "model":
        return reject_decision(error.detail, situation, state, code=error.code)
    return {"outcome": Outcome(status="failed", message=error.detail, code=error.code)}


def reject_declined(
    why: str, refinement: Decision, situation: Situation, state: AgentState
) -> Patch:
    """A person said no to it before: a model does without, rules have no other way."""
    if "model" in (refinement.maker, situation.plan.maker):
        return reject_decision(f"{why}. Do without it, or fail.", situation, state)
    return {"outcome": failed_outcome(f"{why}.", situation.deeds)}


def apply_judgement(result: Judgement, state: AgentState) -> Patch:
    """What a look at the page changes, once it was judged."""
    deeds = [*state["deeds"][: state["since"]], *result.deeds]
    patch: Patch = {
        "verdict": result.verdict,
        "report": result.report,
        "plan": result.plan,
        "deeds": deeds,
        "similarity": result.similarity,
        "replanning": replanning_reason(result),
        "chain": None,
        "correction": None,
        "repair": settled_repair(state["repair"], result.verdict),
        "notice": None,
        "refused": None,
        "refusals": 0,
        "lookups": 0,
        "outcome": result.outcome,
        "sub_task_completed": False if result.plan.subtasks else None,
    }
    if result.part_ended:
        patch |= subtasks.switch_subtask(result.plan, {}, state)
        patch["since"] = len(deeds)
    patch |= learn_from(result, state)
    if result.stepping_in is not None:
        patch["correction"] = Correction(
            strategy=f"foreseen: {result.stepping_in.trigger}", attempt=1, source="contingency"
        )
    return patch


def replanning_reason(result: Judgement) -> RePlan | None:
    """Why the plan is to be held against the page; None where the run ends or another part begins."""
    ends = result.outcome is not None or result.part_ended or result.plan.step is None
    return None if ends or result.stepping_in is not None else result.turned


def apply_contingency(situation: Situation, state: AgentState) -> Patch | None:
    """The steps against what was foreseen and stands in the way, put before the current one."""
    foreseen = None if state["refused"] else find_contingency(situation, failed=False)
    if foreseen is None:
        return None
    plan, deeds = insert_contingency(situation, foreseen)
    kept = state["deeds"][: state["since"]]
    return {"plan": plan, "deeds": [*kept, *deeds], "refinement": None}


def _selection_question(
    refinement: Decision, situation: Situation, state: AgentState
) -> Question | None:
    """The question which of several is meant; None where nobody is to be asked."""
    step = situation.plan.step
    if (step and is_aside(step)) or state["asked"] >= MOST_QUESTIONS:
        return None
    return choice_question(refinement, situation.page, step)


def reject_decision(
    reason: str, situation: Situation, state: AgentState, *, code: str | None = None
) -> Patch:
    """Have the choice made again, told why; after the last time, end with the reason, without addresses
    that a page brought in, and with the `code` of an error.
    """
    if state["refusals"] >= MAX_REGENERATIONS:
        message = strip_unasked_addresses(reason, situation)
        return {"outcome": Outcome(status="failed", message=message, code=code)}
    return {"refused": reason, "refusals": state["refusals"] + 1}


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
