"""The list of tasks: by status, user, time and the words of the goal, newest first."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal
from unicodedata import normalize

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field

from app.agent import COST_DIGITS
from app.api.deps import AppStateDep, CurrentUser
from app.api.models import ResponseModel
from app.api.problems import problem_docs
from app.api.query_params import PAGE, Cursor, PageSize, Place, make_cursor, parse_cursor
from app.api.routes.interact.response import UsageView
from app.api.routes.tasks.router import IDLE
from app.bounds import cut
from app.domain.access import Principal
from app.domain.metrics.usage import UsageTotals
from app.domain.task import Task, TaskStatus
from app.errors import Invalid
from app.store.tasks.tasks import Tasks

LONGEST_TEXT = 500  # characters; `GET /api/task/{taskId}` returns the whole goal

StatusFilter = Literal[
    "active", "executing", "awaiting_user", "completed", "failed", "interrupted", "under_way"
]


class TaskRowView(ResponseModel):
    """A task in a list. `query` and `result` are cut at 500 characters."""

    task_id: str
    session_id: str
    user_id: str
    query: str
    url: str
    status: TaskStatus
    steps: int
    complexity: str | None = None
    result: str | None = None
    created_at: datetime
    updated_at: datetime
    usage: UsageView

    @staticmethod
    def of(task: Task, spent: UsageTotals) -> "TaskRowView":
        return TaskRowView.from_fields(
            task,
            user_id=task.user,
            query=cut(task.query, LONGEST_TEXT),
            steps=int(task.metrics.get("steps", task.step_index)),
            result=cut(task.result, LONGEST_TEXT) if task.result is not None else None,
            usage=UsageView.from_fields(
                spent, cost_usd=round(spent.cost_usd, COST_DIGITS), estimate=None, budget=None
            ),
        )


class TasksPage(ResponseModel):
    tasks: list[TaskRowView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None


UNDER_WAY: tuple[TaskStatus, ...] = ("active", "executing", "awaiting_user")
MAX_SCANNED = 2_000  # rows read per request; about 100 ms
BATCH = 200  # rows per read in a text search


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskQuery:
    """The filters of one request. `words` are compared here, so that no user's pattern reaches the store.

    The stored status may be outdated: a wait may be over, or a task left idle.
    """

    principal: Principal
    status: StatusFilter | None
    user: str | None
    words: str | None
    since: datetime | None
    until: datetime | None
    after: Place | None
    limit: int
    now: datetime
    idle_since: datetime

    async def page(self, store: Tasks) -> tuple[list[Task], Place | None]:
        """The tasks with their current status, and the place to continue from; None at the end."""
        if self.user is not None and not self.principal.can_see(self.user):
            return [], None
        found: list[Task] = []
        scanned, place = 0, self.after
        while rows := await self._newest(store, place):
            for row in rows:
                if len(found) == self.limit or scanned == MAX_SCANNED:
                    return found, place
                scanned, place = scanned + 1, (row.created_at, row.task_id)
                task = self._with_current_status(row)
                if self._matches(task):
                    found.append(task)
            if len(rows) < self._batch:
                break
        return found, None

    def _stored_statuses(self) -> tuple[TaskStatus | None, ...]:
        match self.status:
            case None:
                return (None,)
            case "under_way":
                return UNDER_WAY
            case "interrupted":
                return (*UNDER_WAY, "interrupted")
            case _:
                return (self.status,)

    def _with_current_status(self, task: Task) -> Task:
        is_expired = task.waits_until is not None and task.waits_until <= self.now
        is_over = (
            task.status == "awaiting_user" and is_expired
        ) or task.updated_at < self.idle_since
        is_interrupted = task.status in UNDER_WAY and is_over
        return task.model_copy(update={"status": "interrupted"}) if is_interrupted else task

    def _matches(self, task: Task) -> bool:
        if self.status == "under_way":
            matches = task.status in UNDER_WAY
        else:
            matches = self.status in (None, task.status)
        if not matches or not self.words:
            return matches
        goal = _fold(task.query)
        words = _fold(self.words).split()
        return self.words.strip() == task.task_id or all(word in goal for word in words)

    async def _newest(self, store: Tasks, place: Place | None) -> list[Task]:
        """The newest rows after a place that may match."""
        operator = self.principal.has_scope("operator")
        rows: list[Task] = []
        for status in self._stored_statuses():
            rows += await store.listed(
                self.principal.tenant,
                user=self.user if operator else self.principal.user,
                status=status,
                limit=self._batch,
                since=self.since,
                until=self.until,
                after=place,
            )
        rows.sort(key=lambda one: (-one.created_at.timestamp(), one.task_id))
        return rows[: self._batch]

    @property
    def _batch(self) -> int:
        return BATCH if self.words else self.limit + 1


def _fold(text: str) -> str:
    return normalize("NFKC", text).casefold()


router = APIRouter(tags=["tasks"], responses=problem_docs(401, 422))

LONGEST_WORDS = 200
LONGEST_USER = 128


@router.get("/api/tasks")
async def tasks(
    principal: CurrentUser,
    state: AppStateDep,
    status: Annotated[
        StatusFilter | None, Query(description="`under_way`: neither ended nor stopped")
    ] = None,
    user: Annotated[str | None, Query(max_length=LONGEST_USER)] = None,
    words: Annotated[
        str | None,
        Query(
            alias="q",
            max_length=LONGEST_WORDS,
            description="Words of the goal, case-insensitive; or the id of a task",
        ),
    ] = None,
    since: Annotated[
        AwareDatetime | None, Query(alias="from", description="Created at this time or later")
    ] = None,
    until: Annotated[
        AwareDatetime | None, Query(alias="to", description="Created before this time")
    ] = None,
    cursor: Cursor = None,
    limit: PageSize = PAGE,
) -> TasksPage:
    """Tasks, newest first: the tenant's for operators, the user's own for others.

    A search for words reads at most 2,000 tasks: a page may then hold few or none, and its `nextCursor`
    continues with older ones.
    """
    if since is not None and until is not None and since > until:
        raise Invalid("from: must not be later than `to`.")
    now = datetime.now(UTC)
    query = TaskQuery(
        principal=principal,
        status=status,
        user=user,
        words=words,
        since=since,
        until=until,
        after=parse_cursor(cursor),
        limit=limit,
        now=now,
        idle_since=now - IDLE,
    )
    found, place = await query.page(state["store"].tasks)
    await state["usage"].flush()
    spent = await state["store"].usage.spent_by_task(
        principal.tenant, [one.task_id for one in found]
    )
    return TasksPage(
        tasks=[TaskRowView.of(one, spent.get(one.task_id, UsageTotals())) for one in found],
        next_cursor=make_cursor(*place) if place else None,
    )
