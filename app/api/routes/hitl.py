"""Questions to users: any inbox lists and answers them; the run resumes with its runner's next request."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import uuid4

from fastapi import APIRouter, Query, Request
from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from app.agent import question_fields
from app.api.deps import AppStateDep, CurrentUser
from app.api.models import RequestModel, ResponseModel
from app.api.problems import problem_docs
from app.api.query_params import PAGE, Cursor, PageSize, Place, parse_cursor, split_page
from app.api.request_body import body_schema, parse_body, read_body
from app.api.routes.interact.observation import MESSAGES, Text
from app.api.routes.interact.question import (
    Answer,
    AnswerValue,
    HitlResponseIn,
    QuestionView,
    write_out,
)
from app.api.routes.interact.router import ClientId
from app.domain.access import Principal
from app.domain.hitl import AnswerChannel, HitlDecision, HitlResult, HitlStatus, PendingHitl
from app.errors import Invalid, NotFound, RequestIdReused
from app.hitl import (
    ANSWER_WITHIN,
    CANCEL,
    SAID,
    AnswerService,
    EventType,
    HitlAnswer,
    Inbox,
    agreed_by_accident,
    human_interrupt,
    inbox_answer,
    question_text,
    refuse_stranger,
    resolve_answer,
    said_of,
)
from app.store.people.questions import Hitl

MOST_ARGS = 50


class ResultView(ResponseModel):
    """The result of a question: `selected` are ids of its options. Secret answers are masked."""

    decision: HitlDecision
    text: str = ""
    selected: list[str] = []
    by: str
    via: AnswerChannel
    at: datetime

    @staticmethod
    def of(question: str, result: HitlResult) -> "ResultView":
        """`question` is the wording that the result answers."""
        return ResultView.from_fields(result, text=said_of(question, result))


class ActionRequestView(ResponseModel):
    """LangGraph's `ActionRequest`: the proposed action, or the question."""

    model_config = ConfigDict(alias_generator=None)

    action: str
    args: dict[str, Any]


class HumanInterruptConfigView(ResponseModel):
    """LangGraph's `HumanInterruptConfig`: the answers that the question accepts."""

    model_config = ConfigDict(alias_generator=None)

    allow_ignore: bool
    allow_respond: bool
    allow_edit: bool
    allow_accept: bool


class HumanInterruptView(ResponseModel):
    """The question as LangGraph's `HumanInterrupt`, for a client of its agent inbox."""

    model_config = ConfigDict(alias_generator=None)

    action_request: ActionRequestView
    config: HumanInterruptConfigView
    description: str | None = None


class HitlItemView(QuestionView):
    """A question with its task, its user and its result. `status` reflects its dates: an unanswered one
    becomes `expired`.
    """

    task_id: str
    session_id: str
    trace_id: str
    user: str
    goal: str
    url: str
    status: HitlStatus
    result: ResultView | None = None
    created_at: datetime
    human_interrupt: HumanInterruptView

    @staticmethod
    def of(row: PendingHitl, now: datetime) -> "HitlItemView":
        """Convert a question, with its status at the given time."""
        message = question_text(row.question)
        return HitlItemView.model_validate(
            (question_fields(row.question) or {})
            | {
                "taskId": row.task_id,
                "sessionId": row.thread_id,
                "traceId": row.trace_id,
                "user": row.user,
                "goal": row.goal,
                "url": row.url,
                "status": row.status_at(now),
                "result": ResultView.of(message, row.result) if row.result else None,
                "createdAt": row.created_at,
                "humanInterrupt": human_interrupt(row.question, message),
            }
        )


class HitlPage(ResponseModel):
    """Questions, newest first; `nextCursor` is set if there are more."""

    items: list[HitlItemView]
    next_cursor: str | None = None


ANSWERS: list[Any] = [
    {"type": "yes_no", "value": "yes"},
    {"type": "element_choice", "value": "2", "requestId": "6f0c2a3e-6f6a-4c55-9a43-0d0b1f6d2a11"},
    {"type": "cancel"},
    {"type": "accept", "args": None},
    {"type": "edit", "args": {"action": "Archive it", "args": {"patient": "Jas Patel"}}},
]


