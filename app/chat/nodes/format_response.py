"""The node that ends a turn."""

from langgraph.runtime import Runtime

from app.chat.output.lines import memory_id
from app.chat.state import (
    MAX_DOCUMENTS,
    MAX_TURN_LENGTH,
    MAX_TURNS,
    ChatContext,
    ChatState,
    Patch,
    turn_documents,
)
from app.domain.chat import ChatRole, ChatTurn


def format_response(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Add the turn to the memory of the thread, unless it was cancelled."""
    patch = runtime.context.usage_patch(state) | Patch(reply=None, reply_mentions=[])
    answer = state["answer"]
    if state["cancelled"] or answer is None:
        return patch
    about = turn_documents(state)
    texts: dict[ChatRole, str] = {"user": state["message"], "assistant": answer.text}
    turns = [
        ChatTurn(
            message_id=memory_id(state["turn_id"], role),
            role=role,
            text=text[:MAX_TURN_LENGTH],
            documents=about,
        )
        for role, text in texts.items()
    ]
    new = {document.title: document.id for document in about}
    old = {title: id_ for title, id_ in state["conversation_docs"].items() if title not in new}
    return patch | Patch(
        messages=[*state["messages"], *turns][-MAX_TURNS:],
        conversation_docs=dict([*old.items(), *new.items()][-MAX_DOCUMENTS:]),  # the latest last
    )
