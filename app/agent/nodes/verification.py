"""Node `verification`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.engines.progress import Standing, judge


async def verification(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads all that is under way; writes verdict, deeds, plan, counters, outcome."""
    context, chain, judged = runtime.context, state["chain"], state["judged"]
    assert chain is not None
    assert judged is not None
    standing = Standing(
        goal=state["goal"],
        instruction=state["instruction"],
        plan=state["plan"],
        chain=chain,
        judged=judged,
        before=state["before"],
        report=state["report"],
        deeds=tuple(state["deeds"]),
    )
    result = judge(standing, context.page, context.report)
    return {
        "verdict": result.verdict,
        "report": result.report,
        "plan": result.plan,
        "deeds": list(result.deeds),
        "similarity": result.similarity,
        "correction": None,
        "outcome": result.outcome,
    }
