"""Node `planning`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.domain.plan import Outcome
from app.plans import insert_subtask_plan, is_subtask_unplanned
from app.recovery import must_reread, restore_plan

FORGOTTEN = "What was to be done is no longer known: begin the task anew."


async def planning(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Take the analysis's plan, or have one made; a plan whose secrets were forgotten is read again."""
    situation, reasoner = situation_of(state, runtime.context), runtime.context.reasoner
    if must_reread(state["plan"]):
        restored = restore_plan(state["plan"], await reasoner.plan(situation))
        if restored is not None:
            return {"plan": restored}
        return {"outcome": Outcome(status="failed", message=FORGOTTEN)}
    analysis = state["analysis"]
    plan = analysis.plan if analysis else None
    if plan is None or not plan.steps:
        plan = await reasoner.plan(situation)
    if is_subtask_unplanned(situation.plan):
        plan = insert_subtask_plan(situation.plan, plan)
    if not plan.steps:
        message = f"No steps were found that would do this: {situation.goal}"
        return {"plan": plan, "outcome": Outcome(status="failed", message=message)}
    return {"plan": plan, "lookups": 0}
