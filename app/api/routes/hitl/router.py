"""Questions to users: any inbox lists and answers them; the run resumes with its runner's next request."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import uuid4

from fastapi import APIRouter, Query, Request

from app.api.deps import AppStateDep, CurrentUser
from app.api.problems import problem_docs
from app.api.query_params import PAGE, Cursor, PageSize, Place, parse_cursor, split_page
from app.api.request_body import body_schema, parse_body, read_body
from app.api.routes.hitl.schemas import HitlAnswerIn, HitlItemView, HitlPage
from app.domain.access import Principal
from app.domain.hitl import HitlStatus, PendingHitl
from app.errors import Invalid, NotFound, RequestIdReused
from app.hitl import (
    ANSWER_WITHIN,
    AnswerService,
    Inbox,
    agreed_by_accident,
    refuse_stranger,
    resolve_answer,
)
from app.store.people.questions import Hitl

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
    raw = await read_body(request)
    row = await _find(state["inbox"], principal, hitl_id)
    body = parse_body(HitlAnswerIn, raw)
    key = f"{INBOX}{body.request_id or uuid4()}"
    answering = AnswerService(
        store=state["store"],
        inbox=state["inbox"],
        task_events=state["task_events"],
        go_on=state["chat"].resume_answered,
    )
    is_repeated = row.result is not None and row.result.key == key
    if not is_repeated:
        await answering.refuse_late(row)
    result = resolve_answer(principal, row.question, body.answer(row), via="inbox", key=key)
    if agreed_by_accident(body.type, result):
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
        if self.status == "pending":
            return self._matching(await self._rows(store, "pending", self.after, since=recently))
        stored = None if self.status == "all" else self.status
        found = await self._rows(store, stored, self.after)
        if self.status == "expired":
            place = min(self.after or (recently, ""), (recently, ""))
            found += self._matching(await self._rows(store, "pending", place))
        return sorted(found, key=_newest_first)[: self.limit]

    async def of_task(self, store: Hitl, task_id: str) -> list[PendingHitl]:
        rows = await store.of_task(self.principal.tenant, task_id)
        visible = [row for row in rows if self.principal.can_see(row.user)]
        found = sorted(self._matching(visible), key=_newest_first)
        if self.after is not None:
            at, last_id = self.after
            found = [row for row in found if _newest_first(row) > (-at.timestamp(), last_id)]
        return found[: self.limit]

    async def _rows(
        self,
        store: Hitl,
        status: HitlStatus | None,
        after: Place | None,
        *,
        since: datetime | None = None,
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
        return [row for row in rows if self.status in ("all", row.status_at(self.now))]


def _newest_first(row: PendingHitl) -> tuple[float, str]:
    """The sort key of a list with the newest question first."""
    return -row.created_at.timestamp(), row.hitl_id
