"""Node `correction`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.nodes.step_refinement import apply_decision
from app.agent.state import AgentState, Patch
from app.plans import restrict_to_choice
from app.recovery import (
    explain_failure,
    hopeless_outcome,
    is_aside,
    make_correction,
    outcome_after_correction,
)

NOT_ACTING = frozenset({"done", "missing", "ambiguous", "answer"})


async def correction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Decide on another way after a failed chain.

    If rules find the step done already, the plan stays and the page is looked at again.
    """
    verdict = state["verdict"]
    assert verdict is not None
    situation = situation_of(state, runtime.context)
    if outcome := hopeless_outcome(situation):
        return {"outcome": outcome}
    reason = explain_failure(verdict, state["unverified_chain"], situation.records)
    decision = await runtime.context.reasoner.correct(restrict_to_choice(situation), reason)
    patch = apply_decision(decision, situation, state, runtime.context)
    step = situation.plan.step
    by_rules = decision.maker == "rules" and decision.outcome in NOT_ACTING
    if patch.get("question") is None and by_rules and not (step and is_aside(step)):
        outcome = outcome_after_correction(decision, verdict, situation)
        patch |= {"plan": situation.plan, "outcome": outcome}
    return patch | Patch(correction=make_correction(decision, situation))
