"""Search the team's documents, and conversations about them."""

from typing import Any
from uuid import uuid4

from mcp.server.mcpserver import Context
from mcp_types import ElicitRequestFormParams, ElicitResult, InputRequiredResult
from pydantic import ValidationError

from app.chat.calls import ChatCall, Message, chat_task_id
from app.domain.access import Principal
from app.domain.base import Value
from app.domain.hitl import PendingHitl
from app.domain.knowledge import FoundPassage
from app.errors import NotFound
from app.mcp.services import Services
from app.mcp.tasks.arguments import Ask, Search
from app.mcp.tasks.call import KEY, record_answer
from app.mcp.tasks.elicitation import (
    ANSWER,
    asks_by_result,
    can_ask,
    form_of,
    needs_browser,
    question_summary,
)
from app.mcp.tools import ToolReply, ToolResult, checked_id
from knowledge import Query

LONGEST_THREAD = 64


class ConversationState(Value):
    """The sealed state that a call of the newer protocol leaves with its client."""

    conversation_id: str
    asked: str


def conversation_state(ctx: Context[Any, Any]) -> ConversationState | None:
    """The state of the previous round, if that belongs to a conversation."""
    if ctx.request_state is None:
        return None
    try:
        return ConversationState.model_validate_json(ctx.request_state)
    except ValidationError:
        return None


async def search_documents(made: Services, who: Principal, given: Search) -> ToolResult:
    """The matching passages with their citations."""
    policy = await made.store.policies.get(who.tenant)
    query = Query(text=given.query, url=given.url or "", limit=given.limit)
    found = await made.knowledge.resolve(who.tenant, query, policy)
    return {
        "status": "ok",
        "confidence": found.confidence,
        "confidence_score": found.confidence_score,
        "passages": [_passage(one) for one in found.found],
    }


def _passage(found: FoundPassage) -> dict[str, Any]:
    citation = found.citation
    return {
        "document_text": found.text,
        "score": found.score,
        "citation": citation.model_dump(mode="json", exclude_none=True),
    }


async def ask_documents(
    made: Services, ctx: Context[Any, Any], who: Principal, given: Ask
) -> ToolReply:
    """One turn: its answer, or the question that must be answered first."""
    if (turn := conversation_state(ctx)) is not None:
        return await resume_conversation(made, ctx, who, turn)
    thread_id = given.conversation_id or str(uuid4())
    if given.conversation_id is not None:
        await _check_owner(made, who, thread_id)
    request_id = str(uuid4())
    said = Message(text=given.question, plain=given.question)
    call = ChatCall(
        principal=who,
        request_id=request_id,
        body_hash=request_id,
        trace_id=uuid4().hex,
        thread_id=thread_id,
        content=said,
    )
    event = await (await made.chat.start(call)).wait_for_result()
    return await _turn_result(made, ctx, who, thread_id, event)


async def answer_conversation(
    made: Services,
    ctx: Context[Any, Any],
    who: Principal,
    row: PendingHitl,
    given: object,
) -> ToolReply:
    """Record the answer to a conversation's question and continue the turn."""
    if problem := await record_answer(made, ctx, who, row, given):
        return {"status": "error", "message": problem}
    return await _continue_turn(made, ctx, who, row)


async def conversation_question(
    made: Services, who: Principal, conversation_id: str
) -> PendingHitl | None:
    """The pending question of a conversation that the user may see."""
    if len(conversation_id) > LONGEST_THREAD:
        return None
    row = await made.inbox.latest(who.tenant, chat_task_id(who.tenant, conversation_id))
    if row is None or not who.can_see(row.user) or row.status != "pending":
        return None
    return row


async def _check_owner(made: Services, who: Principal, thread_id: str) -> str:
    talk = await made.store.conversations.find(who.tenant, checked_id(thread_id, LONGEST_THREAD))
    if talk is None or talk.user != who.user:
        raise NotFound("There is no such conversation.")
    return thread_id


async def _turn_result(
    made: Services,
    ctx: Context[Any, Any],
    who: Principal,
    thread_id: str,
    event: dict[str, Any],
) -> ToolReply:
    """The answer that ended the turn, or the question, which is elicited if the client supports it."""
    if event["type"] != "interrupt":
        return _answer_result(thread_id, event)
    row = await conversation_question(made, who, thread_id)
    if row is None:  # answered in the panel meanwhile
        return {"status": "running", "conversation_id": thread_id}
    pending = {
        "status": "awaiting_user",
        "conversation_id": thread_id,
        "question": question_summary(row.question),
    }
    if not can_ask(ctx) or needs_browser(row.question):
        return pending
    form = form_of(ctx, row.question, "", "")
    if asks_by_result(ctx):
        left = ConversationState(conversation_id=thread_id, asked=row.hitl_id)
        return InputRequiredResult(input_requests={KEY: form}, request_state=left.model_dump_json())
    assert isinstance(form.params, ElicitRequestFormParams)
    reply = await ctx.session.elicit_form(
        form.params.message, form.params.requested_schema, related_request_id=ctx.request_id
    )
    return await _take_answer(made, ctx, who, row, reply) or pending


async def resume_conversation(
    made: Services, ctx: Context[Any, Any], who: Principal, turn: ConversationState
) -> ToolReply:
    """Take the answer to the question of the previous round and continue the turn."""
    thread_id = await _check_owner(made, who, turn.conversation_id)
    row = await conversation_question(made, who, thread_id)
    if row is None or row.hitl_id != turn.asked or needs_browser(row.question):
        return {"status": "running", "conversation_id": thread_id}
    reply = (ctx.input_responses or {}).get(KEY)
    found = await _take_answer(
        made, ctx, who, row, reply if isinstance(reply, ElicitResult) else None
    )
    question = question_summary(row.question)
    return found or {"status": "awaiting_user", "conversation_id": thread_id, "question": question}


async def _take_answer(
    made: Services,
    ctx: Context[Any, Any],
    who: Principal,
    row: PendingHitl,
    reply: ElicitResult | None,
) -> ToolReply | None:
    """Continue with the answer; None if there is none, and the question stays in the panel."""
    if reply is None or reply.action != "accept":
        return None
    return await answer_conversation(made, ctx, who, row, (reply.content or {}).get(ANSWER, ""))


async def _continue_turn(
    made: Services, ctx: Context[Any, Any], who: Principal, row: PendingHitl
) -> ToolReply:
    """Wait for the turn that resumes with the answer."""
    current = await made.inbox.find(row.tenant, row.hitl_id)
    live = (
        await made.chat.resume_answered(current) if current is not None and current.result else None
    )
    if live is None:
        return {"status": "running", "conversation_id": row.thread_id}
    return await _turn_result(made, ctx, who, row.thread_id, await live.wait_for_result())


def _answer_result(thread_id: str, event: dict[str, Any]) -> ToolResult:
    result = {
        "status": "ok" if not event.get("cancelled") else "cancelled",
        "conversation_id": thread_id,
        "answer": event.get("response", ""),
        "citations": event.get("citations", []),
        "confidence": event.get("inference_confidence"),
        "retrieval_confidence": event.get("retrieval_confidence"),
        "notices": event.get("notices", []),
        "unsupported": event.get("unsupported", []),
        "doubts": event.get("doubts", []),
    }
    review = event.get("review")
    return result | ({"review": review} if review else {})
