"""Which tasks a list shows. The rows may not say yet that a wait is over or that nobody goes on."""

from dataclasses import dataclass, field
from datetime import datetime
from unicodedata import normalize

from app.api.schemas.tasks_page import StatusFilter
from app.domain.access import Principal
from app.domain.task import Task, TaskStatus
from app.store.port import Tasks

UNDER_WAY: tuple[TaskStatus, ...] = ("active", "executing", "awaiting_user")
LOOKED_THROUGH = 2_000  # rows that one request reads at most; about 100 ms
AT_ONCE = 200  # rows of one read where not all of them fit

Place = tuple[datetime, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The filters of one request. `words` are compared here: no pattern of a user's reaches the store."""

    who: Principal
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
        if self.user is not None and not self.who.sees(self.user):
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
            self.who.tenant,
            user=self.user if self.who.has("operator") else self.who.user,
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
