"""The review queue: what waits for an operator, what they decide, and asking for a second opinion."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query, Request, Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from app.agent.persistence.escalation import opinion_on_task
from app.api.deps import AppState, AppStateDep, CurrentOperator, CurrentUser
from app.api.models import RequestModel, ResponseModel
from app.api.pagination import after, make_cursor
from app.api.request_body import read_body
from app.api.routes.chat.conversations import line_views
from app.api.routes.chat.schemas import LineView
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.tasks.router import task_timeline
from app.api.routes.tasks.schemas import TaskView
from app.chat.output.escalation import opinion_on_answer
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
from app.errors import Invalid, InvalidBody, NotFound
from app.review.service import MOST
from app.review.stats import ReviewStats, stats


class DecisionIn(RequestModel):
    """What an operator decides. Without a name and role those of the key are taken."""

    outcome: ReviewOutcome
    notes: RequiredText
    operator_name: RequiredName | None = None
    operator_role: RequiredName | None = None
    operator_team: Short | None = None


class SecondOpinionIn(RequestModel):
    """Of what somebody else is to look at: a task, or an answer of a conversation."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore"
    )

    task_id: RequiredName | None = None
    thread_id: RequiredName | None = None
    message_id: RequiredName | None = None
    note: Text = ""

    @model_validator(mode="after")
    def _one(self) -> "SecondOpinionIn":
        answer = self.thread_id is not None and self.message_id is not None
        some = self.thread_id is not None or self.message_id is not None
        if (self.task_id is not None) == some or some != answer:
            raise ValueError("send taskId, or threadId and messageId")
        return self


class RecordView(ResponseModel):
    """One record."""

    record: Submission | ReviewedRecord


class TurnView(ResponseModel):
    """The question and the answer of a conversation that a record is about; the answer's `metadata` holds
    what it cites.
    """

    thread_id: str
    messages: list[LineView]


class WholeRecordView(RecordView):
    """A record with what it is about, where that is still there and may be seen."""

    task: TaskView | None = None
    turn: TurnView | None = None


class RecordsPage(ResponseModel):
    """Newest first; `nextCursor` is there when there are more. `depths` are those of the whole tenant, for
    operators.
    """

    records: list[Submission | ReviewedRecord]
    depths: Depths | None = Field(default=None)
    next_cursor: str | None = None


router = APIRouter(
    prefix="/api/review",
    tags=["review"],
    responses={k: PROBLEMS[k] for k in (401, 422, 429, 503)},
)
FORBIDDEN = PROBLEMS[401] | {"description": "FORBIDDEN: it takes a key of role operator"}
MISSING = PROBLEMS[404] | {"description": "NOT_FOUND: no such record, or another's"}
DECIDED = PROBLEMS[409] | {
    "description": "ALREADY_REVIEWED: it was decided before; that decision stands"
}
ABSENT = PROBLEMS[404] | {"description": "NOT_FOUND: no such task or answer, or another's"}

PAGE = 50
PERIOD = timedelta(days=30)
LONGEST_CURSOR = 200
MOST_BYTES = 64 * 1024  # of a decision: its texts in UTF-8, escaped
LINES = 500  # of a conversation: the newest
_FIRST = datetime.fromtimestamp(0, UTC)

Asked = TypeVar("Asked", bound=BaseModel)


