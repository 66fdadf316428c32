"""One's own conversations: read again, listed, renamed, deleted."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.pagination import after, make_cursor
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
from app.api.routes.interact.router import PROBLEMS
from app.chat.output.events import event_of
from app.chat.output.lines import standing
from app.api.routes.usage.router import attachment_headers
from app.domain.access import Principal
from app.domain.chat import ChatLine, Conversation, Rating
from app.errors import NotFound, TaskBusy

router = APIRouter(
    prefix="/api/chat",
    tags=["chat"],
    responses={k: PROBLEMS[k] for k in (401, 404, 422, 429, 503)},
)

PAGE = 50
LINES = 500  # of a history: the newest
LONGEST_CURSOR = 200
FORMS = {
    "md": "text/markdown; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
EXPORTED: dict[str, Any] = {
    "description": "The file",
    "content": {one.partition(";")[0]: {} for one in FORMS.values()},
}


@router.get("/history/{thread_id}")
async def history(thread_id: ThreadId, principal: CurrentUser, state: AppStateDep) -> HistoryView:
    """A conversation, oldest line first, with the question that waits in it. One that has not begun is
    empty, and so is another's: nobody learns whether there is one.
    """
    store = state["store"]
    found = await store.conversations.find(principal.tenant, thread_id)
    if found is None or found.user != principal.user:
        return HistoryView(thread_id=thread_id, title="", messages=[])
    # Who works on it is read before what is said: an answer that came since is a line already.
    running = await store.leases.holder(principal.tenant, found.task_id) is not None
    lines = await store.conversations.lines(principal.tenant, thread_id, limit=LINES)
    row = await store.hitl.latest(principal.tenant, found.task_id)
    waits = row is not None and row.status_at(datetime.now(UTC)) == "pending"
    return HistoryView(
        thread_id=thread_id,
        title=found.title,
        messages=await line_views(standing(found, lines), principal.tenant, state),
        pending_interrupt=event_of(row.question, thread_id) if row and waits else None,
        running=running,
    )


@router.get("/conversations")
async def conversations(
    principal: CurrentUser,
    state: AppStateDep,
    cursor: Annotated[
        str | None,
        Query(max_length=LONGEST_CURSOR, description="`next_cursor` of the page before"),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> ConversationsPage:
    """One's own, the last used first."""
    found = await state["store"].conversations.recent(
        principal.tenant, principal.user, limit=limit + 1, after=after(cursor or None)
    )
    page, more = found[:limit], len(found) > limit
    return ConversationsPage(
        conversations=[ConversationView.of(one) for one in page],
        next_cursor=make_cursor(page[-1].updated_at, page[-1].thread_id) if more else None,
    )


@router.patch("/conversations/{thread_id}")
async def rename(
    thread_id: ThreadId, asked: TitleIn, principal: CurrentUser, state: AppStateDep
) -> ConversationView:
    """Give a conversation another title."""
    found = await _own(state, principal, thread_id)
    title = " ".join(asked.title.split())
    await state["store"].conversations.rename(principal.tenant, thread_id, title)
    return ConversationView.of(found.model_copy(update={"title": title}))


@router.post("/conversations/{thread_id}/stop")
async def stop(thread_id: ThreadId, principal: CurrentUser, state: AppStateDep) -> StoppedView:
    """Cut off the turn that is under way. What was said stays, and what was told of the answer, unchecked."""
    await _own(state, principal, thread_id)
    return StoppedView(stopped=await state["chat"].stop(principal.tenant, thread_id))


@router.get("/conversations/{thread_id}/export", response_class=Response, responses={200: EXPORTED})
async def export(
    thread_id: ThreadId,
    principal: CurrentUser,
    state: AppStateDep,
    form: Annotated[Literal["md", "docx"], Query(alias="format")] = "md",
) -> Response:
    """A conversation as a file, Markdown or Word: its newest 500 lines, each answer with its sources."""
    found = await _own(state, principal, thread_id)
    lines = await state["store"].conversations.lines(principal.tenant, thread_id, limit=LINES)
    body = await asyncio.to_thread(_exported, found, standing(found, lines), form)
    return Response(
        body, media_type=FORMS[form], headers=attachment_headers(f"conversation.{form}")
    )


@router.put("/conversations/{thread_id}/messages/{message_id}/rating")
async def rate(
    thread_id: ThreadId, message_id: Id, asked: RatingIn, principal: CurrentUser, state: AppStateDep
) -> RatingView:
    """Say what one thinks of an answer, and why; said again it takes the place of what was said before."""
    found = await _own(state, principal, thread_id)
    rating = Rating(satisfied=asked.rating == "up", comment=asked.comment.strip())
    line = await state["chat"].rate(found, message_id, rating)
    told = RatingView.of(line) if line is not None else None
    if told is None:
        raise NotFound("There is no such answer")
    return told


@router.delete("/conversations/{thread_id}", status_code=204, responses={409: PROBLEMS[409]})
async def delete(thread_id: ThreadId, principal: CurrentUser, state: AppStateDep) -> Response:
    """Delete a conversation and what its thread knows; a question that waits in it is cancelled. The audit
    trail of its questions stays, as a task's does.
    """
    found = await _own(state, principal, thread_id)
    if not await state["chat"].forget(found):
        raise TaskBusy("This conversation is still being answered")
    return Response(status_code=204)


async def line_views(lines: Sequence[ChatLine], tenant: str, state: AppState) -> list[LineView]:
    """Lines with what became of the documents that they cite."""
    cites = any(line.metadata.get("citations") for line in lines)
    titles = await state["knowledge"].titles(tenant) if cites else ()
    versions = {one.document_id: one.version for one in titles}
    return [LineView.of(line, versions) for line in lines]


def _exported(found: Conversation, lines: Sequence[ChatLine], form: str) -> bytes:
    from app.chat.output import export  # noqa: PLC0415 - only an export needs python-docx

    text = export.transcript(found, lines)
    return text.encode() if form == "md" else export.word_document(text)


async def _own(state: AppState, principal: Principal, thread_id: str) -> Conversation:
    """The conversation, where it is one's own; else `NotFound`."""
    found = await state["store"].conversations.find(principal.tenant, thread_id)
    if found is None or found.user != principal.user:
        raise NotFound("There is no such conversation")
    return found
