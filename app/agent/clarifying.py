"""What the planner asks a person, and what their words change before a goal is analysed again."""

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.domain.directive import Instruction
from app.engines.analysis import MOST_QUESTIONS
from app.engines.asking import worded
from app.engines.gates.planner import (
    remaining,
    rest_of,
    restated,
)
from app.engines.hierarchy import opens
from app.hitl.putting import put


def asking_for_rest(state: AgentState, context: AgentContext) -> Patch | None:
    """The question for what an answer left open, before a model is asked anything; None for none."""
    rest = rest_of(state["background"])
    if not rest or opens(state["plan"]) or state["asked"] >= MOST_QUESTIONS:
        return None
    question = put(worded(remaining(rest), context.page), context.request_id)
    return {"question": question, "asked": state["asked"] + 1}


async def understood_anew(state: AgentState, context: AgentContext) -> Instruction | None:
    """The goal as the person put it when they were asked what they meant; None where they were not.

    A model is shown the goal and the answer side by side, and needs no other reading.
    """
    if context.modelled:
        return None
    found: Instruction | None = None
    for words in restated(state["goal"], state["background"]):
        read = await context.reasoner.understand(words, context.page)
        if read.unread is None:
            return read
        found = found or read
    return found
