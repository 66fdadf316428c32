"""Nodes `summarize`, `compare` and `audit`: of whole documents."""

from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime

from app.chat import audit as auditing
from app.chat import comparison, summary
from app.chat.context import ChatContext, asked_of
from app.chat.state import ChatState, Patch, noted
from app.chat.tools import Asked, Tools
from app.chat.web import Web, beside, sought
from app.domain.chat import Reply

Action = Callable[[Asked, Tools], Awaitable[Reply]]


async def summarize(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents; writes answer."""
    return await _done(summary.summarize, state, runtime)


async def compare(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents; writes answer."""
    return await _done(comparison.compare, state, runtime)


async def audit(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads source_text, documents; writes answer."""
    return await _done(auditing.audit, state, runtime)


def acted(state: ChatState, reply: Reply, web: Web) -> Patch:
    """The patch of an action that is done: its reply, with what the web says beside it."""
    whole = beside(reply, web)
    return {
        "answer": whole,
        "web_search_query": web.query or None,
        "notices": noted(state, *whole.notices),
    }


async def _done(action: Action, state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    tools, asked = runtime.context.tools, asked_of(state)
    web = await sought(asked, tools, wanted=state["enable_web_search"])
    return acted(state, await action(asked, tools), web)
