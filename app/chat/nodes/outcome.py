"""What every action's node has in common."""

from app.chat.state import ChatState, Patch, noted
from app.chat.web import Web, beside
from app.domain.chat import Reply


def acted(state: ChatState, reply: Reply, web: Web) -> Patch:
    """The patch of an action that is done: its reply, with what the web says beside it."""
    whole = beside(reply, web)
    return {
        "answer": whole,
        "web_search_query": web.query or None,
        "notices": noted(state, *whole.notices),
    }
