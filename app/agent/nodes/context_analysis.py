"""Nodes `complexity_check` and `context_analysis`: what the goal is and what it needs."""

from dataclasses import replace

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.subtasks import handed_on, owing, said_or_read
from app.approvals.answer_values import turned_to
from app.domain.directive import Instruction
from app.hitl.questions import create_question
from app.planning.analysis import MOST_QUESTIONS, TURNED, approach, asking, rest_of
from app.planning.complexity import classify
from app.planning.hierarchy import accepted, opens
from app.planning.user_messages import worded


async def complexity_check(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal; writes instruction, complexity."""
    page = runtime.context.page
    instruction = await runtime.context.reasoner.understand(state["goal"], page)
    return {"instruction": instruction, "complexity": classify(instruction, page)}


async def context_analysis(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads all that is known; writes analysis, instruction, background, question, outcome."""
    context = runtime.context
    if (rest := asking_for_rest(state, context)) is not None:
        return rest
    meant = await understood_anew(state, context) or state["instruction"]
    situation = replace(situation_of(state, context), instruction=meant)
    analysis = await context.reasoner.analyse(situation)
    analyses = state["analyses"] + 1
    way = approach(analysis, situation, analyses=analyses, asked=state["asked"])
    patch: Patch = {
        "analysis": analysis.model_copy(update={"search": way.search}),
        "analyses": analyses,
        "instruction": meant,
        "refinement": None,
        "notice": analysis.notice or state["notice"],
        "outcome": way.outcome,
    }
    if way.question is not None:
        patch["question"] = create_question(way.question, context.request_id)
        patch["asked"] = state["asked"] + 1
    known = state["background"]
    if analysis.outputs:
        said = said_or_read(situation)
        found = accepted(situation.plan, analysis.outputs, context.page, said)
        known = patch["background"] = handed_on(known, found)
    if way.outcome is None and way.question is None and way.search is None:
        patch |= owing(situation.plan, known, state)
    return patch


def asking_for_rest(state: AgentState, context: AgentContext) -> Patch | None:
    """The question for what an answer left open, before a model is asked anything; None for none."""
    rest = rest_of(state["background"])
    if not rest or opens(state["plan"]) or state["asked"] >= MOST_QUESTIONS:
        return None
    question = create_question(worded(asking(rest), context.page), context.request_id)
    return {"question": question, "asked": state["asked"] + 1}


async def understood_anew(state: AgentState, context: AgentContext) -> Instruction | None:
    """What the person's last answer wants instead; None where it wants nothing else.

    A model is shown the goal and the answer side by side, and needs no other reading.
    """
    answers = state["background"].answers
    if context.modelled or not answers or answers[-1].about != TURNED:
        return None
    return await context.reasoner.understand(turned_to(answers[-1].text), context.page)
