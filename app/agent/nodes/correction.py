"""Node `correction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.nodes.step_refinement import apply_decision
from app.agent.state import AgentState, Patch
from app.domain.plan import Decision
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.plans import restrict_to_choice
from app.recovery import (
    explain_failure,
    hopeless_outcome,
    is_aside,
    make_correction,
    outcome_after_correction,
)


async def correction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, verdict, deeds, judged; writes refinement, correction, outcome."""
    verdict = state["verdict"]
    assert verdict is not None
    situation = situation_of(state, runtime.context)
    if outcome := hopeless_outcome(situation):
        return {"outcome": outcome}
    reason = explain_failure(verdict, state["judged"], situation.deeds)
    refinement = await runtime.context.reasoner.correct(restrict_to_choice(situation), reason)
    patch = apply_correction(refinement, verdict, situation, state, runtime.context)
    return patch | Patch(correction=make_correction(refinement, situation))


ON_THE_STEP = frozenset({"done", "missing", "ambiguous", "answer"})


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
