"""The list of tasks: by status, person, time and the words of the goal, newest first."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated, Literal
from unicodedata import normalize

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, Field

from app.agent.persistence.response import COST_DIGITS
from app.api.deps import AppStateDep, CurrentUser
from app.api.models import ResponseModel
from app.api.pagination import after, make_cursor
from app.api.routes.interact.response import UsageView
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.tasks.router import IDLE
from app.domain.access import Principal
from app.domain.metrics.usage import UsageTotals
from app.domain.task import Task, TaskStatus
from app.errors import Invalid
from app.store.tasks.tasks import Tasks

LONGEST_TEXT = 500  # characters; the task itself has the whole of it

StatusFilter = Literal[
    "active", "executing", "awaiting_user", "completed", "failed", "interrupted", "under_way"
]


class TaskRowView(ResponseModel):
    """One task in a list. `query` and `result` are cut at 500 characters."""

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
    def of(task: Task, spent: UsageTotals | None) -> "TaskRowView":
        """The wire form of a task and of what the models took for it."""
        return TaskRowView(
            task_id=task.task_id,
            session_id=task.session_id,
            user_id=task.user,
            query=_cut(task.query),
            url=task.url,
            status=task.status,
            steps=int(task.metrics.get("steps", task.step_index)),
            complexity=task.complexity,
            result=_cut(task.result) if task.result is not None else None,
            created_at=task.created_at,
            updated_at=task.updated_at,
            usage=spent_view(spent or UsageTotals()),
        )


class TasksPage(ResponseModel):
    """Tasks, newest first."""

    tasks: list[TaskRowView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None


def spent_view(spent: UsageTotals) -> UsageView:
    """The wire form of sums."""
    return UsageView(
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cost_usd=round(spent.cost_usd, COST_DIGITS),
        model_calls=spent.model_calls,
        cost_known=spent.cost_known,
        model=spent.model,
    )


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


UNDER_WAY: tuple[TaskStatus, ...] = ("active", "executing", "awaiting_user")
LOOKED_THROUGH = 2_000  # rows that one request reads at most; about 100 ms
AT_ONCE = 200  # rows of one read where not all of them fit

Place = tuple[datetime, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The filters of one request. `words` are compared here: no pattern of a user's reaches the store."""

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
        """The tasks with the status they have now, and the place to go on from, None at the end."""
        if self.user is not None and not self.principal.can_see(self.user):
            return [], None
        found: list[Task] = []
        place: Place | None = None
        streams = [_Stream(self, store, status) for status in self._written()]
        looked = 0
        while head := await _next(streams):
            if len(found) == self.limit or looked == LOOKED_THROUGH:
                return found, place
            looked, place = looked + 1, (head.created_at, head.task_id)
            task = self._as_it_is(head)
            if self._fits(task):
                found.append(task)
        return found, None

    def _written(self) -> tuple[TaskStatus | None, ...]:
        """The statuses that the rows of what is wanted may have."""
        match self.status:
            case None:
                return (None,)
            case "under_way":
                return UNDER_WAY
            case "interrupted":
                return (*UNDER_WAY, "interrupted")
            case _:
                return (self.status,)

    def _as_it_is(self, task: Task) -> Task:
        """The task with the status that recovery would find."""
        waited = task.waits_until is not None and task.waits_until <= self.now
        over = (task.status == "awaiting_user" and waited) or task.updated_at < self.idle_since
        ended = task.status in UNDER_WAY and over
        return task.model_copy(update={"status": "interrupted"}) if ended else task

    def _fits(self, task: Task) -> bool:
        if self.status == "under_way":
            fitting = task.status in UNDER_WAY
        else:
            fitting = self.status in (None, task.status)
        if not fitting or not self.words:
            return fitting
        goal = _folded(task.query)
        said = _folded(self.words)
        return self.words.strip() == task.task_id or all(word in goal for word in said.split())

    async def read(
        self, store: Tasks, status: TaskStatus | None, place: Place | None
    ) -> list[Task]:
        """The rows after a place, `at_once` of them where there are as many."""
        return await store.listed(
            self.principal.tenant,
            user=self.user if self.principal.has_scope("operator") else self.principal.user,
            status=status,
            limit=self.at_once,
            since=self.since,
            until=self.until,
            after=place,
        )

    @property
    def at_once(self) -> int:
        """Rows of one read."""
        return AT_ONCE if self.words else self.limit + 1


@dataclass(slots=True)
class _Stream:
    """The rows of one written status, newest first, read as they are needed."""

    wanted: Wanted
    store: Tasks
    status: TaskStatus | None
    rows: list[Task] = field(default_factory=list)
    place: Place | None = None
    ended: bool = False

    async def head(self) -> Task | None:
        """The next row, which stays."""
        if not self.rows and not self.ended:
            place = self.place or self.wanted.after
            rows = await self.wanted.read(self.store, self.status, place)
            self.ended = len(rows) < self.wanted.at_once
            self.rows = rows[::-1]
        return self.rows[-1] if self.rows else None

    def take(self) -> Task:
        """The next row, which goes."""
        row = self.rows.pop()
        self.place = (row.created_at, row.task_id)
        return row


async def _next(streams: list[_Stream]) -> Task | None:
    """The newest row of all streams, None when they are at their ends."""
    heads = [(head, stream) for stream in streams if (head := await stream.head()) is not None]
    if not heads:
        return None
    _, stream = min(heads, key=lambda one: (-one[0].created_at.timestamp(), one[0].task_id))
    return stream.take()


def _folded(text: str) -> str:
    """As words are compared: one form of each letter, without case."""
    return normalize("NFKC", text).casefold()


router = APIRouter(tags=["tasks"], responses={k: PROBLEMS[k] for k in (401, 422)})

PAGE = 50
LONGEST_WORDS = 200
LONGEST_CURSOR = 200
LONGEST_USER = 128


@router.get("/api/tasks")
async def tasks(
    principal: CurrentUser,
    state: AppStateDep,
    status: Annotated[
        StatusFilter | None, Query(description="`under_way`: what has not ended and is not stopped")
    ] = None,
    user: Annotated[str | None, Query(max_length=LONGEST_USER)] = None,
    words: Annotated[
        str | None,
        Query(
            alias="q",
            max_length=LONGEST_WORDS,
            description="Words that are all in the goal, in any case; or the id of a task",
        ),
    ] = None,
    since: Annotated[
        AwareDatetime | None, Query(alias="from", description="made then at the earliest")
    ] = None,
    until: Annotated[
        AwareDatetime | None, Query(alias="to", description="made before then")
    ] = None,
    cursor: Annotated[
        str | None,
        Query(max_length=LONGEST_CURSOR, description="`nextCursor` of the page before"),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> TasksPage:
    """Tasks, newest first: a user's own, for operators and admins those of the whole tenant.

    A search for words looks through 2,000 tasks at most: a page may then hold few or none, and its
    `nextCursor` goes on with older ones.
    """
    if since is not None and until is not None and since > until:
        raise Invalid("from: it is later than to")
    now = datetime.now(UTC)
    wanted = Wanted(
        principal=principal,
        status=status,
        user=user,
        words=words,
        since=since,
        until=until,
        after=after(cursor or None),
        limit=limit,
        now=now,
        idle_since=now - IDLE,
    )
    found, place = await wanted.page(state["store"].tasks)
    await state["usage"].flush()
    spent = await state["store"].usage.spent_by_task(
        principal.tenant, [one.task_id for one in found]
    )
    return TasksPage(
        tasks=[TaskRowView.of(one, spent.get(one.task_id)) for one in found],
        next_cursor=make_cursor(*place) if place else None,
    )
