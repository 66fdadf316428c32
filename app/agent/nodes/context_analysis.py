"""Node `context_analysis`."""

from dataclasses import replace

from langgraph.runtime import Runtime

from app.agent.clarifying import asking_for_rest, understood_anew
from app.agent.context import AgentContext
from app.agent.situation import situation_of
from app.agent.state import AgentState, Patch
from app.agent.updates.subtasks import handed_on, owing, said_or_read
from app.hitl.putting import put
from app.planning.analysis import approach
from app.planning.hierarchy import accepted


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
        patch["question"] = put(way.question, context.request_id)
        patch["asked"] = state["asked"] + 1
    known = state["background"]
    if analysis.outputs:
        said = said_or_read(situation)
        found = accepted(situation.plan, analysis.outputs, context.page, said)
        known = patch["background"] = handed_on(known, found)
    if way.outcome is None and way.question is None and way.search is None:
        patch |= owing(situation.plan, known, state)
    return patch