def _body_of(shape: type[BaseModel]) -> dict[str, Any]:
    schema = shape.model_json_schema(ref_template="#/components/schemas/{model}")
    content = {"application/json": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


@router.get("")
async def records(
    principal: CurrentUser,
    state: AppStateDep,
    location: Annotated[
        Location, Query(description="`pending` waits; the others were decided")
    ] = "pending",
    cursor: Annotated[
        str | None,
        Query(max_length=LONGEST_CURSOR, description="`nextCursor` of the page before"),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = PAGE,
) -> RecordsPage:
    """Records, newest first: one's own, for operators those of the whole tenant."""
    service = state["reviews"]
    page = list(await service.listed(principal, location, limit=limit, after=_place(cursor)))
    last = _moment(page[-1]) if len(page) == limit else None
    more = last is not None and await service.listed(principal, location, limit=1, after=last)
    return RecordsPage(
        records=page,
        depths=await service.reviews.depths(principal.tenant)
        if principal.has_scope("operator")
        else None,
        next_cursor=_cursor(last) if last and more else None,
    )


@router.get("/stats", responses={403: FORBIDDEN})
async def review_stats(
    principal: CurrentOperator,
    state: AppStateDep,
    since: Annotated[
        AwareDatetime | None, Query(alias="from", description="30 days before `to` if not given")
    ] = None,
    until: Annotated[
        AwareDatetime | None, Query(alias="to", description="now if not given")
    ] = None,
) -> ReviewStats:
    """What came in, what was decided, how long that took, and how often the agent's proposal was right."""
    now = datetime.now(UTC)
    end = max(until or now, _FIRST)
    begin = max(since, _FIRST) if since else max(end, _FIRST + PERIOD) - PERIOD
    if begin > end:
        raise Invalid("from: it is later than to")
    reviews = state["reviews"].reviews
    return await stats(reviews, principal.tenant, _ms(begin), _ms(end), _ms(now))


@router.get("/{record_id}", responses={404: MISSING})
async def record(record_id: str, principal: CurrentUser, state: AppStateDep) -> WholeRecordView:
    """One record with the timeline of the task it is about, or the question and answer of the chat."""
    found = await state["reviews"].get(principal, record_id)
    return WholeRecordView(
        record=found,
        task=await _task(state, principal, found),
        turn=await _turn(state, principal, found),
    )


@router.post(
    "/{record_id}/decision",
    responses={403: FORBIDDEN, 404: MISSING, 409: DECIDED, 413: PROBLEMS[413]},
    openapi_extra=_body_of(DecisionIn),
)
async def decide(
    record_id: str, request: Request, principal: CurrentOperator, state: AppStateDep
) -> RecordView:
    """Approve or reject, with notes; operators only. The first decision stands."""
    body = await read_body(request, MOST_BYTES)
    try:
        said = _parsed(DecisionIn, body)
    except InvalidBody:
        await state["reviews"].refused(principal.tenant)
        raise
    operator = {
        "name": said.operator_name or principal.user,
        "role": said.operator_role or principal.role,
        "id": principal.user,
        "team": said.operator_team,
    }
    reviewed = await state["reviews"].decide(
        principal,
        record_id,
        outcome=said.outcome,
        notes=said.notes,
        operator=operator,
        reviewed_by=principal.user,
    )
    return RecordView(record=reviewed)


STANDS = {"model": RecordView, "description": "There is one already; that is the record"}


@router.post(
    "",
    status_code=201,
    responses={200: STANDS, 404: ABSENT, 413: PROBLEMS[413]},
    openapi_extra=_body_of(SecondOpinionIn),
)
async def second_opinion(
    request: Request, response: Response, principal: CurrentUser, state: AppStateDep
) -> RecordView:
    """Ask for a second opinion on a task that ended, or on an answer of the chat. What is in the queue
    already, or was decided, is answered as it stands.
    """
    asked = _parsed(SecondOpinionIn, await read_body(request, MOST_BYTES))
    submission = await _opinion(state, principal, asked)
    found = await state["reviews"].file(submission)
    if found != submission:
        response.status_code = 200
    return RecordView(record=found)


async def _opinion(state: AppState, principal: Principal, asked: SecondOpinionIn) -> Submission:
    if asked.task_id is not None:
        return await opinion_on_task(state["together"], principal, asked.task_id, asked.note)
    thread_id, message_id = asked.thread_id or "", asked.message_id or ""
    return await opinion_on_answer(state["together"], principal, thread_id, message_id, asked.note)


async def _task(state: AppState, principal: Principal, found: Record) -> TaskView | None:
    """The task it is about; None where there is none, or none any more, or it is not one's to see."""
    task_id = found.issue.task_id
    if found.origin.kind == "chat" or task_id is None:
        return None
    try:
        return await task_timeline(task_id, principal, state)
    except NotFound:
        return None


async def _turn(state: AppState, principal: Principal, found: Record) -> TurnView | None:
    """The lines of the turn that ended with the answer; the rest of a conversation is its person's own."""
    thread_id, message_id = found.issue.thread_id, found.origin.message_id
    if found.origin.kind != "chat" or thread_id is None or message_id is None:
        return None
    talk = await state["store"].conversations.find(principal.tenant, thread_id)
    if talk is None or talk.user != found.origin.user:
        return None
    lines = await state["store"].conversations.lines(principal.tenant, thread_id, limit=LINES)
    turn = next((one.turn_id for one in lines if one.message_id == message_id), None)
    said = [one for one in lines if one.turn_id == turn]
    messages = await line_views(said, principal.tenant, state)
    return TurnView(thread_id=thread_id, messages=messages) if messages else None


def _parsed(shape: type[Asked], body: bytes) -> Asked:
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise InvalidBody([dict(item) for item in found]) from None


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)


def _moment(one: Record) -> tuple[int, str]:
    """Its place in the list."""
    ms = one.review.reviewed_at_ms if isinstance(one, ReviewedRecord) else one.submitted_at_ms
    return ms, one.id


def _cursor(place: tuple[int, str]) -> str:
    ms, last_id = place
    return make_cursor(_FIRST + timedelta(milliseconds=ms), last_id)


def _place(cursor: str | None) -> tuple[int, str] | None:
    found = after(cursor or None)
    return found and (_ms(found[0]), found[1])
