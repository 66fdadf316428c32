"""Node `context_analysis`."""

from dataclasses import replace

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, ask, situation_of
from app.agent.state import AgentState, Patch
from app.agent.subtasks import check_owed_outputs, output_sources, with_outputs
from app.approvals import strip_redirection
from app.domain.directive import Instruction
from app.plans import (
    MOST_QUESTIONS,
    TURNED,
    accept_outputs,
    ask_for_fields,
    choose_approach,
    is_subtask_unplanned,
    remaining_fields,
    word_question,
)


async def context_analysis(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads all that is known; writes analysis, instruction, background, question, outcome."""
    context = runtime.context
    if (rest := _question_for_rest(state, context)) is not None:
        return rest
    meant = await _reinterpret_goal(state, context) or state["instruction"]
    situation = replace(situation_of(state, context), instruction=meant)
    analysis = await context.reasoner.analyse(situation)
    analyses = state["analysis_count"] + 1
    way = choose_approach(analysis, situation, analyses=analyses, asked=state["question_count"])
    patch: Patch = {
        "analysis": analysis.model_copy(update={"search": way.search}),
        "analysis_count": analyses,
        "instruction": meant,
        "refinement": None,
        "notice": analysis.notice or state["notice"],
        "outcome": way.outcome,
    }
    if way.question is not None:
        patch |= ask(way.question, state, context)
    known = state["background"]
    if analysis.outputs:
        said = output_sources(situation)
        found = accept_outputs(situation.plan, analysis.outputs, context.page, said)
        known = patch["background"] = with_outputs(known, found)
    if way.outcome is None and way.question is None and way.search is None:
        patch |= check_owed_outputs(situation.plan, known, state)
    return patch


def _question_for_rest(state: AgentState, context: AgentContext) -> Patch | None:
    """The question for what an answer left open, before a model is asked anything; None for none."""
    rest = remaining_fields(state["background"])
    if not rest or is_subtask_unplanned(state["plan"]) or state["question_count"] >= MOST_QUESTIONS:
        return None
    return ask(word_question(ask_for_fields(rest), context.page), state, context)


async def _reinterpret_goal(state: AgentState, context: AgentContext) -> Instruction | None:
    """What the person's last answer wants instead; None where it wants nothing else.

    A model is shown the goal and the answer side by side, and needs no other reading.
    """
    answers = state["background"].answers
    if context.has_model or not answers or answers[-1].about != TURNED:
        return None
    return await context.reasoner.understand(strip_redirection(answers[-1].text), context.page)
