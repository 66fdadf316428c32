"""The conversation over the team's documents: a message, or an answer to its question."""

from collections.abc import AsyncIterator
from typing import Any, TypeVar
from uuid import uuid4

import orjson
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ValidationError
from sse_starlette import EventSourceResponse

from app.agent.calls import body_hash
from app.api.deps import AppStateDep, CurrentUser
from app.api.problems import request_trace_id
from app.api.request_body import read_body
from app.api.routes.chat.schemas import ChatRequest, ResumeRequest
from app.api.routes.interact.router import PING_S, PROBLEMS, SSE, SSE_HEADERS
from app.chat.calls import Answer, ChatCall, Message
from app.domain.access import Principal
from app.errors import InvalidBody
from app.runs.live import LiveRun

router = APIRouter(
    prefix="/api/chat",
    tags=["chat"],
    responses={
        200: {
            "description": "`data:` events: a `status` for each node; while an answer is written a `claim` "
            "for each of its claims (`number`, `text`, `state`, `citations`), the latest of a number in the "
            "place of the one before, and `restart` where they all count for nothing; then one `response`, "
            "`interrupt` or `error`",
            "content": {SSE: {"schema": {"type": "object"}}},
        },
        **{k: PROBLEMS[k] for k in (401, 404, 409, 413, 422, 429, 503)},
    },
)

Asked = TypeVar("Asked", bound=BaseModel)


def _body_of(shape: type[BaseModel]) -> dict[str, Any]:
    schema = shape.model_json_schema(ref_template="#/components/schemas/{model}")
    content = {"application/json": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


@router.post("", openapi_extra=_body_of(ChatRequest))
async def say(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Say something. A question that waited in the conversation is cancelled by it.

    The run goes on when the connection is cut: the history has its answer, and a repeat with the same
    `request_id` gets it. 409 `TASK_BUSY` while another turn of the conversation is under way.
    """
    body = await read_body(request)
    asked = _parsed(ChatRequest, body)
    thread_id = asked.thread_id or str(uuid4())
    call = _call(request, principal, body, thread_id, asked.request_id, asked.said())
    return _streamed(await state["chat"].start(call))


@router.post("/resume", responses={400: PROBLEMS[400]}, openapi_extra=_body_of(ResumeRequest))
async def resume(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Answer the question that waits, or cancel it; 400 `HITL_NOT_PENDING` where none does."""
    body = await read_body(request)
    asked = _parsed(ResumeRequest, body)
    call = _call(request, principal, body, asked.thread_id, asked.request_id, asked.said())
    return _streamed(await state["chat"].start(call))


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
        said=said,
    )


def _parsed(shape: type[Asked], body: bytes) -> Asked:
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None


def _streamed(live: LiveRun) -> Response:
    return EventSourceResponse(_events(live), ping=PING_S, sep="\n", headers=SSE_HEADERS)


async def _events(live: LiveRun) -> AsyncIterator[dict[str, str]]:
    async for event in live.follow():
        yield {"data": orjson.dumps(event).decode()}
