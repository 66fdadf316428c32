"""The node that finds out what the person wants."""

from langgraph.runtime import Runtime

from app.chat.calls import parse_action
from app.chat.request.questions import action_question
from app.chat.request.resolver import understand_request
from app.chat.state import ChatContext, ChatState, Patch, add_notices, load_listing


async def intent_resolver(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Classify the message, and ask if it is ambiguous. The answer needs no second model call."""
    if (reply := state["reply"]) is not None:
        return {"action": parse_action(*reply.selected[:1]) or "inquire", "reply": None}
    tools = runtime.context.tools
    listing = await load_listing(state, tools)
    intent, resolution = await understand_request(
        state["plain"], state["mentions"], state["messages"], listing, tools
    )
    return {
        "intent": intent,
        "action": intent.action,
        "enable_web_search": state["enable_web_search"] or intent.web,
        "resolution": resolution,
        "notices": add_notices(state, intent.notice),
        "question": action_question(intent),
    }
