"""Node `verification`."""

from langgraph.runtime import Runtime

from app.agent import subtasks
from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch, secrets_of
from app.agent.takeover import credit_person_acts
from app.domain.plan import Correction
from app.domain.verdict import RePlan
from app.hitl import mark_settled
from app.plans import score_prediction
from app.recovery import (
    ChainContext,
    Judgement,
    assess_chain,
    doubt_if_by_person,
    settle_chain,
    settle_repair,
)
from app.skills import extract_lessons, list_used_skills


async def verification(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads all that is under way; writes verdict, deeds, plan, counters, score, outcome.

    Tier 1 judges every look; a model is asked only where that leaves it open.
    """
    context, chain, judged = runtime.context, state["chain"], state["unverified_chain"]
    assert chain is not None
    assert judged is not None
    situation, complexity = situation_of(state, context), state["complexity"]
    standing = ChainContext(
        goal=situation.goal,
        instruction=state["instruction"],
        plan=situation.plan,
        chain=chain,
        judged=judged,
        before=state["page_before"],
        report=state["report"],
        records=situation.records,
        simple=complexity is not None and complexity.level == "SIMPLE",
        last=situation.verdict,
    )
    look = assess_chain(standing, context.page, context.report)
    asked = look.question(modelled=context.has_model)
    opinion = await context.reasoner.judge(situation, asked) if asked else None
    verdict = doubt_if_by_person(look.verdict(opinion), look, context.hand_back or ())
    patch = _apply_judgement(settle_chain(look, verdict), state)
    if look.moves_on or not state["page_before_effect"]:
        patch["page_before_effect"] = state["page_before"]
    patch["executed"] = mark_settled(state["executed"], patch["action_records"])
    if context.hand_back is not None:
        patch = credit_person_acts(
            state, patch, context.page, context.hand_back, request_id=context.request_id
        )
    score = score_prediction(judged, look.before, context.page, verdict)
    return patch | Patch(score=score, notice=opinion.notice if opinion else None)


def _learn_from(result: Judgement, state: AgentState) -> Patch:
    """The lessons and the uses of skills that a judged chain comes to."""
    judged = state["unverified_chain"]
    assert judged is not None
    uses = list(list_used_skills(state["action_records"], judged, result.verdict))
    if not any(record.purpose == "correct" for record in result.records):
        return {"lessons": [], "skill_uses": uses}
    lessons = extract_lessons(
        result.records,
        judged,
        result.verdict,
        goal=state["goal"],
        instruction=state["instruction"],
        hidden=secrets_of(state),
    )
    return {"lessons": list(lessons), "skill_uses": uses}


def _apply_judgement(result: Judgement, state: AgentState) -> Patch:
    """What a look at the page changes, once it was judged."""
    records = [*state["action_records"][: state["subtask_start"]], *result.records]
    patch: Patch = {
        "verdict": result.verdict,
        "report": result.report,
        "plan": result.plan,
        "action_records": records,
        "similarity": result.similarity,
        "replanning": _replanning_reason(result),
        "chain": None,
        "correction": None,
        "repair": settle_repair(state["repair"], result.verdict),
        "notice": None,
        "refusal_reason": None,
        "refusal_count": 0,
        "lookups": 0,
        "outcome": result.outcome,
        "subtask_completed": False if result.plan.subtasks else None,
    }
    if result.part_ended:
        patch |= subtasks.switch_subtask(result.plan, {}, state)
        patch["subtask_start"] = len(records)
    patch |= _learn_from(result, state)
    if result.stepping_in is not None:
        patch["correction"] = Correction(
            strategy=f"foreseen: {result.stepping_in.trigger}", attempt=1, source="contingency"
        )
    return patch


def _replanning_reason(result: Judgement) -> RePlan | None:
    """Why the plan is to be held against the page; None where the run ends or another part begins."""
    ends = result.outcome is not None or result.part_ended or result.plan.step is None
    return None if ends or result.stepping_in is not None else result.turned
