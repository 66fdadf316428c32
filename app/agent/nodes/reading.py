"""Node `reading`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.state import AgentState, Patch

NOT_HERE = "The page does not say."


async def reading(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Answer the decision's question from the page."""
    decision, background = state["refinement"], state["background"]
    assert decision is not None
    patch: Patch = {"lookups": state["lookups"] + 1}
    if decision.lookups:  # answered with the page in the next prompt
        return patch
    question = decision.query
    answer = await runtime.context.reasoner.answer(situation_of(state, runtime.context), question)
    extracts = background.extracts | {question: answer or NOT_HERE}
    patch["background"] = background.model_copy(update={"extracts": extracts})
    return patch
