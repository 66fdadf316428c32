"""What the planner asks a person, and what their words change before a goal is analysed again."""

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.approvals.facts import turned_to
from app.domain.directive import Instruction
from app.hitl.putting import put
from app.planning.analysis import MOST_QUESTIONS
from app.planning.goal_gate import TURNED, asking, rest_of
from app.planning.hierarchy import opens
from app.planning.question_limits import worded


def asking_for_rest(state: AgentState, context: AgentContext) -> Patch | None:
    """The question for what an answer left open, before a model is asked anything; None for none."""
    rest = rest_of(state["background"])
    if not rest or opens(state["plan"]) or state["asked"] >= MOST_QUESTIONS:
        return None
    question = put(worded(asking(rest), context.page), context.request_id)
    return {"question": question, "asked": state["asked"] + 1}


async def understood_anew(state: AgentState, context: AgentContext) -> Instruction | None:
    """What the person's last answer wants instead; None where it wants nothing else.

    A model is shown the goal and the answer side by side, and needs no other reading.
    """
    answers = state["background"].answers
    if context.modelled or not answers or answers[-1].about != TURNED:
        return None
    return await context.reasoner.understand(turned_to(answers[-1].text), context.page)
