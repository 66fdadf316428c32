"""Chat: send a message, answer the pending question, and what can be mentioned with `@`."""

from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Query, Request, Response

from app.agent import body_hash
from app.api.deps import AppStateDep, CurrentUser
from app.api.problems import problem_docs
from app.api.request_body import body_schema, parse_body, read_body
from app.api.responses import SSE, event_stream, run_events
from app.api.routes.chat.schemas import (
    ActionOffer,
    ChatRequest,
    DocumentOffer,
    MentionsView,
    ResumeRequest,
    SetOffer,
    WebOffer,
)
from app.chat import (
    Answer,
    ChatCall,
    Message,
    index_titles,
    suggest_actions,
    suggest_sets,
    suggest_titles,
)
from app.domain.access import Principal

router = APIRouter(
    prefix="/api/chat",
    tags=["chat"],
    responses=problem_docs(401, 422, 429, 503),
)

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "`data:` events: a `status` for each node; while the answer is written, a `claim` "
        "for each claim (`number`, `text`, `state`, `citations`), which replaces the previous one of the "
        "same number, and `restart` to discard all of them; then one `response`, `interrupt` or "
        "`error`",
        "content": {SSE: {"schema": {"type": "object"}}},
    },
    **problem_docs(404, 409, 413),
}
LIMIT, MAX_LIMIT = 8, 50
LONGEST_TYPED = 200  # characters after the @


@router.post("", responses=STREAM, openapi_extra=body_schema(ChatRequest))
async def say(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Send a message. It cancels a pending question of the conversation.

    The run continues if the connection drops: the answer is in the history, and repeating the `request_id`
    returns it. 409 `TASK_BUSY` while another turn of the conversation is running.
    """
    raw = await read_body(request)
    body = parse_body(ChatRequest, raw)
    thread_id = body.thread_id or str(uuid4())
    call = _call(request, principal, raw, thread_id, body.request_id, body.content())
    return event_stream(run_events(await state["chat"].start(call)))


@router.post(
    "/resume", responses=STREAM | problem_docs(400), openapi_extra=body_schema(ResumeRequest)
)
async def resume(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Answer or cancel the pending question; 400 `HITL_NOT_PENDING` if there is none."""
    raw = await read_body(request)
    body = parse_body(ResumeRequest, raw)
    call = _call(request, principal, raw, body.thread_id, body.request_id, body.content())
    return event_stream(run_events(await state["chat"].start(call)))


@router.get("/mentions")
async def mentions(
    principal: CurrentUser,
    state: AppStateDep,
    query: Annotated[str, Query(max_length=LONGEST_TYPED, description="The text after the @")] = "",
    limit: Annotated[
        int, Query(ge=1, le=MAX_LIMIT, description="Of documents, and of sets")
    ] = LIMIT,
) -> MentionsView:
    """Documents, sets and actions that match the text, and whether the web can be searched.

    Each word of the text is part of a title, preferably the beginning of a word: `trav pol` finds
    "Travel policy 2024".
    """
    titles = index_titles(await state["knowledge"].titles(principal.tenant))
    found = suggest_titles(titles, query, limit)
    unavailable = state["search"].available
    return MentionsView(
        documents=[
            DocumentOffer(id=one.document_id, title=one.title, set=one.set_name) for one in found
        ],
        sets=[
            SetOffer(id=one.name, label=one.name, documents=one.documents)
            for one in suggest_sets(titles, query, limit)
        ],
        actions=[ActionOffer(id=one, label=label) for one, label in suggest_actions(query)],
        web=WebOffer(available=unavailable is None, reason=unavailable),
    )


def _call(
    request: Request,
    principal: Principal,
    raw: bytes,
    thread_id: str,
    request_id: str | None,
    content: Message | Answer,
) -> ChatCall:
    return ChatCall(
        principal=principal,
        request_id=request_id or str(uuid4()),
        body_hash=body_hash(raw, principal.user),
        trace_id=request.scope["trace_id"],
        thread_id=thread_id,
        content=content,
    )
