"""What one request hands to the nodes, and the situation that reasoners are asked about."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from app.agent.knowledge_lookup import KnowledgeLookup
from app.agent.state import AgentState
from app.domain.access import Policy, Principal
from app.domain.action import ClientReport
from app.domain.background import Background
from app.domain.hitl import UserAction
from app.domain.page import Observation
from app.domain.plan import Decision, Plan
from app.domain.reasoner import Reasoner, Situation
from app.hitl.inbox import Asking
from app.page import explain_missing_picture, look_up
from app.plans import current_goal
from app.search.query import Search
from app.usage.allowance import Allowance

ANONYMOUS = Principal(tenant="", user="")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """Handed to nodes as `runtime.context`.

    The page lives here and not in the state, so that no tree is ever written to a checkpoint.
    Without a `search` the web cannot be asked; `knowing` asks the team's documents. `modelled` says that
    the reasoner has a model, whose doubtful choices are criticised. `policy` is the tenant's, `asking`
    where questions are written down before anyone is asked. `hand_back` is what the person did in the
    page before they gave the task back with this request; None where they did not have it. `who` asks;
    `allowance` is what the request may spend, None without a model. `today` is this machine's, when the
    request came in.
    """

    reasoner: Reasoner
    page: Observation
    report: ClientReport
    request_id: str
    max_steps: int
    search: Search | None = None
    knowledge: KnowledgeLookup = KnowledgeLookup(None)
    has_model: bool = False
    task_id: str = ""
    policy: Policy = Policy(tenant="")
    question_inbox: Asking | None = None
    hand_back: tuple[UserAction, ...] | None = None
    who: Principal = ANONYMOUS
    allowance: Allowance | None = None
    today: date = field(default_factory=lambda: datetime.now().astimezone().date())


def situation_of(
    state: AgentState, context: AgentContext, *, plan: Plan | None = None
) -> Situation:
    """Where the run stands on this page; `plan` in place of the state's.

    Where there are sub-tasks, the goal is the current one's; the whole goal is the instruction's text.
    """
    now = plan or state["plan"]
    last, analysis = state["refinement"], state["analysis"]
    return Situation(
        goal=current_goal(now, state["goal"]),
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
        seeing=_requested_view(last, context.page)
        if last is not None and state["refused"] is None
        else "",
        looked_up=_lookup_answers(last, context.page, state["background"])
        if last is not None
        else "",
        today=context.today,
        rules_only=state["recipe"] is not None or state["spending"].without_model,
        replanning=state["replanning"],
    )


def _lookup_answers(last: Decision, page: Observation, known: Background) -> str:
    """Each thing that was asked for, and on the lines after it what the page or a file says."""
    told = ((asked, look_up(asked, page, known.downloads)) for asked in last.lookups)
    return "\n".join(f"{asked.text}:\n{answer}" for asked, answer in told)


def _requested_view(last: Decision, page: Observation) -> str:
    """What came of a look that was asked for, after the thought that asked for it."""
    if last.outcome != "look" or last.mode is None:
        return ""
    if page.mode == last.mode and (last.mode != "hybrid" or page.screenshot is not None):
        return f"{last.thought} So you asked to see the page as {last.mode}: here it is."
    if last.mode == "hybrid":
        return f"{last.thought} So you asked for a picture: {explain_missing_picture(page)}."
    return f"{last.thought} So you asked to see the page as {last.mode}, which it cannot be."


MAX_SCREENSHOTS = 32  # pictures, of some 100 kB each


class ScreenshotCache:
    """Kept in memory alone: no picture of a page is ever stored. Another process has none."""

    def __init__(self, most: int = MAX_SCREENSHOTS) -> None:
        self._most = most
        self._screenshots: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def restore(self, tenant: str, task_id: str, page: Observation) -> Observation:
        """The page with its picture: CONTRACT has `screenshot` null where it is as it was."""
        if page.mode != "hybrid" and not (page.pictured and page.says_little):
            # One that nobody asked for, and nobody needs, costs no model's tokens.
            return replace(page, screenshot=None)
        key = (tenant, task_id)
        picture = page.screenshot or self._screenshots.get(key)
        if picture is None:
            return page
        self._screenshots[key] = picture
        self._screenshots.move_to_end(key)
        if len(self._screenshots) > self._most:
            self._screenshots.popitem(last=False)
        return replace(page, screenshot=picture)
