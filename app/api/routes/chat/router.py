"""Chat: send a message, or answer the pending question."""

from uuid import uuid4

from fastapi import APIRouter, Request, Response

from app.agent.calls import body_hash
from app.api.deps import AppStateDep, CurrentUser
from app.api.problems import problem_docs, request_trace_id
from app.api.request_body import body_schema, parse_body, read_body
from app.api.responses import SSE, event_stream, run_events
from app.api.routes.chat.schemas import ChatRequest, ResumeRequest
from app.chat.calls import Answer, ChatCall, Message
from app.domain.access import Principal

router = APIRouter(
    prefix="/api/chat",
    tags=["chat"],
    responses={
        200: {
            "description": "`data:` events: a `status` for each node; while the answer is written, a `claim` "
            "for each claim (`number`, `text`, `state`, `citations`), which replaces the previous one of the "
            "same number, and `restart` to discard all of them; then one `response`, `interrupt` or "
            "`error`",
            "content": {SSE: {"schema": {"type": "object"}}},
        },
        **problem_docs(401, 404, 409, 413, 422, 429, 503),
    },
)


@router.post("", openapi_extra=body_schema(ChatRequest))
async def say(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Send a message. It cancels a pending question of the conversation.

    The run continues if the connection drops: the answer is in the history, and a repeated `request_id`
    returns it. 409 `TASK_BUSY` while another turn of the conversation is running.
    """
    body = await read_body(request)
    asked = parse_body(ChatRequest, body)
    thread_id = asked.thread_id or str(uuid4())
    call = _call(request, principal, body, thread_id, asked.request_id, asked.said())
    return event_stream(run_events(await state["chat"].start(call)))


@router.post("/resume", responses=problem_docs(400), openapi_extra=body_schema(ResumeRequest))
async def resume(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Answer or cancel the pending question; 400 `HITL_NOT_PENDING` if there is none."""
    body = await read_body(request)
    asked = parse_body(ResumeRequest, body)
    call = _call(request, principal, body, asked.thread_id, asked.request_id, asked.said())
    return event_stream(run_events(await state["chat"].start(call)))


def _call(
    request: Request,
    principal: Principal,
    body: bytes,
    thread_id: str,
    request_id: str | None,
    said: Message | Answer,
) -> ChatCall:
    return ChatCall(
        principal=principal,
        request_id=request_id or str(uuid4()),
        body_hash=body_hash(body, principal.user),
        trace_id=request_trace_id(request),
        thread_id=thread_id,
        content=said,
    )
