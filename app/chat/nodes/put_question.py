"""The node that stores a question before it is sent."""

from datetime import timedelta

from langgraph.runtime import Runtime

from app.chat.output.lines import question_line
from app.chat.state import ChatContext, ChatState, Patch
from app.hitl import create_question, pending_row

# A day instead of a task's five minutes: no page changes in the meantime.
ANSWER_WITHIN = timedelta(hours=24)


async def put_question(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Store the question in the conversation and the inbox. A repeat after a crash changes nothing, since
    the id of the question is derived from that of the request.
    """
    context = runtime.context
    assert state["question"] is not None
    question = create_question(state["question"], context.request_id, lifetime=ANSWER_WITHIN)
    row = pending_row(
        question,
        tenant=state["tenant"],
        user=state["user_id"],
        task_id=context.task_id,
        thread_id=state["thread_id"],
        trace_id=state["trace_id"],
        goal=state["message"][:500],
        url="",
    )
    stored = await context.inbox.put(row, question_line(question, state), context.lease)
    return {"question": stored.question, "asked": state["asked"] + 1} | context.usage_patch(state)
