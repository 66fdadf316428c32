"""POST /api/agent/interact: one round trip of a task."""

from uuid import uuid4

import orjson
from fastapi import APIRouter, Request, Response

from app.agent import InteractCall, body_hash
from app.api.deps import AppStateDep, CurrentUser
from app.api.models import json_schema
from app.api.problems import problem_docs
from app.api.request_body import body_schema, read_body
from app.api.responses import SSE, event_stream, run_events
from app.api.routes.interact.request import InteractRequest, parse_interact
from app.api.routes.interact.response import (
    ActionAnswer,
    DoneAnswer,
    InterruptAnswer,
    StatusEvent,
)
from app.domain.access import Principal
from app.errors import HitlNotPending
from app.threads import run_long

router = APIRouter(tags=["agent"])

SMALL_BODY = 50_000  # bytes that parse in under 20 ms, also as markup, which is slowest


@router.post(
    "/api/agent/interact",
    response_model=ActionAnswer | InterruptAnswer | DoneAnswer,
    responses={
        200: {
            "description": "The terminal event; with `Accept: text/event-stream` a stream of "
            "`data:` events that ends with it",
            "content": {SSE: {"schema": json_schema(StatusEvent)}},
        },
        **problem_docs(400, 401, 404, 409, 413, 422, 429, 503),
    },
    openapi_extra=body_schema(InteractRequest),
    operation_id="interact",
)
async def interact(request: Request, principal: CurrentUser, state: AppStateDep) -> Response:
    """Verify the outcome of the last action and return the next one.

    Without `taskId` a new task starts. A repeated `requestId` returns the same answer. The run
    continues if the connection drops. An answer of type `interrupt` is a question: answer it with
    `hitlResponse` within five minutes. `continueFrom` starts a task that resumes one that failed or
    was stopped, after a person did the step that it could not do.
    """
    body = await read_body(request)
    trace_id = request.scope["trace_id"]
    call = await run_long(
        lambda: _call(parse_interact(body), body, principal, trace_id), len(body), SMALL_BODY
    )
    live = await state["interact"].start(call)
    if SSE in request.headers.get("accept", ""):
        return event_stream(run_events(live))
    event = await live.wait_for_result()
    timings = ", ".join(f"{part};dur={ms:.2f}" for part, ms in live.timings.items())
    return Response(
        orjson.dumps(event), media_type="application/json", headers={"Server-Timing": timings}
    )


def _call(body: InteractRequest, raw: bytes, principal: Principal, trace_id: str) -> InteractCall:
    answer = body.hitl_response.answer() if body.hitl_response else None
    if answer is not None and body.task_id is None:
        raise HitlNotPending
    return InteractCall(
        principal=principal,
        request_id=body.request_id or str(uuid4()),
        body_hash=body_hash(raw, principal.user),
        trace_id=trace_id,
        page=body.observation(),
        report=body.report(),
        query=body.query.strip() if body.query else None,
        task_id=body.task_id,
        session_id=body.session_id,
        last_action_id=body.last_action_id,
        answer=answer,
        recipe=body.recipe.call() if body.recipe else None,
        continue_from=body.continue_from,
        delegation_id=body.delegation_id,
        hand_back=body.hand_back.user_actions() if body.hand_back else None,
    )
