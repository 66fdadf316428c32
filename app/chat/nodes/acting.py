"""What every action's node has in common."""

from langgraph.runtime import Runtime

from app.chat.context import ChatContext
from app.chat.state import ChatState, Patch, noted
from app.chat.tools import Asked
from app.chat.web import Web, beside
from app.domain.chat import Reply


async def acted(
    state: ChatState, runtime: Runtime[ChatContext], asked: Asked, reply: Reply, web: Web
) -> Patch:
    """The patch of an action that is done: its reply, with what the web says beside it."""
    whole = await beside(reply, web, asked, runtime.context.tools)
    told = [web.notice] if web.notice else []
    return {
        "answer": whole,
        "web_search_query": web.query or None,
        "notices": noted(state, *whole.notices, *told),
    }
