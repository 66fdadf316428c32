"""Node `step_refinement`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import apply_contingency, apply_decision
from app.plans import apply_choice, decide_lost_choice, restrict_to_choice
from app.recovery import make_correction, uncover_control


async def step_refinement(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal, plan, deeds, analysis; writes refinement, plan, question, correction, outcome.

    The analysis may have made the first choice with the plan, on this same page: it is used once.
    What the plan foresaw, and now stands in the way, is cleared away first.
    """
    context, analysis = runtime.context, state["analysis"]
    situation = situation_of(state, context)
    first = analysis.first if analysis else None
    used: Patch = {"analysis": analysis.model_copy(update={"first": None})} if analysis else {}
    if first is None:
        if (aside := apply_contingency(situation, state)) is not None:
            return used | aside
        found = decide_lost_choice(situation) or apply_choice(
            await context.reasoner.refine(restrict_to_choice(situation)), situation
        )
        if (cleared := uncover_control(found, situation)) is not None:
            patch = apply_decision(cleared, situation, state, context)
            return used | patch | Patch(correction=make_correction(cleared, situation))
        return used | apply_decision(found, situation, state, context)
    return used | apply_decision(first, situation, state, context)
