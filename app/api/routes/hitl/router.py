"""Questions to people: any inbox lists and answers them; the run goes on with its runner's next request."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Query, Request
from pydantic import ValidationError

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.pagination import after, make_cursor
from app.api.request_body import read_body
from app.api.routes.hitl.inbox import Wanted
from app.api.routes.hitl.schemas import HitlAnswerIn, HitlItemView, HitlPage, StatusFilter
from app.api.routes.interact.router import PROBLEMS
from app.domain.access import Principal
from app.domain.hitl import HitlResult, PendingHitl
from app.errors import Invalid, InvalidBody, NotFound, RequestIdReused
from app.hitl.answering import Answering
from app.hitl.inbox import Inbox, refuse_stranger
from app.hitl.vocabulary import agreed_by_accident

router = APIRouter(tags=["people"], responses={k: PROBLEMS[k] for k in (401, 404)})

PAGE = 50
LONGEST_ID = 128
INBOX = "inbox:"  # before the key of an answer: no request of a runner has it
ANSWER_SCHEMA = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": HitlAnswerIn.model_json_schema(
                    ref_template="#/components/schemas/{model}"
                )
            }
        },
    }
}


@router.get("/api/hitl", responses={422: PROBLEMS[422]})
async def questions(
    principal: CurrentUser,
    state: AppStateDep,
    status: Annotated[StatusFilter, Query(description="`all` for every one")] = "pending",
    task_id: Annotated[str | None, Query(alias="taskId", max_length=LONGEST_ID)] = None,
    cursor: Annotated[str | None, Query(description="`nextCursor` of the page before")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> HitlPage:
    """Questions, newest first: one's own, an operator's those of the whole tenant.

    A question waits for five minutes; each is `pending` or `expired` by its dates.
    """
    now = datetime.now(UTC)
    wanted = Wanted(
        principal=principal, status=status, limit=limit + 1, after=after(cursor), now=now
    )
    store = state["store"].hitl
    found = await (wanted.of_task(store, task_id) if task_id else wanted.listed(store))
    page, more = found[:limit], len(found) > limit
    return HitlPage(
        items=[HitlItemView.of(row, now) for row in page],
        next_cursor=make_cursor(page[-1].created_at, page[-1].hitl_id) if more else None,
    )


@router.get("/api/hitl/{hitl_id}")
async def question(hitl_id: str, principal: CurrentUser, state: AppStateDep) -> HitlItemView:
    """One question with what came of it."""
    found = await _of(state["inbox"], principal, hitl_id)
    return HitlItemView.of(found, datetime.now(UTC))


@router.post(
    "/api/hitl/{hitl_id}/answer",
    responses={k: PROBLEMS[k] for k in (400, 409, 413, 422)},
    openapi_extra=ANSWER_SCHEMA,
)
async def answer(
    hitl_id: str, request: Request, principal: CurrentUser, state: AppStateDep
) -> HitlItemView:
    """Record the answer to a question that waits. Nothing runs here: the runner that waits with the
    task is woken (`GET /api/task/{taskId}/events`), and its next request resumes with the answer.

    The first answer counts, by whichever door it comes: 400 `HITL_NOT_PENDING` for a later one, 409
    `HITL_EXPIRED` for one after its time. The same `requestId` with the same answer may be repeated.
    """
    body = await read_body(request)
    row = await _of(state["inbox"], principal, hitl_id)
    said = _parsed(body)
    key = f"{INBOX}{said.request_id or uuid4()}"
    answering = _answering(state)
    if not _is_repeated(row, key):
        await answering.refuse_late(row)
    result = answering.meant(principal, row, said.answer(row), via="inbox", key=key)
    if agreed_by_accident(said.type, result):
        raise Invalid("type: what is asked here is agreed to with `accept` alone")
    stands = row if _is_repeated(row, key) else await answering.conclude(row, result)
    if stands.result is None or _said(stands.result) != _said(result):
        raise RequestIdReused
    return HitlItemView.of(stands, datetime.now(UTC))


async def _of(inbox: Inbox, principal: Principal, hitl_id: str) -> PendingHitl:
    """The question, where it is one's own or one is an operator of its tenant; else `NotFound`."""
    row = await inbox.find(principal.tenant, hitl_id[:LONGEST_ID])
    if row is None:
        raise NotFound("There is no such question")
    refuse_stranger(principal, row.user)
    return row


def _is_repeated(row: PendingHitl, key: str) -> bool:
    return row.result is not None and row.result.key == key


def _answering(state: AppState) -> Answering:
    return Answering(
        store=state["store"], inbox=state["inbox"], bells=state["bells"], go_on=state["chat"].go_on
    )


def _said(result: HitlResult) -> tuple[object, ...]:
    return result.decision, result.text, result.selected


def _parsed(body: bytes) -> HitlAnswerIn:
    try:
        return HitlAnswerIn.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None
