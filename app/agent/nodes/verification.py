"""Node `verification`."""

from langgraph.runtime import Runtime

from app.agent import subtasks
from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch, secrets_of
from app.agent.takeover import credit_person_acts
from app.domain.action import Chain
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
    """Judge the last chain: by tier 1, and by a model if that leaves it open."""
    context, chain, judged = runtime.context, state["chain"], state["unverified_chain"]
    assert chain is not None
    assert judged is not None
    situation, complexity = situation_of(state, context), state["complexity"]
    chain_context = ChainContext(
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
    assessment = assess_chain(chain_context, context.page, context.report)
    question = assessment.model_question(has_model=context.has_model)
    opinion = await context.reasoner.judge(situation, question) if question else None
    verdict = doubt_if_by_person(assessment.verdict(opinion), assessment, context.hand_back or ())
    result = settle_chain(assessment, verdict)
    patch = _apply_judgement(result, state) | _learn_from(result, judged, state)
    if assessment.changes_page or not state["page_before_effect"]:
        patch["page_before_effect"] = state["page_before"]
    patch["executed"] = mark_settled(state["executed"], patch["action_records"])
    if context.hand_back is not None:
        patch = credit_person_acts(
            state, patch, context.page, context.hand_back, request_id=context.request_id
        )
    score = score_prediction(judged, assessment.before, context.page, verdict)
    return patch | Patch(score=score, notice=opinion.notice if opinion else None)


def _apply_judgement(result: Judgement, state: AgentState) -> Patch:
    """Take over the result, and reset what was about the last page."""
    earlier = state["action_records"][: state["subtask_start"]]
    patch: Patch = {
        "verdict": result.verdict,
        "report": result.report,
        "plan": result.plan,
        "action_records": [*earlier, *result.records],
        "similarity": result.similarity,
        "replanning": _replanning_reason(result),
        "chain": None,
        "correction": None,
        "repair": settle_repair(state["repair"], result.verdict),
        "refusal_reason": None,
        "refusal_count": 0,
        "lookups": 0,
        "outcome": result.outcome,
        "subtask_completed": False if result.plan.subtasks else None,
    }
    if result.subtask_ended:
        patch |= subtasks.switch_subtask(result.plan, {}, {**state, **patch})
    if result.contingency is not None:
        patch["correction"] = Correction(
            strategy=f"foreseen: {result.contingency.trigger}", attempt=1, source="contingency"
        )
    return patch


def _replanning_reason(result: Judgement) -> RePlan | None:
    """Why to reconsider the plan; None if the page is the same, or no step of this plan is left."""
    ends = result.outcome is not None or result.subtask_ended or result.plan.step is None
    return None if ends or result.contingency is not None else result.page_change


def _learn_from(result: Judgement, judged: Chain, state: AgentState) -> Patch:
    """The lessons and uses of skills of the judged chain."""
    uses = list_used_skills(state["action_records"], judged, result.verdict)
    patch: Patch = {"lessons": [], "skill_uses": list(uses)}
    if any(record.purpose == "correct" for record in result.records):
        lessons = extract_lessons(
            result.records,
            judged,
            result.verdict,
            goal=state["goal"],
            instruction=state["instruction"],
            hidden=secrets_of(state),
        )
        patch["lessons"] = list(lessons)
    return patch
