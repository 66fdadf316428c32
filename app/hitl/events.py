"""What befell a waiting task, for clients that wait with it: told at once within the process, seen in
the rows by all others.

A bell says only that the rows are to be looked at again; what is told is the difference between two
looks. So nothing depends on which process an answer came to, and a lost ring costs a second.
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

MOST_LISTENERS = 100  # of one tenant in one process: each looks at the rows once a second


LOOK_S = 1.0  # how often the rows are looked at, for what happened in another process


OVER: frozenset[TaskStatus] = ENDED | {"interrupted"}


EventType = Literal[
    "standing", "asked", "answered", "cancelled", "expired", "paused", "resumed", "ended"
]


class TaskProgress(Value):
    """How a task stands: `hitl_id` is its newest question, of which `hitl_status` is said by the dates."""

    status: TaskStatus
    paused: bool = False
    hitl_id: str | None = None
    hitl_status: HitlStatus | None = None
    at: datetime

    @staticmethod
    def unknown() -> "TaskProgress":
        """Of a task that is begun and has no row yet."""
        return TaskProgress(status="executing", at=datetime.now(UTC))


class TaskEvent(Value):
    """One thing that happened; of a question its id."""

    type: EventType
    status: TaskStatus | None = None
    hitl_id: str | None = None
    paused: bool = False
    at: datetime


async def load_snapshot(store: Store, tenant: str, task_id: str) -> TaskProgress | None:
    """How the task stands by its rows; None where it has none. One that never acted has only its
    questions.
    """
    task = await store.tasks.find(tenant, task_id)
    asked = await store.hitl.latest(tenant, task_id)
    paused = await is_paused(store, tenant, task_id)
    if task is None and asked is None and not paused:
        return None
    now = datetime.now(UTC)
    question = asked.status_at(now) if asked is not None else None
    status = task.status if task is not None else _unacted(question)
    return TaskProgress(
        status="awaiting_user" if paused else status,
        paused=paused,
        hitl_id=asked.hitl_id if asked is not None else None,
        hitl_status=question,
        at=now,
    )


def _unacted(question: HitlStatus | None) -> TaskStatus:
    """The status of a task that has no row: it did nothing yet."""
    if question in ("cancelled", "expired"):
        return "interrupted"
    return "awaiting_user" if question == "pending" else "executing"


def initial_events(now: TaskProgress) -> list[TaskEvent]:
    """What a listener is told to begin with: `hitl_id` is a question that still waits."""
    waits = now.hitl_status == "pending"
    stands = TaskEvent(
        type="standing",
        status=now.status,
        hitl_id=now.hitl_id if waits else None,
        paused=now.paused,
        at=now.at,
    )
    return [stands, *_end(now)]


def events_since(before: TaskProgress, now: TaskProgress) -> list[TaskEvent]:
    """What happened between two looks, in the order it can have happened."""
    told: list[TaskEvent] = []
    asked_anew = now.hitl_id != before.hitl_id
    if now.hitl_id is not None and (asked_anew or now.hitl_status != before.hitl_status):
        if asked_anew:
            told.append(TaskEvent(type="asked", hitl_id=now.hitl_id, at=now.at))
        if now.hitl_status is not None and now.hitl_status != "pending":
            told.append(TaskEvent(type=now.hitl_status, hitl_id=now.hitl_id, at=now.at))
    if now.paused != before.paused:
        told.append(TaskEvent(type="paused" if now.paused else "resumed", at=now.at))
    return told + _end(now)


def _end(now: TaskProgress) -> list[TaskEvent]:
    return [TaskEvent(type="ended", status=now.status, at=now.at)] if is_over(now) else []


def is_over(now: TaskProgress) -> bool:
    """Whether nothing more is to be waited for."""
    return now.status in OVER and not now.paused and now.hitl_status != "pending"


class TaskEvents:
    """One bell a task, heard by all who wait with it in this process."""

    def __init__(self, most: int = MOST_LISTENERS) -> None:
        self._most = most
        self._listening: Counter[str] = Counter()
        self._ears: defaultdict[tuple[str, str], set[asyncio.Event]] = defaultdict(set)

    def publish(self, tenant: str, task_id: str) -> None:
        """Have all who wait with this task look at it."""
        for ear in self._ears.get((tenant, task_id), ()):
            ear.set()

    def has_room(self, tenant: str) -> None:
        """Raises `RateLimited` where as many of the tenant listen already as may."""
        if self._listening[tenant] >= self._most:
            raise RateLimited(f"At most {self._most} listeners at once", retry_after=5)

    @contextmanager
    def listening(self, tenant: str, task_id: str) -> Iterator[asyncio.Event]:
        """The event that a ring sets; who was woken clears it before looking."""
        ear, key = asyncio.Event(), (tenant, task_id)
        self._ears[key].add(ear)
        self._listening[tenant] += 1
        try:
            yield ear
        finally:
            self._ears[key].discard(ear)
            if not self._ears[key]:
                del self._ears[key]
            self._listening[tenant] -= 1
            if not self._listening[tenant]:
                del self._listening[tenant]


async def wait_for_event(ear: asyncio.Event) -> None:
    """Return when the bell rings, or after a while."""
    with suppress(TimeoutError):
        async with asyncio.timeout(LOOK_S):
            await ear.wait()
    ear.clear()


async def is_paused(store: Store, tenant: str, task_id: str) -> bool:
    """Whether the person has the task."""
    return await store.leases.paused(tenant, task_id) is not None
