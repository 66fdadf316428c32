"""POST /api/agent/interact: one round trip of a task."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import orjson
from fastapi import APIRouter, Request, Response
from sse_starlette import EventSourceResponse

from app.agent.calls import InteractCall, body_hash
from app.api.deps import AppStateDep, CurrentUser
from app.api.problems import Problem, request_trace_id
from app.api.request_body import parse_interact, read_body
from app.api.routes.interact.request import InteractRequest
from app.api.routes.interact.response import ActionAnswer, DoneAnswer, InterruptAnswer, StatusEvent
from app.domain.access import Principal
from app.errors import HitlNotPending
from app.runs.live import LiveRun
from app.threads import run_long

router = APIRouter(tags=["agent"])

SMALL_BODY = (
    50_000  # bytes that take under 20 ms to read: of a tree, or of markup, which takes longest
)
PING_S = 10  # CONTRACT: a comment line every 10 s
SSE_HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
SSE = "text/event-stream"
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {
        "model": Problem,
        "content": {"application/problem+json": {}},
        "description": text,
    }
    for status, text in {
        400: "A limit stopped the task, or no question is pending",
        401: "No key, or a wrong one",
        404: "No such task",
        409: "The task has ended or is busy, the question has expired, or the requestId is another body's",
        413: "Too large",
        422: "The body does not validate",
        429: "Too many requests",
        503: "The store is away",
    }.items()
}
STATUS_SCHEMA = StatusEvent.model_json_schema(ref_template="#/components/schemas/{model}")
REQUEST_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": InteractRequest.model_json_schema(
                    ref_template="#/components/schemas/{model}"
                )
            }
        },
    }
}


@router.post(
    "/api/agent/interact",
    response_model=ActionAnswer | InterruptAnswer | DoneAnswer,
    responses={
        200: {
            "description": "The terminal event; with `Accept: text/event-stream` a stream of "
            "`data:` events that ends with it",
            "content": {SSE: {"schema": STATUS_SCHEMA}},
        },
        **PROBLEMS,
    },
    openapi_extra=REQUEST_SCHEMA,
    operation_id="interact",
)
async def interact(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Verify what the last action did, and say what to do next.

    Without `taskId` a new task begins. A repeated `requestId` gets the same answer. The run goes
    on when the connection is cut. An answer of type `interrupt` is a question: it is answered with
    `hitlResponse` within five minutes. With `continueFrom` a new task goes on with one that failed or
    was stopped, after a person did the step that it could not do.
    """
    body = await read_body(request)
    trace_id = request_trace_id(request)
    call = await run_long(
        lambda: _call(parse_interact(body), body, principal, trace_id), len(body), SMALL_BODY
    )
    live = await state["interact"].start(call)
    if SSE in request.headers.get("accept", ""):
        return EventSourceResponse(_events(live), ping=PING_S, sep="\n", headers=SSE_HEADERS)
    event = await live.finished()
    spent = ", ".join(f"{part};dur={ms:.2f}" for part, ms in live.timings.items())
    return Response(
        orjson.dumps(event), media_type="application/json", headers={"Server-Timing": spent}
    )


def _call(asked: InteractRequest, body: bytes, principal: Principal, trace_id: str) -> InteractCall:
    answer = asked.hitl_response.answer() if asked.hitl_response else None
    if answer is not None and asked.task_id is None:
        raise HitlNotPending
    return InteractCall(
        principal=principal,
        request_id=asked.request_id or str(uuid4()),
        body_hash=body_hash(body, principal.user),
        trace_id=trace_id,
        page=asked.observation(),
        report=asked.report(),
        query=asked.query.strip() if asked.query else None,
        task_id=asked.task_id,
        session_id=asked.session_id,
        last_action_id=asked.last_action_id,
        answer=answer,
        recipe=asked.recipe.call() if asked.recipe else None,
        continue_from=asked.continue_from,
        delegation_id=asked.delegation_id,
        hand_back=asked.hand_back.acts() if asked.hand_back else None,
    )


async def _events(live: LiveRun) -> AsyncIterator[dict[str, str]]:
    async for event in live.follow():
        yield {"data": orjson.dumps(event).decode()}
