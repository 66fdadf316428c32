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
    """Analyse what the goal needs: an answer, a question, a search, or a plan."""
    context = runtime.context
    if (question := _ask_remaining_fields(state, context)) is not None:
        return question
    instruction = await _reinterpret_goal(state, context) or state["instruction"]
    situation = replace(situation_of(state, context), instruction=instruction)
    analysis = await context.reasoner.analyse(situation)
    analyses = state["analysis_count"] + 1
    approach = choose_approach(
        analysis, situation, analyses=analyses, question_count=state["question_count"]
    )
    patch: Patch = {
        "analysis": analysis.model_copy(update={"search": approach.search}),
        "analysis_count": analyses,
        "instruction": instruction,
        "refinement": None,
        "notice": analysis.notice or state["notice"],
        "outcome": approach.outcome,
    }
    if approach.question is not None:
        patch |= ask(approach.question, state, context.request_id)
    background = state["background"]
    if analysis.outputs:
        outputs = accept_outputs(
            situation.plan, analysis.outputs, context.page, output_sources(situation)
        )
        background = patch["background"] = with_outputs(background, outputs)
    if approach.outcome is None and approach.question is None and approach.search is None:
        patch |= check_owed_outputs(situation.plan, background, state)
    return patch


def _ask_remaining_fields(state: AgentState, context: AgentContext) -> Patch | None:
    """Ask for the fields that the last answer left open, without calling a model; None if there are none."""
    fields = remaining_fields(state["background"])
    if (
        not fields
        or is_subtask_unplanned(state["plan"])
        or state["question_count"] >= MOST_QUESTIONS
    ):
        return None
    return ask(word_question(ask_for_fields(fields), context.page), state, context.request_id)


async def _reinterpret_goal(state: AgentState, context: AgentContext) -> Instruction | None:
    """Parse the last answer as the new goal if it asks for something else; otherwise None.

    A model needs no new parse, since its prompt has both the goal and the answer.
    """
    answers = state["background"].answers
    if context.has_model or not answers or answers[-1].about != TURNED:
        return None
    return await context.reasoner.understand(strip_redirection(answers[-1].text), context.page)
