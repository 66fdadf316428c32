"""The user's own conversations: history, list, rename, stop, export, rate and delete."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.problems import problem_docs
from app.api.query_params import LONGEST_CURSOR, PAGE, PageSize, parse_cursor, split_page
from app.api.responses import attachment_headers
from app.api.routes.chat.schemas import (
    ConversationsPage,
    ConversationView,
    HistoryView,
    Id,
    LineView,
    RatingIn,
    RatingView,
    StoppedView,
    ThreadId,
    TitleIn,
)
from app.chat import current_lines, question_event
from app.domain.access import Principal
from app.domain.chat import ChatLine, Conversation, Rating
from app.errors import NotFound, TaskBusy

router = APIRouter(
    prefix="/api/chat",
    tags=["chat"],
    responses=problem_docs(401, 404, 422, 429, 503),
)

LINES = 500  # newest messages in a history
MEDIA_TYPES = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
EXPORTED: dict[str, Any] = {
    "description": "The file",
    "content": {one.partition(";")[0]: {} for one in MEDIA_TYPES.values()},
}


@router.get("/history/{thread_id}")
async def history(thread_id: ThreadId, principal: CurrentUser, state: AppStateDep) -> HistoryView:
    """The messages of a conversation, oldest first, and its pending question. A conversation that has not
    started or belongs to another user is empty, without telling which.
    """
    store = state["store"]
    found = await store.conversations.find(principal.tenant, thread_id)
    if found is None or found.user != principal.user:
        return HistoryView(thread_id=thread_id, title="", messages=[])
    # The lease is read before the lines, so that an answer written in between is included.
    running = await store.leases.find_holder(principal.tenant, found.task_id) is not None
    lines = await store.conversations.lines(principal.tenant, thread_id, limit=LINES)
    row = await store.hitl.latest(principal.tenant, found.task_id)
    is_pending = row is not None and row.status_at(datetime.now(UTC)) == "pending"
    return HistoryView(
        thread_id=thread_id,
        title=found.title,
        messages=await line_views(current_lines(found, lines), principal.tenant, state),
        pending_interrupt=question_event(row.question, thread_id) if row and is_pending else None,
        running=running,
    )


@router.get("/conversations")
async def conversations(
    principal: CurrentUser,
    state: AppStateDep,
    cursor: Annotated[
        str | None,
        Query(max_length=LONGEST_CURSOR, description="`next_cursor` of the previous page"),
    ] = None,
    limit: PageSize = PAGE,
) -> ConversationsPage:
    """The user's conversations, most recently used first."""
    found = await state["store"].conversations.recent(
        principal.tenant, principal.user, limit=limit + 1, after=parse_cursor(cursor)
    )
    page, next_cursor = split_page(found, limit, lambda one: (one.updated_at, one.thread_id))
    return ConversationsPage(
        conversations=[ConversationView.from_fields(one) for one in page], next_cursor=next_cursor
    )


@router.patch("/conversations/{thread_id}")
async def rename(
    thread_id: ThreadId, body: TitleIn, principal: CurrentUser, state: AppStateDep
) -> ConversationView:
    """Rename a conversation."""
    found = await _find_own(state, principal, thread_id)
    title = " ".join(body.title.split())
    await state["store"].conversations.rename(principal.tenant, thread_id, title)
    return ConversationView.from_fields(found.model_copy(update={"title": title}))


@router.post("/conversations/{thread_id}/stop")
async def stop_turn(thread_id: ThreadId, principal: CurrentUser, state: AppStateDep) -> StoppedView:
    """Abort the running turn. The messages stay, and so does the unverified part of the answer."""
    await _find_own(state, principal, thread_id)
    return StoppedView(stopped=await state["chat"].stop(principal.tenant, thread_id))


@router.get("/conversations/{thread_id}/export", response_class=Response, responses={200: EXPORTED})
async def export(
    thread_id: ThreadId,
    principal: CurrentUser,
    state: AppStateDep,
    format_: Annotated[Literal["md", "docx"], Query(alias="format")] = "md",
) -> Response:
    """Download a conversation as Markdown or Word: its newest 500 messages, answers with their sources."""
    found = await _find_own(state, principal, thread_id)
    lines = await state["store"].conversations.lines(principal.tenant, thread_id, limit=LINES)
    body = await asyncio.to_thread(_export_file, found, current_lines(found, lines), format_)
    headers = attachment_headers(f"conversation.{format_}")
    return Response(body, media_type=MEDIA_TYPES[format_], headers=headers)


@router.put("/conversations/{thread_id}/messages/{message_id}/rating")
async def rate(
    thread_id: ThreadId, message_id: Id, body: RatingIn, principal: CurrentUser, state: AppStateDep
) -> RatingView:
    """Rate an answer, optionally with a comment; it replaces an earlier rating."""
    found = await _find_own(state, principal, thread_id)
    rating = Rating(satisfied=body.rating == "up", comment=body.comment.strip())
    line = await state["chat"].rate(found, message_id, rating)
    view = RatingView.of(line) if line is not None else None
    if view is None:
        raise NotFound("There is no such answer.")
    return view


@router.delete("/conversations/{thread_id}", status_code=204, responses=problem_docs(409))
async def delete_conversation(
    thread_id: ThreadId, principal: CurrentUser, state: AppStateDep
) -> Response:
    """Delete a conversation with its state; a pending question is cancelled. The audit trail of its
    questions stays, as a task's does.
    """
    found = await _find_own(state, principal, thread_id)
    if not await state["chat"].delete_conversation(found):
        raise TaskBusy("A turn of this conversation is still running.")
    return Response(status_code=204)


async def line_views(lines: Sequence[ChatLine], tenant: str, state: AppState) -> list[LineView]:
    cites = any(line.metadata.get("citations") for line in lines)
    titles = await state["knowledge"].titles(tenant) if cites else ()
    versions = {one.document_id: one.version for one in titles}
    return [LineView.of(line, versions) for line in lines]


def _export_file(conversation: Conversation, lines: Sequence[ChatLine], format_: str) -> bytes:
    from app.chat.output import export  # noqa: PLC0415 - only an export needs python-docx

    text = export.transcript(conversation, lines)
    return text.encode() if format_ == "md" else export.word_document(text)


async def _find_own(state: AppState, principal: Principal, thread_id: str) -> Conversation:
    """The user's conversation. Raises `NotFound`."""
    found = await state["store"].conversations.find(principal.tenant, thread_id)
    if found is None or found.user != principal.user:
        raise NotFound("There is no such conversation.")
    return found
