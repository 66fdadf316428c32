"""Nodes `put_question`, `person` and `format_response`: what a turn writes into its conversation."""

from datetime import timedelta

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.chat.output.lines import memory_id, question_line
from app.chat.state import (
    LONGEST_REMEMBERED,
    MOST_REGISTERED,
    MOST_REMEMBERED,
    ChatContext,
    ChatState,
    Patch,
    turn_documents,
)
from app.domain.chat import ChatRole, ChatTurn
from app.hitl import create_question, pending_row

# Nothing waits on the answer and no page changes beneath it: a day, and not a task's five minutes.
ANSWER_WITHIN = timedelta(hours=24)


async def save_question(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads question; writes it into the conversation and the inbox before `person` waits for the answer. A
    repeat after a crash changes nothing: the question's id follows from the request's.
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
    stands = await context.inbox.put(row, question_line(question, state), context.lease)
    return {"question": stands.question, "asked": state["asked"] + 1} | context.usage_update(state)


def await_reply(state: ChatState) -> Patch:
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


def format_response(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads answer, documents; writes messages and conversation_docs, unless the turn was cancelled."""
    ended = runtime.context.usage_update(state) | Patch(reply=None, reply_mentions=[])
    answer = state["answer"]
    if state["cancelled"] or answer is None:
        return ended
    about = turn_documents(state)
    texts: dict[ChatRole, str] = {"user": state["message"], "assistant": answer.text}
    said = [
        ChatTurn(
            message_id=memory_id(state["turn_id"], role),
            role=role,
            text=text[:LONGEST_REMEMBERED],
            documents=about,
        )
        for role, text in texts.items()
    ]
    new = {one.title: one.id for one in about}
    old = {title: id_ for title, id_ in state["conversation_docs"].items() if title not in new}
    return ended | Patch(
        messages=[*state["messages"], *said][-MOST_REMEMBERED:],
        conversation_docs=dict([*old.items(), *new.items()][-MOST_REGISTERED:]),  # the oldest go
    )
