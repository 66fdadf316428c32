"""Nodes `complexity_check` and `context_analysis`: what the goal is and what it needs."""

from dataclasses import replace

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.subtasks import check_owed_outputs, output_sources, with_outputs
from app.approvals import strip_redirection
from app.domain.directive import Instruction
from app.hitl.questions import create_question
from app.plans import (
    MOST_QUESTIONS,
    TURNED,
    accept_outputs,
    ask_for_fields,
    choose_approach,
    classify_complexity,
    is_subtask_unplanned,
    remaining_fields,
    word_question,
)


async def complexity_check(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads goal; writes instruction, complexity."""
    page = runtime.context.page
    instruction = await runtime.context.reasoner.understand(state["goal"], page)
    return {"instruction": instruction, "complexity": classify_complexity(instruction, page)}


async def context_analysis(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads all that is known; writes analysis, instruction, background, question, outcome."""
    context = runtime.context
    if (rest := question_for_rest(state, context)) is not None:
        return rest
    meant = await reinterpret_goal(state, context) or state["instruction"]
    situation = replace(situation_of(state, context), instruction=meant)
    analysis = await context.reasoner.analyse(situation)
    analyses = state["analyses"] + 1
    way = choose_approach(analysis, situation, analyses=analyses, asked=state["asked"])
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
        said = output_sources(situation)
        found = accept_outputs(situation.plan, analysis.outputs, context.page, said)
        known = patch["background"] = with_outputs(known, found)
    if way.outcome is None and way.question is None and way.search is None:
        patch |= check_owed_outputs(situation.plan, known, state)
    return patch


def question_for_rest(state: AgentState, context: AgentContext) -> Patch | None:
    """The question for what an answer left open, before a model is asked anything; None for none."""
    rest = remaining_fields(state["background"])
    if not rest or is_subtask_unplanned(state["plan"]) or state["asked"] >= MOST_QUESTIONS:
        return None
    question = create_question(
        word_question(ask_for_fields(rest), context.page), context.request_id
    )
    return {"question": question, "asked": state["asked"] + 1}


async def reinterpret_goal(state: AgentState, context: AgentContext) -> Instruction | None:
    """What the person's last answer wants instead; None where it wants nothing else.

    A model is shown the goal and the answer side by side, and needs no other reading.
    """
    answers = state["background"].answers
    if context.has_model or not answers or answers[-1].about != TURNED:
        return None
    return await context.reasoner.understand(strip_redirection(answers[-1].text), context.page)
