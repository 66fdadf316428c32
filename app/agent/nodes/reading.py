"""Node `reading`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch

NOT_HERE = "The page does not say."


async def reading(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads refinement, background; writes background, lookups."""
    refinement, background = state["refinement"], state["background"]
    assert refinement is not None
    if refinement.lookups:  # answered with the page, in the next prompt
        return {"lookups": state["lookups"] + 1}
    question = refinement.query
    answer = await runtime.context.reasoner.answer(situation_of(state, runtime.context), question)
    read = background.extracts | {question: answer or NOT_HERE}
    return {
        "background": background.model_copy(update={"extracts": read}),
        "lookups": state["lookups"] + 1,
    }