class ActionRequestIn(RequestModel):
    """LangGraph's `ActionRequest`, edited: what to do instead."""

    model_config = ConfigDict(alias_generator=None)

    action: Answer = ""
    args: Annotated[dict[Text, Answer], Field(max_length=MOST_ARGS)] = {}

    @model_validator(mode="before")
    @classmethod
    def _in_words(cls, given: object) -> object:
        if not isinstance(given, dict) or not isinstance(given.get("args"), dict):
            return given
        args = given["args"].items()
        worded = {
            name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in args
            if value is not None
        }
        return given | {"args": worded}


class HitlAnswerIn(RequestModel):
    """An answer from any inbox: `type` is the question's `interruptType` or `cancel`, `value` the answer.

    The vocabulary of LangGraph's agent inbox is accepted too, with `args` (or `value`): `accept` (approves,
    or chooses what it names), `respond` or `response` (an answer in words; rejects an approval with a
    reason), `edit` (rejects an approval and says what to do instead; the original is never carried out),
    `ignore` (cancels). The same answer with the same `requestId` may be sent again.
    """

    model_config = ConfigDict(json_schema_extra={"examples": ANSWERS})

    type: Text
    value: AnswerValue = None
    args: Annotated[
        ActionRequestIn | Answer | Annotated[list[Answer], Field(max_length=MESSAGES)] | None,
        BeforeValidator(write_out),
    ] = None
    request_id: ClientId | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "HitlAnswerIn":
        if self.type not in SAID and self.type != CANCEL:
            HitlResponseIn(hitl_id="", type=self.type, value=self.value)
        return self

    def answer(self, row: PendingHitl) -> HitlAnswer:
        """Convert to the domain value. Raises `Invalid` if the question does not accept it."""
        if self.type not in SAID:
            return HitlResponseIn(hitl_id=row.hitl_id, type=self.type, value=self.value).answer()
        given: object = self.args if self.args is not None else self.value
        if isinstance(given, ActionRequestIn):
            given = given.model_dump()
        return inbox_answer(row.question, self.type, given)


class TaskEventView(ResponseModel):
    """One event of a task's stream. The first, `standing`, is the current state, `ended` the last."""

    type: EventType
    status: str | None = None
    hitl_id: str | None = None
    paused: bool | None = None
    at: datetime


StatusFilter = Literal["pending", "answered", "cancelled", "expired", "all"]


router = APIRouter(tags=["people"], responses=problem_docs(401, 404))

LONGEST_ID = 128
INBOX = "inbox:"  # prefix of the request ids of answers given here; runners never use it


@router.get("/api/hitl", responses=problem_docs(422))
async def questions(
    principal: CurrentUser,
    state: AppStateDep,
    status: Annotated[StatusFilter, Query(description="`all` for any status")] = "pending",
    task_id: Annotated[str | None, Query(alias="taskId", max_length=LONGEST_ID)] = None,
    cursor: Cursor = None,
    limit: PageSize = PAGE,
) -> HitlPage:
    """Questions, newest first: the tenant's for operators, the user's own for others.

    A question expires after five minutes; `status` reflects its dates.
    """
    now = datetime.now(UTC)
    query = InboxQuery(
        principal=principal, status=status, limit=limit + 1, after=parse_cursor(cursor), now=now
    )
    store = state["store"].hitl
    found = await (query.of_task(store, task_id) if task_id else query.find(store))
    page, next_cursor = split_page(found, limit, lambda one: (one.created_at, one.hitl_id))
    return HitlPage(items=[HitlItemView.of(row, now) for row in page], next_cursor=next_cursor)


@router.get("/api/hitl/{hitl_id}")
async def question(hitl_id: str, principal: CurrentUser, state: AppStateDep) -> HitlItemView:
    """A question with its result."""
    found = await _find(state["inbox"], principal, hitl_id)
    return HitlItemView.of(found, datetime.now(UTC))


