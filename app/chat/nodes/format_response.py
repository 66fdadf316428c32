"""Node `format_response`."""

from langgraph.runtime import Runtime

from app.chat.context import ChatContext
from app.chat.output.lines import memory_id
from app.chat.state import (
    LONGEST_REMEMBERED,
    MOST_REGISTERED,
    MOST_REMEMBERED,
    ChatState,
    Patch,
    turn_documents,
)
from app.domain.chat import ChatRole, ChatTurn, DocumentRef


def format_response(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads answer, documents; writes what lasts: messages and conversation_docs. A turn that was cancelled
    leaves both as they were.
    """
    ended = runtime.context.usage_update(state) | Patch(reply=None, reply_mentions=[])
    answer = state["answer"]
    if state["cancelled"] or answer is None:
        return ended
    about = turn_documents(state)
    said = [
        _line(state, "user", state["message"], about),
        _line(state, "assistant", answer.text, about),
    ]
    return ended | Patch(
        messages=[*state["messages"], *said][-MOST_REMEMBERED:],
        conversation_docs=_registry(state, about),
    )


def _line(state: ChatState, role: ChatRole, text: str, about: tuple[DocumentRef, ...]) -> ChatTurn:
    return ChatTurn(
        message_id=memory_id(state["turn_id"], role),
        role=role,
        text=text[:LONGEST_REMEMBERED],
        documents=about,
    )


def _registry(state: ChatState, about: tuple[DocumentRef, ...]) -> dict[str, str]:
    """What was there, with those of this turn last; the oldest go."""
    new = {one.title: one.id for one in about}
    old = {title: id_ for title, id_ in state["conversation_docs"].items() if title not in new}
    return dict(list((old | new).items())[-MOST_REGISTERED:])
