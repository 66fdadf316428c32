"""Node `intent_resolver`."""

from langgraph.runtime import Runtime

from app.chat.calls import action_of
from app.chat.context import ChatContext, listing_of
from app.chat.request import question_of_action, understood
from app.chat.state import ChatState, Patch, noted
from app.domain.chat import ChatAction


async def intent_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages; writes intent, action, enable_web_search and resolution. Where it is
    open what is meant it asks; an answer is taken without asking a model again.
    """
    if state["reply"] is not None:
        return {"action": _chosen(state), "reply": None}
    tools = runtime.context.tools
    found = await understood(
        state["plain"], state["mentions"], state["messages"], await listing_of(state, tools), tools
    )
    patch: Patch = {
        "intent": found.intent,
        "action": found.intent.action,
        "enable_web_search": state["enable_web_search"] or found.intent.web,
        "resolution": found.documents,
        "notices": noted(state, found.intent.notice),
    }
    question = question_of_action(found.intent)
    if question is not None:
        where = {"source": "intent", "return_to": "intent_resolver/chosen"}
        patch["question"] = question.model_copy(update=where)
    return patch


def _chosen(state: ChatState) -> ChatAction:
    """The action that was picked; a question is the default for whoever wants none of them."""
    reply = state["reply"]
    return action_of(reply.selected[0] if reply and reply.selected else None) or "inquire"
