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

ON_THE_STEP = frozenset({"done", "missing", "ambiguous", "answer"})


async def correction(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, verdict, deeds, judged; writes refinement, correction, outcome. What rules hold to be
    done already is looked at anew.
    """
    verdict = state["verdict"]
    assert verdict is not None
    situation = situation_of(state, runtime.context)
    if outcome := hopeless_outcome(situation):
        return {"outcome": outcome}
    reason = explain_failure(verdict, state["unverified_chain"], situation.records)
    chosen = await runtime.context.reasoner.correct(restrict_to_choice(situation), reason)
    patch = apply_decision(chosen, situation, state, runtime.context)
    step = situation.plan.step
    on_the_step = chosen.maker == "rules" and chosen.outcome in ON_THE_STEP
    if patch.get("question") is None and on_the_step and not (step and is_aside(step)):
        outcome = outcome_after_correction(chosen, verdict, situation)
        patch |= {"plan": situation.plan, "outcome": outcome}
    return patch | Patch(correction=make_correction(chosen, situation))
