"""Node `verification`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import apply_judgement
from app.agent.updates.takeover import credit_person_acts
from app.hitl.ledger import mark_settled
from app.plans import score_prediction
from app.recovery import ChainContext, assess_chain, doubt_if_by_person, settle_chain


async def verification(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads all that is under way; writes verdict, deeds, plan, counters, score, outcome.

    Tier 1 judges every look; a model is asked only where that leaves it open.
    """
    context, chain, judged = runtime.context, state["chain"], state["judged"]
    assert chain is not None
    assert judged is not None
    situation, complexity = situation_of(state, context), state["complexity"]
    standing = ChainContext(
        goal=situation.goal,
        instruction=state["instruction"],
        plan=situation.plan,
        chain=chain,
        judged=judged,
        before=state["before"],
        report=state["report"],
        deeds=situation.deeds,
        simple=complexity is not None and complexity.level == "SIMPLE",
        last=situation.verdict,
    )
    look = assess_chain(standing, context.page, context.report)
    asked = look.question(modelled=context.has_model)
    opinion = await context.reasoner.judge(situation, asked) if asked else None
    verdict = doubt_if_by_person(look.verdict(opinion), look, context.hand_back or ())
    patch = apply_judgement(settle_chain(look, verdict), state)
    if look.moves_on or not state["shown_before"]:
        patch["shown_before"] = state["before"]
    patch["executed"] = mark_settled(state["executed"], patch["deeds"])
    if context.hand_back is not None:
        patch = credit_person_acts(
            state, patch, context.page, context.hand_back, request_id=context.request_id
        )
    score = score_prediction(judged, look.before, context.page, verdict)
    return patch | Patch(score=score, notice=opinion.notice if opinion else None)
