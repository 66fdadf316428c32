"""A question of the chat as it is shown and kept."""

from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from app.chat.state import ChatState
from app.domain.chat import ChatLine
from app.domain.question import Question

ALL = {"id": "all", "label": "All of these"}


def event_of(question: Question, thread_id: str) -> dict[str, Any]:
    """The `interrupt` event of a question that was put."""
    event: dict[str, Any] = {
        "type": "interrupt",
        "interrupt_type": question.interrupt_type,
        "message": question.text,
        "hitl_id": question.hitl_id,
        "expires_at": question.expires_at,
        "thread_id": thread_id,
    }
    if question.options:
        options = [{"id": one.id, "label": one.label} for one in question.options]
        every = [ALL] if question.multiple and len(options) > 1 else []
        event["options"] = options + every
    return event


def line_of(question: Question, state: ChatState) -> ChatLine:
    """The line of the conversation in which it stands."""
    return ChatLine(
        message_id=str(uuid5(NAMESPACE_URL, f"{question.hitl_id}/asked")),
        tenant=state["tenant"],
        thread_id=state["thread_id"],
        turn_id=state["turn_id"],
        role="system",
        kind="question",
        content=question.text,
        metadata=event_of(question, state["thread_id"]),
        created_at=datetime.fromisoformat(question.asked_at),
    )
