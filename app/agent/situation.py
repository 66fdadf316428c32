"""The one place where a run's state becomes what engines and reasoners are asked about."""

from app.agent.context import AgentContext
from app.agent.state import AgentState
from app.domain.background import Background
from app.domain.page import Observation
from app.domain.plan import Decision, Plan
from app.domain.reasoner import Situation
from app.page.lookup import look_up
from app.page.render import no_picture
from app.planning.hierarchy import goal_of


def situation_of(
    state: AgentState, context: AgentContext, *, plan: Plan | None = None
) -> Situation:
    """Where the run stands on this page; `plan` in place of the state's.

    Where there are sub-tasks, the goal is the current one's; the whole goal is the instruction's text.
    """
    now = plan or state["plan"]
    last, analysis = state["refinement"], state["analysis"]
    return Situation(
        goal=goal_of(now, state["goal"]),
        page=context.page,
        effect=analysis.effect if analysis is not None else None,
        instruction=state["instruction"],
        plan=now,
        deeds=tuple(state["deeds"][state["since"] :]),
        background=state["background"],
        verdict=state["verdict"],
        before=state["before"],
        shown_before=state["shown_before"],
        refused=state["refused"],
        unsent=last.unsent if last is not None and state["refused"] is None else (),
        seeing=_seeing(last, context.page) if last is not None and state["refused"] is None else "",
        looked_up=_looked_up(last, context.page, state["background"]) if last is not None else "",
        today=context.today,
        rules_only=state["recipe"] is not None or state["spending"].without_model,
        replanning=state["replanning"],
    )


def _looked_up(last: Decision, page: Observation, known: Background) -> str:
    """Each thing that was asked for, and on the lines after it what the page or a file says."""
    told = ((asked, look_up(asked, page, known.downloads)) for asked in last.lookups)
    return "\n".join(f"{asked.text}:\n{answer}" for asked, answer in told)


def _seeing(last: Decision, page: Observation) -> str:
    """What came of a look that was asked for, after the thought that asked for it."""
    if last.outcome != "look" or last.mode is None:
        return ""
    if page.mode == last.mode and (last.mode != "hybrid" or page.screenshot is not None):
        return f"{last.thought} So you asked to see the page as {last.mode}: here it is."
    if last.mode == "hybrid":
        return f"{last.thought} So you asked for a picture: {no_picture(page)}."
    return f"{last.thought} So you asked to see the page as {last.mode}, which it cannot be."
