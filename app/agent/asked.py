"""A question as it is kept before it is asked: its row in the inbox, its line in the history."""

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from app.agent.context import AgentContext
from app.agent.redacting import hidden_of, shown_without
from app.agent.state import AgentState
from app.domain.hitl import PendingHitl
from app.domain.task import Message
from app.engines.redaction import masked
from app.hitl.putting import pending, wording


def row_of(state: AgentState, context: AgentContext) -> PendingHitl:
    """The question of this state, as another inbox sees it."""
    return pending_of(state, context.task_id, context.page.url)


def pending_of(state: AgentState, task_id: str, url: str) -> PendingHitl:
    """The question that this state waits with, asked on the page with that address."""
    question, hidden = state["question"], hidden_of(state)
    assert question is not None
    return pending(
        shown_without(question, hidden),
        tenant=state["tenant"],
        user=state["user"],
        task_id=task_id,
        thread_id=state["session_id"],
        trace_id=state["trace_id"],
        goal=masked(state["goal"], hidden),
        url=url,
    )


def line_of(state: AgentState, context: AgentContext) -> Message:
    """Its line in the history of the session, keyed by the question."""
    question = state["question"]
    assert question is not None
    return Message(
        message_id=str(uuid5(NAMESPACE_URL, f"{question.hitl_id}/asked")),
        tenant=state["tenant"],
        session_id=state["session_id"],
        task_id=context.task_id,
        role="assistant",
        content=masked(wording(question), hidden_of(state)),
        dom_summary=context.page.title[:200] or None,
        created_at=datetime.fromisoformat(question.asked_at),
    )
