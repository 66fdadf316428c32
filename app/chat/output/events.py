"""The terminal event of a turn, as the wire has it."""

from collections.abc import Sequence
from typing import Any

from app.chat.claims.body import empty_reply
from app.chat.state import ChatState, turn_documents
from app.domain.hitl import Question
from app.domain.knowledge import Confidence
from app.domain.memory import Advice

COST_DIGITS = 8  # a token of the cheapest model is 0.00000001 USD
NO_ANSWER = empty_reply("")
ALL = {"id": "all", "label": "All of these"}
ORDER: tuple[Confidence, ...] = ("low", "medium", "high")


def terminal_event(state: ChatState, *, message_id: str, title: str) -> dict[str, Any]:
    """The `interrupt` event of a state that waits, otherwise its `response`, which may be `cancelled`."""
    if state["question"] is not None:
        return question_event(state["question"], state["thread_id"])
    answer = state["answer"] or NO_ANSWER
    about = turn_documents(state) if state["answer"] is not None else ()
    meant = state["resolution"].confidence if state["resolution"] else "low"
    return {
        "type": "response",
        "response": answer.text,
        "citations": [one.model_dump(mode="json") for one in answer.citations],
        "action": state["action"] or "inquire",
        "inference_confidence": min(meant, answer.confidence, key=ORDER.index),
        "retrieval_confidence": state["retrieval_confidence"] or "high",
        "tokens_used": state["tokens_used"],
        "cost_usd": round(state["cost_usd"], COST_DIGITS),
        "cost_known": state["cost_known"],
        "by_model": answer.by_model,
        "notices": state["notices"],
        "documents": [one.model_dump() for one in about],
        "web_query": state["web_search_query"],
        "claims_dropped": len(answer.unsupported),
        "claims_doubted": answer.doubted,
        "unsupported": [one.model_dump() for one in answer.unsupported],
        "doubts": [one.model_dump() for one in answer.doubts],
        "looked": [one.model_dump() for one in answer.searched],
        "conflicting": answer.conflicting,
        "comparison": answer.comparison
        and answer.comparison.model_dump(mode="json", by_alias=True),
        "cancelled": state["cancelled"],
        "thread_id": state["thread_id"],
        "message_id": message_id,
        "trace_id": state["trace_id"],
        "title": title,
    }


def question_event(question: Question, thread_id: str) -> dict[str, Any]:
    """The `interrupt` event of a question."""
    event: dict[str, Any] = {
        "type": "interrupt",
        "interrupt_type": question.interrupt_type,
        "message": question.text,
        "hitl_id": question.hitl_id,
        "expires_at": question.expires_at,
        "thread_id": thread_id,
    }
    if question.options:
        options = [{"id": one.id, "label": one.label} for one in question.options]
        every = [ALL] if question.multiple and len(options) > 1 else []
        event["options"] = options + every
    return event


def with_advice(event: dict[str, Any], advice: Sequence[Advice]) -> dict[str, Any]:
    """The response with what operators decided of something similar first; any other event as it is."""
    if event["type"] != "response" or event["cancelled"] or not advice:
        return event
    told = [one.model_dump(exclude={"site"}) | {"line": one.line} for one in advice]
    return event | {"advice": told, "notices": [advice[0].line, *event["notices"]]}
