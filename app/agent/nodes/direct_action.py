"""Node `direct_action`."""

from dataclasses import replace

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.nodes.step_refinement import apply_decision
from app.agent.state import AgentState, Patch
from app.plans import is_surely_grounded, single_step_plan


async def direct_action(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Decide a SIMPLE goal by rules; `misclassified` if its element is not certain."""
    instruction = state["instruction"]
    assert instruction is not None
    plan = single_step_plan(instruction)
    situation = situation_of(state, runtime.context, plan=plan)
    decision = await runtime.context.reasoner.refine(replace(situation, rules_only=True))
    if not is_surely_grounded(decision):
        return {"misclassified": True}
    return Patch(plan=plan) | apply_decision(decision, situation, state, runtime.context)
