"""The nodes of the actions on whole documents: `summarize`, `compare` and `audit`."""

from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime

from app.chat.actions.audit import audit_documents
from app.chat.actions.comparison import compare_documents
from app.chat.actions.summary import summarize_documents
from app.chat.state import ChatContext, ChatState, Patch, action_request, answer_patch
from app.chat.tools import ActionRequest, Tools
from app.chat.web import append_web_results, search_web
from app.domain.chat import ChatAction, Reply

DOCUMENT_ACTIONS: dict[ChatAction, Callable[[ActionRequest, Tools], Awaitable[Reply]]] = {
    "summarize": summarize_documents,
    "compare": compare_documents,
    "audit": audit_documents,
}


async def run_action(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Run the action, and append what the web says if the web search is enabled."""
    assert state["action"] is not None
    tools, request = runtime.context.tools, action_request(state)
    web = await search_web(request, tools, enabled=state["enable_web_search"])
    reply = await DOCUMENT_ACTIONS[state["action"]](request, tools)
    return answer_patch(state, append_web_results(reply, web), web.query)
