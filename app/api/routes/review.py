"""The review queue: records, decisions of operators, and requests for a second opinion.

Records keep their stored snake_case; everything around them is camelCase.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import model_validator

from app.agent import opinion_on_task
from app.api.deps import AppState, AppStateDep, CurrentOperator, CurrentUser
from app.api.models import RequestModel, ResponseModel
from app.api.problems import NEEDS_OPERATOR, problem_doc, problem_docs
from app.api.query_params import (
    PAGE,
    Cursor,
    Since,
    Until,
    make_cursor,
    parse_cursor,
    resolve_period,
)
from app.api.request_body import body_schema, parse_body, read_body
from app.api.routes.chat.conversations import line_views
from app.api.routes.chat.schemas import LineView
from app.api.routes.tasks.router import task_timeline
from app.api.routes.tasks.schemas import TaskView
from app.chat import opinion_on_answer
from app.domain.access import Principal
from app.domain.review import (
    Depths,
    Location,
    Record,
    RequiredName,
    RequiredText,
    ReviewedRecord,
    ReviewOutcome,
    Short,
    Submission,
    Text,
)
from app.errors import InvalidBody, NotFound
from app.review import MOST_RECORDS, ReviewStats, compute_review_stats


class DecisionIn(RequestModel):
    """A decision. Name and role default to those of the key."""

    outcome: ReviewOutcome
    notes: RequiredText
    operator_name: RequiredName | None = None
    operator_role: RequiredName | None = None
    operator_team: Short | None = None


class SecondOpinionIn(RequestModel):
    task_id: RequiredName | None = None
    thread_id: RequiredName | None = None
    message_id: RequiredName | None = None
    note: Text = ""

    @model_validator(mode="after")
    def _check_subject(self) -> "SecondOpinionIn":
        fields = (self.task_id is not None, self.thread_id is not None, self.message_id is not None)
        if fields not in ((True, False, False), (False, True, True)):
            raise ValueError("send taskId, or threadId and messageId")
        return self


class RecordView(ResponseModel):
    record: Submission | ReviewedRecord


class TurnView(ResponseModel):
    """The question and answer that a record is about; `metadata` of the answer holds its citations."""

    thread_id: str
    messages: list[LineView]


class WholeRecordView(RecordView):
    """A record with its subject, if that still exists and is visible to the user."""

    task: TaskView | None = None
    turn: TurnView | None = None


class RecordsPage(ResponseModel):
    """Records, newest first; `nextCursor` is set if there are more. `depths`: records of the whole tenant
    by location, for operators.
    """

    records: list[Submission | ReviewedRecord]
    depths: Depths | None = None
    next_cursor: str | None = None


router = APIRouter(
    prefix="/api/review",
    tags=["review"],
    responses=problem_docs(401, 422, 429, 503),
)
MISSING = problem_doc("No such record, or it is not visible to the user")
DECIDED = problem_doc("The record has been decided; the first decision is final")
NO_SUBJECT = problem_doc("No such task or answer, or it belongs to another user")

MAX_BYTES = 64 * 1024  # bytes of a decision, with its texts escaped
LINES = 500  # newest messages of a conversation
EPOCH = datetime.fromtimestamp(0, UTC)


@router.get("")
async def records(
    principal: CurrentUser,
    state: AppStateDep,
    location: Annotated[Location, Query(description="`pending`, or the decision")] = "pending",
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=MOST_RECORDS)] = PAGE,
) -> RecordsPage:
    """Records, newest first: the tenant's for operators, the user's own for others."""
    service = state["reviews"]
    place = parse_cursor(cursor)
    after = place and (_ms(place[0]), place[1])
    page = list(await service.listed(principal, location, limit=limit, after=after))
    last = page[-1].place if len(page) == limit else None
    more = last is not None and await service.listed(principal, location, limit=1, after=last)
    return RecordsPage(
        records=page,
        depths=await service.reviews.depths(principal.tenant)
        if principal.has_scope("operator")
        else None,
        next_cursor=make_cursor(EPOCH + timedelta(milliseconds=last[0]), last[1])
        if last and more
        else None,
    )


@router.get("/stats", responses={403: NEEDS_OPERATOR})
async def review_stats(
    principal: CurrentOperator,
    state: AppStateDep,
    since: Since = None,
    until: Until = None,
) -> ReviewStats:
    """Submissions, decisions, review times, and how often operators agreed with the agent."""
    begin, end = (max(one, EPOCH) for one in resolve_period(since, until))
    reviews = state["reviews"].reviews
    return await compute_review_stats(
        reviews, principal.tenant, _ms(begin), _ms(end), _ms(datetime.now(UTC))
    )


@router.get("/{record_id}", responses={404: MISSING})
async def record(record_id: str, principal: CurrentUser, state: AppStateDep) -> WholeRecordView:
    """A record with the timeline of its task, or with the question and answer of the chat."""
    found = await state["reviews"].get(principal, record_id)
    return WholeRecordView(
        record=found,
        task=await _load_task(state, principal, found),
        turn=await _load_turn(state, principal, found),
    )


@router.post(
    "/{record_id}/decision",
    responses={403: NEEDS_OPERATOR, 404: MISSING, 409: DECIDED, **problem_docs(413)},
    openapi_extra=body_schema(DecisionIn),
)
async def decide(
    record_id: str, request: Request, principal: CurrentOperator, state: AppStateDep
) -> RecordView:
    """Approve or reject a record, with notes; operators only. The first decision is final."""
    raw = await read_body(request, MAX_BYTES)
    try:
        body = parse_body(DecisionIn, raw)
    except InvalidBody:
        await state["reviews"].refused(principal.tenant)
        raise
    operator = {
        "name": body.operator_name or principal.user,
        "role": body.operator_role or principal.role,
        "id": principal.user,
        "team": body.operator_team,
    }
    reviewed = await state["reviews"].decide(
        principal,
        record_id,
        outcome=body.outcome,
        notes=body.notes,
        operator=operator,
        reviewed_by=principal.user,
    )
    return RecordView(record=reviewed)


EXISTING = {"model": RecordView, "description": "The existing record"}


@router.post(
    "",
    status_code=201,
    responses={200: EXISTING, 404: NO_SUBJECT, **problem_docs(413)},
    openapi_extra=body_schema(SecondOpinionIn),
)
async def second_opinion(
    request: Request, response: Response, principal: CurrentUser, state: AppStateDep
) -> RecordView:
    """Request a second opinion on an ended task or on an answer of the chat. An existing record is
    returned unchanged.
    """
    body = parse_body(SecondOpinionIn, await read_body(request, MAX_BYTES))
    if body.task_id is not None:
        submission = await opinion_on_task(state["batch"], principal, body.task_id, body.note)
    else:
        submission = await opinion_on_answer(
            state["batch"],
            principal,
            body.thread_id or "",
            body.message_id or "",
            body.note,
        )
    found = await state["reviews"].file(submission)
    if found != submission:
        response.status_code = 200
    return RecordView(record=found)


async def _load_task(state: AppState, principal: Principal, found: Record) -> TaskView | None:
    """The task of the record; None if there is none, it was deleted or the principal may not see it."""
    task_id = found.issue.task_id
    if found.origin.kind == "chat" or task_id is None:
        return None
    try:
        return await task_timeline(task_id, principal, state)
    except NotFound:
        return None


async def _load_turn(state: AppState, principal: Principal, found: Record) -> TurnView | None:
    """The messages of the turn that ended with the answer; the rest of the conversation remains private."""
    thread_id, message_id = found.issue.thread_id, found.origin.message_id
    if found.origin.kind != "chat" or thread_id is None or message_id is None:
        return None
    conversation = await state["store"].conversations.find(principal.tenant, thread_id)
    if conversation is None or conversation.user != found.origin.user:
        return None
    lines = await state["store"].conversations.lines(principal.tenant, thread_id, limit=LINES)
    turn_id = next((line.turn_id for line in lines if line.message_id == message_id), None)
    turn = [line for line in lines if line.turn_id == turn_id]
    messages = await line_views(turn, principal.tenant, state)
    return TurnView(thread_id=thread_id, messages=messages) if messages else None


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
