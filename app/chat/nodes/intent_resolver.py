"""Node `intent_resolver`."""

from langgraph.runtime import Runtime

from app.chat.calls import parse_action
from app.chat.context import ChatContext, load_listing
from app.chat.request import question_of_action, understand_request
from app.chat.state import ChatState, Patch, add_notices
from app.domain.chat import ChatAction


async def intent_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, mentions, messages; writes intent, action, enable_web_search and resolution. Where it is
    open what is meant it asks; an answer is taken without asking a model again.
    """
    if state["reply"] is not None:
        return {"action": _chosen(state), "reply": None}
    tools = runtime.context.tools
    found = await understand_request(
        state["plain"],
        state["mentions"],
        state["messages"],
        await load_listing(state, tools),
        tools,
    )
    patch: Patch = {
        "intent": found.intent,
        "action": found.intent.action,
        "enable_web_search": state["enable_web_search"] or found.intent.web,
        "resolution": found.documents,
        "notices": add_notices(state, found.intent.notice),
    }
    question = question_of_action(found.intent)
    if question is not None:
        where = {"source": "intent", "return_to": "intent_resolver/chosen"}
        patch["question"] = question.model_copy(update=where)
    return patch


def _chosen(state: ChatState) -> ChatAction:
    """The action that was picked; a question is the default for whoever wants none of them."""
    reply = state["reply"]
    return parse_action(reply.selected[0] if reply and reply.selected else None) or "inquire"
