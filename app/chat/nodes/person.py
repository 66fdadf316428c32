"""Node `person`."""

from langgraph.types import interrupt

from app.chat.state import ChatState, Patch


def person(state: ChatState) -> Patch:
    """Waits for a person to answer the question. No effect may precede the wait.

    Resumes with {request_id, reply, mentions}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "person", "hitlId": question.hitl_id})
    reply = said["reply"]
    return {
        "request_id": said["request_id"],
        "reply": reply,
        "reply_mentions": said["mentions"],
        "results": [*state["results"], reply],
        "question": None,
        "cancelled": reply.decision in ("cancelled", "expired"),
    }
