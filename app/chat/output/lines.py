"""The terminal events of a turn, and the stored lines of a conversation."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from app.chat.calls import ChatCall, Message, chat_message_id, parse_action
from app.chat.claims.body import empty_reply
from app.chat.output.draft import DraftClaim
from app.chat.output.markdown import escape_markdown
from app.chat.state import MAX_TURN_LENGTH, ChatState, turn_documents
from app.domain.chat import ChatLine, ChatTurn, Conversation, DocumentRef, LineKind, Mention
from app.domain.hitl import HitlResult, Question
from app.domain.knowledge import Confidence
from app.domain.memory import Advice

COST_DIGITS = 8  # a token of the cheapest model is 0.00000001 USD
NO_ANSWER = empty_reply("")
ALL_OPTION = {"id": "all", "label": "All of these"}
ORDER: tuple[Confidence, ...] = ("low", "medium", "high")


def terminal_event(state: ChatState, *, message_id: str, title: str) -> dict[str, Any]:
    """The `interrupt` event of a waiting state, else its `response`, which may be `cancelled`."""
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
        has_all = question.multiple and len(options) > 1
        event["options"] = [*options, ALL_OPTION] if has_all else options
    return event


def with_advice(event: dict[str, Any], advice: Sequence[Advice]) -> dict[str, Any]:
    """Add operators' decisions on similar questions to a response, the first also as its first notice."""
    if event["cancelled"] or not advice:
        return event
    dumped = [one.model_dump(exclude={"site"}) | {"line": one.line} for one in advice]
    return event | {"advice": dumped, "notices": [advice[0].line, *event["notices"]]}


LONGEST_TITLE = 60  # characters; cut between words
UNTITLED = "New conversation"


def conversation_title(text: str, mentions: Sequence[Mention]) -> str:
    """The title of a new conversation, from its first message."""
    return shorten_title(text or " ".join(one.label for one in mentions))


def shorten_title(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= LONGEST_TITLE:
        return text or UNTITLED
    cut = text[:LONGEST_TITLE]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut else cut}…"


def message_line(call: ChatCall, message: Message, at: datetime) -> ChatLine:
    return ChatLine(
        message_id=chat_message_id(call, "message"),
        tenant=call.principal.tenant,
        thread_id=call.thread_id,
        turn_id=call.request_id,
        role="user",
        content=message.text,
        metadata={
            "mentions": [one.model_dump() for one in message.mentions],
            "request_id": call.request_id,
            "plain": message.plain,
            "action": message.action,
            "web": message.web,
        },
        created_at=at,
    )


def message_from_line(line: ChatLine) -> Message:
    stored = line.metadata
    return Message(
        text=line.content,
        plain=stored.get("plain", line.content),
        mentions=tuple(Mention.model_validate(one) for one in stored.get("mentions", ())),
        action=parse_action(stored.get("action")),
        web=stored.get("web", False),
    )


def current_lines(conversation: Conversation, lines: Sequence[ChatLine]) -> list[ChatLine]:
    """The lines without those of superseded turns."""
    return [one for one in lines if one.turn_id not in conversation.superseded]


def question_line(question: Question, state: ChatState) -> ChatLine:
    return ChatLine(
        message_id=str(uuid5(NAMESPACE_URL, f"{question.hitl_id}/asked")),
        tenant=state["tenant"],
        thread_id=state["thread_id"],
        turn_id=state["turn_id"],
        role="system",
        kind="question",
        content=question.text,
        metadata=question_event(question, state["thread_id"]),
        created_at=datetime.fromisoformat(question.asked_at),
    )


def answer_line(tenant: str, thread_id: str, turn_id: str, result: HitlResult) -> ChatLine:
    """The answer to a question, or that it was cancelled or expired."""
    ended = result.decision in ("cancelled", "expired")
    return ChatLine(
        message_id=str(uuid5(NAMESPACE_URL, f"{result.hitl_id}/answered")),
        tenant=tenant,
        thread_id=thread_id,
        turn_id=turn_id,
        role="system" if ended else "user",
        kind=result.decision if ended else "answer",
        content=result.text,
        metadata={"hitl_id": result.hitl_id},
        created_at=result.at,
    )


def response_line(
    call: ChatCall, turn_id: str, event: dict[str, Any], at: datetime, kind: LineKind = "message"
) -> ChatLine:
    """The answer; of kind "stopped" if it is an unchecked draft, which the thread does not remember."""
    return ChatLine(
        message_id=event["message_id"],
        tenant=call.principal.tenant,
        thread_id=call.thread_id,
        turn_id=turn_id,
        role="assistant",
        kind=kind,
        content=event["response"],
        metadata=event,
        created_at=at,
    )


def render_draft(claims: Sequence[DraftClaim]) -> str:
    """The draft as Markdown; rejected claims are struck out."""
    texts = ((escape_markdown(one.text), one.state) for one in claims)
    return " ".join(f"~~{text}~~" if state == "unsupported" else text for text, state in texts)


def memory_id(turn_id: str, role: str) -> str:
    """The id of a remembered turn; see `turn_of`."""
    return f"{turn_id}/{role}"


def turn_of(turn: ChatTurn) -> str:
    return turn.message_id.rpartition("/")[0]


def memory_lines(lines: Sequence[ChatLine]) -> list[ChatTurn]:
    """The stored lines as the thread remembers them."""
    return [
        ChatTurn(
            message_id=memory_id(line.turn_id, line.role),
            role="user" if line.role == "user" else "assistant",
            text=line.content[:MAX_TURN_LENGTH],
            documents=tuple(
                DocumentRef(id=one["id"], title=one["title"])
                for one in line.metadata.get("documents", ())
            ),
        )
        for line in lines
        if line.kind == "message"
    ]
