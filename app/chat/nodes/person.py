"""The node that waits for the answer to a question."""

from langgraph.types import interrupt

from app.chat.state import ChatState, Patch


def person(state: ChatState) -> Patch:
    """Wait for the answer. Resumes with {request_id, reply, mentions}; no effect may precede the wait."""
    question = state["question"]
    assert question is not None
    resumed = interrupt({"kind": "await_answer", "hitlId": question.hitl_id})
    reply = resumed["reply"]
    return {
        "request_id": resumed["request_id"],
        "reply": reply,
        "reply_mentions": resumed["mentions"],
        "results": [*state["results"], reply],
        "question": None,
        "cancelled": reply.decision in ("cancelled", "expired"),
    }
