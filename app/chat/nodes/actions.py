"""Nodes `summarize`, `compare` and `audit`: of whole documents."""

from collections.abc import Awaitable, Callable

from langgraph.runtime import Runtime

from app.chat import audit as auditing
from app.chat import comparison, summary
from app.chat.context import ChatContext
from app.chat.inputs import asked_of
from app.chat.nodes.outcome import acted
from app.chat.state import ChatState, Patch
from app.chat.tools import Asked, Tools
from app.chat.web import sought
from app.domain.chat import ChatAction, Reply

Action = Callable[[Asked, Tools], Awaitable[Reply]]


async def summarize(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents; writes answer."""
    return await _done("summarize", summary.summarize, state, runtime)


async def compare(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads message, documents; writes answer."""
    return await _done("compare", comparison.compare, state, runtime)


async def audit(state: ChatState, runtime: Runtime[ChatContext]) -> Patch:
    """Reads source_text, documents; writes answer."""
    return await _done("audit", auditing.audit, state, runtime)


async def _done(
    name: ChatAction, action: Action, state: ChatState, runtime: Runtime[ChatContext]
) -> Patch:
    tools, asked = runtime.context.tools, asked_of(state)
    web = await sought(name, asked, tools, wanted=state["enable_web_search"])
    return acted(state, await action(asked, tools), web)
