"""Node `verification`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.refining import moved_on
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.engines.progress import Standing, judge


async def verification(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads all that is under way; writes verdict, deeds, plan, counters, outcome."""
    context, chain, judged = runtime.context, state["chain"], state["judged"]
    assert chain is not None
    assert judged is not None
    situation = situation_of(state, context)
    standing = Standing(
        goal=situation.goal,
        instruction=state["instruction"],
        plan=situation.plan,
        chain=chain,
        judged=judged,
        before=state["before"],
        report=state["report"],
        deeds=situation.deeds,
    )
    result = judge(standing, context.page, context.report)
    return moved_on(result, state)