@router.post(
    "/api/hitl/{hitl_id}/answer",
    responses=problem_docs(400, 409, 413, 422),
    openapi_extra=body_schema(HitlAnswerIn),
)
async def answer(
    hitl_id: str, request: Request, principal: CurrentUser, state: AppStateDep
) -> HitlItemView:
    """Record the answer to a pending question. The task's runner is notified
    (`GET /api/task/{taskId}/events`), and its next request resumes with the answer.

    The first answer from any inbox counts: 400 `HITL_NOT_PENDING` for a later one, 409 `HITL_EXPIRED`
    after its time. The same `requestId` with the same answer may be repeated.
    """
    body = await read_body(request)
    row = await _find(state["inbox"], principal, hitl_id)
    asked = parse_body(HitlAnswerIn, body)
    key = f"{INBOX}{asked.request_id or uuid4()}"
    answering = AnswerService(
        store=state["store"],
        inbox=state["inbox"],
        bells=state["bells"],
        go_on=state["chat"].resume_answered,
    )
    is_repeated = row.result is not None and row.result.key == key
    if not is_repeated:
        await answering.refuse_late(row)
    result = resolve_answer(principal, row.question, asked.answer(row), via="inbox", key=key)
    if agreed_by_accident(asked.type, result):
        raise Invalid("type: this question can only be approved with `accept`.")
    current = row if is_repeated else await answering.conclude(row, result)
    stored = current.result
    same = {"decision", "text", "selected"}
    if stored is None or stored.model_dump(include=same) != result.model_dump(include=same):
        raise RequestIdReused
    return HitlItemView.of(current, datetime.now(UTC))


async def _find(inbox: Inbox, principal: Principal, hitl_id: str) -> PendingHitl:
    """The question. Raises `NotFound` unless it belongs to the user or the principal is an operator."""
    row = await inbox.find(principal.tenant, hitl_id[:LONGEST_ID])
    if row is None:
        raise NotFound("There is no such question.")
    refuse_stranger(principal, row.user)
    return row


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxQuery:
    """Filters by current status, since the stored one is outdated once a question has expired."""

    principal: Principal
    status: StatusFilter
    limit: int
    after: Place | None
    now: datetime

    async def find(self, store: Hitl) -> list[PendingHitl]:
        """Questions of the user or the tenant. Pending ones are at most five minutes old."""
        recently = self.now - ANSWER_WITHIN
        if self.status == "all":
            return await self._rows(store, None, after=self.after)
        if self.status == "pending":
            rows = await self._rows(store, "pending", since=recently, after=self.after)
            return self._matching(rows)
        found = await self._rows(store, self.status, after=self.after)
        if self.status == "expired":
            before = min(self.after or (recently, ""), (recently, ""))
            found += self._matching(await self._rows(store, "pending", after=before))
        return _newest(found)[: self.limit]

    async def of_task(self, store: Hitl, task_id: str) -> list[PendingHitl]:
        rows = await store.of_task(self.principal.tenant, task_id)
        seen = [row for row in rows if self.principal.can_see(row.user)]
        found = _newest(seen if self.status == "all" else self._matching(seen))
        if self.after is not None:
            last = _order(*self.after)
            found = [row for row in found if _order(row.created_at, row.hitl_id) > last]
        return found[: self.limit]

    async def _rows(
        self,
        store: Hitl,
        status: HitlStatus | None,
        *,
        since: datetime | None = None,
        after: Place | None,
    ) -> list[PendingHitl]:
        return await store.listed(
            self.principal.tenant,
            user=None if self.principal.has_scope("operator") else self.principal.user,
            status=status,
            limit=self.limit,
            since=since,
            after=after,
        )

    def _matching(self, rows: list[PendingHitl]) -> list[PendingHitl]:
        return [row for row in rows if row.status_at(self.now) == self.status]


def _order(created_at: datetime, hitl_id: str) -> tuple[float, str]:
    """The sort key of a list with the newest question first."""
    return -created_at.timestamp(), hitl_id


def _newest(rows: list[PendingHitl]) -> list[PendingHitl]:
    return sorted(rows, key=lambda row: _order(row.created_at, row.hitl_id))
