"""The one place where a run's state becomes what engines and reasoners are asked about."""

from app.agent.context import AgentContext
from app.agent.state import AgentState
from app.domain.plan import Plan
from app.engines.hierarchy import goal_of
from app.engines.reasoner import Situation


def situation_of(
    state: AgentState, context: AgentContext, *, plan: Plan | None = None
) -> Situation:
    """Where the run stands on this page; `plan` in place of the state's.

    Where there are sub-tasks, the goal is the current one's; the whole goal is the instruction's text.
    """
    now = plan or state["plan"]
    return Situation(
        goal=goal_of(now, state["goal"]),
        page=context.page,
        instruction=state["instruction"],
        plan=now,
        deeds=tuple(state["deeds"][state["since"] :]),
        background=state["background"],
        verdict=state["verdict"],
        refused=state["refused"],
        today=context.today,
        rules_only=state["recipe"] is not None or state["spending"].without_model,
        replanning=state["replanning"],
    )
