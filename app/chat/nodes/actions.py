"""Nodes `summarize`, `compare` and `audit`: of whole documents."""

from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime

from app.chat import audit as auditing
from app.chat import comparison, summary
from app.chat.context import ChatContext, action_request
from app.chat.state import ChatState, Patch, add_notices
from app.chat.tools import ActionRequest, Tools
from app.chat.web import WebFindings, append_web_results, search_web
from app.domain.chat import Reply

Action = Callable[[ActionRequest, Tools], Awaitable[Reply]]


async def summarize(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents; writes answer."""
    return await _run_action(summary.summarize, state, runtime)


async def compare(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents; writes answer."""
    return await _run_action(comparison.compare, state, runtime)


async def audit(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads source_text, documents; writes answer."""
    return await _run_action(auditing.audit, state, runtime)


def action_update(state: ChatState, reply: Reply, web: WebFindings) -> Patch:
    """The patch of an action that is done: its reply, with what the web says beside it."""
    whole = append_web_results(reply, web)
    return {
        "answer": whole,
        "web_search_query": web.query or None,
        "notices": add_notices(state, *whole.notices),
    }


async def _run_action(action: Action, state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    tools, asked = runtime.context.tools, action_request(state)
    web = await search_web(asked, tools, wanted=state["enable_web_search"])
    return action_update(state, await action(asked, tools), web)
