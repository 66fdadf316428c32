"""What the planner asks a person, and what their words change before a goal is analysed again."""

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.domain.directive import Instruction
from app.domain.plan import Plan
from app.engines.approach import MOST_QUESTIONS, given_up
from app.engines.asking import worded
from app.engines.gates.held import held
from app.engines.gates.planner import (
    confirmation,
    remaining,
    rest_of,
    restated,
    was_refused,
)
from app.engines.hierarchy import opens
from app.engines.progress import failed
from app.engines.reasoner import Situation
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


def consented(plan: Plan, situation: Situation, state: AgentState, context: AgentContext) -> Patch:
    """The question whether to begin the plan; nothing where nobody is to be asked.

    What the analysis chose to do first waits with the names of its controls, so that it can be told
    after the answer whether it is still there.
    """
    analysis = state["analysis"]
    asked = confirmation(analysis, plan, situation, context.policy)
    if asked is None or analysis is None:
        return {}
    if was_refused(asked, situation.background):
        return {"outcome": failed("You said no to this plan, so it was not done.", situation.deeds)}
    if state["asked"] >= MOST_QUESTIONS:
        return {"outcome": given_up(asked)}
    first = analysis.first
    if first is not None:
        waiting = held(first, [None] * len(first.proposals), context.page)
        analysis = analysis.model_copy(update={"first": first.model_copy(update={"held": waiting})})
    question = put(asked, context.request_id)
    return {"question": question, "asked": state["asked"] + 1, "analysis": analysis}
