"""Node `put_question`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.state import AgentState, Patch
from app.agent.updates.replies import line_of, row_of, withdrawn


async def put_question(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads question; writes it into the history and the inbox before a gate waits for the answer.

    Done again after a crash it changes nothing: the question's id follows from the request's. Where
    another question waits already, that one is asked, and what this one was about is not done.
    """
    context, question = runtime.context, state["question"]
    assert question is not None
    if context.asking is None:
        return {"question": question}
    stands = await context.asking.put(row_of(state, context), line_of(state, context))
    if stands.hitl_id != question.hitl_id:
        return Patch(question=stands.question) | withdrawn(state)
    dates = {"asked_at": stands.question.asked_at, "expires_at": stands.question.expires_at}
    return {"question": question.model_copy(update=dates)}
