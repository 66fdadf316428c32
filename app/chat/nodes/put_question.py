"""Nodes `put_question` and `person`: ask a person, and wait for the answer."""

from datetime import timedelta

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.chat.context import ChatContext
from app.chat.output.lines import question_line
from app.chat.state import ChatState, Patch
from app.hitl.questions import create_question, pending_row

# Nothing waits on the answer and no page changes beneath it: a day, and not a task's five minutes.
ANSWER_WITHIN = timedelta(hours=24)


async def put_question(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads question; writes it into the conversation and the inbox before `person` waits for the answer.
    Done again after a crash it changes nothing: the question's id follows from the request's.
    """
    context, asked = runtime.context, state["question"]
    assert asked is not None
    question = create_question(asked, context.request_id, within=ANSWER_WITHIN)
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
    stands = await context.question_inbox.put(row, question_line(question, state))
    return {"question": stands.question, "asked": state["asked"] + 1} | context.usage_update(state)


def await_answer(state: ChatState) -> Patch:
    """Waits for a person to answer the question. No effect may precede the wait.

    Resumes with {request_id, reply, mentions}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "await_answer", "hitlId": question.hitl_id})
    reply = said["reply"]
    return {
        "request_id": said["request_id"],
        "reply": reply,
        "reply_mentions": said["mentions"],
        "results": [*state["results"], reply],
        "question": None,
        "cancelled": reply.decision in ("cancelled", "expired"),
    }
