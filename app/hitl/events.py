"""Events of a waiting task: pushed within this process, polled from the rows by others.

A notification only tells listeners to read the rows again; events are the difference between two snapshots.
So it does not matter which process received an answer, and a lost notification costs one second.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Literal

from app.domain.base import Value
from app.domain.hitl import HitlStatus
from app.domain.task import ENDED, TaskStatus
from app.errors import RateLimited
from app.store.repositories import Store

MOST_LISTENERS = 100  # per tenant and process; each polls the rows once a second
LOOK_S = 1.0  # polling interval, for changes made by other processes
OVER: frozenset[TaskStatus] = ENDED | {"interrupted"}

EventType = Literal[
    "standing", "asked", "answered", "cancelled", "expired", "paused", "resumed", "ended"
]


class TaskProgress(Value):
    """A snapshot of a task. `hitl_id` is its newest question; `hitl_status` takes expiry into account."""

    status: TaskStatus
    paused: bool = False
    hitl_id: str | None = None
    hitl_status: HitlStatus | None = None
    at: datetime

    @staticmethod
    def unknown() -> "TaskProgress":
        """The snapshot of a new task without a row."""
        return TaskProgress(status="executing", at=datetime.now(UTC))


class TaskEvent(Value):
    """One event; for questions with the question's id."""

    type: EventType
    status: TaskStatus | None = None
    hitl_id: str | None = None
    paused: bool = False
    at: datetime


async def load_progress(store: Store, tenant: str, task_id: str) -> TaskProgress | None:
    """Load the task's snapshot; None if it has no row. A task that never acted has only questions."""
    task = await store.tasks.find(tenant, task_id)
    row = await store.hitl.latest(tenant, task_id)
    paused = await is_paused(store, tenant, task_id)
    if task is None and row is None and not paused:
        return None
    now = datetime.now(UTC)
    question_status = row.status_at(now) if row is not None else None
    status = task.status if task is not None else _unacted(question_status)
    return TaskProgress(
        status="awaiting_user" if paused else status,
        paused=paused,
        hitl_id=row.hitl_id if row is not None else None,
        hitl_status=question_status,
        at=now,
    )


def _unacted(question: HitlStatus | None) -> TaskStatus:
    """The status of a task without a row, which has done nothing yet."""
    if question in ("cancelled", "expired"):
        return "interrupted"
    return "awaiting_user" if question == "pending" else "executing"


def initial_events(now: TaskProgress) -> list[TaskEvent]:
    """The first events for a new listener: `hitl_id` is a question that is still pending."""
    waits = now.hitl_status == "pending"
    status_event = TaskEvent(
        type="standing",
        status=now.status,
        hitl_id=now.hitl_id if waits else None,
        paused=now.paused,
        at=now.at,
    )
    return [status_event, *_end(now)]


def events_since(before: TaskProgress, now: TaskProgress) -> list[TaskEvent]:
    """The events between two snapshots, in a possible order."""
    events: list[TaskEvent] = []
    is_new_question = now.hitl_id != before.hitl_id
    if now.hitl_id is not None and (is_new_question or now.hitl_status != before.hitl_status):
        if is_new_question:
            events.append(TaskEvent(type="asked", hitl_id=now.hitl_id, at=now.at))
        if now.hitl_status is not None and now.hitl_status != "pending":
            events.append(TaskEvent(type=now.hitl_status, hitl_id=now.hitl_id, at=now.at))
    if now.paused != before.paused:
        events.append(TaskEvent(type="paused" if now.paused else "resumed", at=now.at))
    return events + _end(now)


def _end(now: TaskProgress) -> list[TaskEvent]:
    return [TaskEvent(type="ended", status=now.status, at=now.at)] if is_over(now) else []


def is_over(now: TaskProgress) -> bool:
    """Whether no more events can follow."""
    return now.status in OVER and not now.paused and now.hitl_status != "pending"


class TaskEvents:
    """One notification channel per task within this process."""

    def __init__(self, most: int = MOST_LISTENERS) -> None:
        self._most = most
        self._counts: Counter[str] = Counter()
        self._listeners: defaultdict[tuple[str, str], set[asyncio.Event]] = defaultdict(set)

    def publish(self, tenant: str, task_id: str) -> None:
        for listener in self._listeners.get((tenant, task_id), ()):
            listener.set()

    def has_room(self, tenant: str) -> None:
        """Raise `RateLimited` if the tenant has reached its number of listeners."""
        if self._counts[tenant] >= self._most:
            raise RateLimited(f"At most {self._most} listeners at once", retry_after=5)

    @contextmanager
    def listening(self, tenant: str, task_id: str) -> Iterator[asyncio.Event]:
        """The event set by `publish`; clear it before reading the rows."""
        changed, key = asyncio.Event(), (tenant, task_id)
        self._listeners[key].add(changed)
        self._counts[tenant] += 1
        try:
            yield changed
        finally:
            self._listeners[key].discard(changed)
            if not self._listeners[key]:
                del self._listeners[key]
            self._counts[tenant] -= 1
            if not self._counts[tenant]:
                del self._counts[tenant]


async def wait_for_event(changed: asyncio.Event) -> None:
    """Return when notified, or after the polling interval."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LOOK_S):
            await changed.wait()
    changed.clear()


async def is_paused(store: Store, tenant: str, task_id: str) -> bool:
    """Whether the person has taken over the task."""
    return await store.leases.find_pause(tenant, task_id) is not None
