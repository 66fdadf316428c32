"""Repositories of tasks, their actions, sessions and messages."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from pymongo import InsertOne, UpdateMany, UpdateOne

from app.domain.access import site_of
from app.domain.task import ENDED, Message, Session, Task, TaskAction, TaskStatus
from app.errors import NotFound
from app.store.mongo.failures import duplicates_ignored, insert_missing, translate_errors
from app.store.mongo.rows import (
    Collection,
    Database,
    Row,
    from_row,
    newest_of,
    set_if,
    storable,
    to_row,
)

UNDER_WAY = ("active", "executing", "awaiting_user")
NEWEST = [("createdAt", -1)]
SAME_MOMENT = 50  # rows that may share the millisecond at a page boundary
UNLISTED = {"plan": 0, "lastChain": 0, "webSearchResult": 0}  # several kB each
MADE = [("createdAt", 1), ("stepIndex", 1), ("chainIndex", 1)]
SESSION_KEY = ("tenantId", "sessionId")
COUNTED = ("taskCount", "updatedAt")

# `_id` preserves the order of messages from the same millisecond.
NEWEST_MESSAGES = [("createdAt", -1), ("_id", -1)]


class Tasks:
    """Tasks, one row each."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["tasks"]

    async def get(self, tenant: str, task_id: str) -> Task:
        task = await self.find(tenant, task_id)
        if task is None:
            raise NotFound(f"There is no task {task_id!r}")
        if not _lapsed(task.status, task.waits_until):
            return task
        await self._lapse(tenant, [task_id])
        return task.model_copy(update={"status": "interrupted"})

    @translate_errors
    async def find(self, tenant: str, task_id: str) -> Task | None:
        row = await self._rows.find_one({"tenantId": tenant, "taskId": task_id})
        return from_row(Task, row) if row else None

    @translate_errors
    async def save(self, task: Task) -> None:
        row = to_row(task)
        key = {"tenantId": row["tenantId"], "taskId": row["taskId"]}
        await self._rows.replace_one(key, row, upsert=True)

    @translate_errors
    async def move(self, tenant: str, task_id: str, to: TaskStatus, *, at: datetime) -> None:
        """Change the status of a task that has not ended; other tasks and missing ones are ignored."""
        open_ = {"$not": [{"$in": ["$status", sorted(ENDED)]}]}
        change = [{"$set": set_if(open_, {"status": to, "updatedAt": at})}]
        await self._rows.update_one({"tenantId": tenant, "taskId": task_id}, change)

    @translate_errors
    async def active(
        self,
        tenant: str,
        session_id: str,
        url: str | None,
        *,
        idle_since: datetime,
        interrupted: bool = False,
    ) -> Task | None:
        """The session's newest task that has not ended and, if a URL is given, has been on its site.

        Tasks not updated since `idle_since` become `interrupted` (lazy expiry) and are not returned, unless
        `interrupted` ones are requested.
        """
        statuses = (*UNDER_WAY, "interrupted") if interrupted else UNDER_WAY
        wanted = {"tenantId": tenant, "sessionId": session_id, "status": {"$in": statuses}}
        rows = [row async for row in self._rows.find(wanted)]
        rows = await self._over(tenant, rows, interrupted=interrupted)
        live = [row for row in rows if row["updatedAt"] >= idle_since]
        if len(live) < len(rows):
            await self._interrupt(tenant, session_id, idle_since)
        if interrupted:
            idle = {"status": "interrupted"}
            live = [row if row["updatedAt"] >= idle_since else row | idle for row in rows]
        here = [row for row in live if url is None or _has_been_on(row, url)]
        return from_row(Task, max(here, key=lambda row: row["createdAt"])) if here else None

    @translate_errors
    async def latest_status(self, tenant: str, session_ids: Sequence[str]) -> dict[str, TaskStatus]:
        """The status of each session's newest task, by session id; sessions without tasks are omitted."""
        wanted = {"tenantId": tenant, "sessionId": {"$in": list(session_ids)}}
        shown = {"taskId": 1, "sessionId": 1, "status": 1, "createdAt": 1, "waitsUntil": 1}
        rows = [row async for row in self._rows.find(wanted, shown)]
        rows = await self._over(tenant, rows, interrupted=True)
        rows.sort(key=lambda row: row["createdAt"])
        return {row["sessionId"]: row["status"] for row in rows}

    @translate_errors
    async def listed(
        self,
        tenant: str,
        *,
        user: str | None = None,
        status: TaskStatus | None = None,
        limit: int,
        since: datetime | None = None,
        until: datetime | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[Task]:
        """Newest first, then by task id: tasks made in [`since`, `until`), and after the (time, id) in
        `after`. Omits the plan, the last chain and the web search; the status is the stored one, which may
        be outdated.
        """
        wanted: Row = {"tenantId": tenant}
        wanted |= {} if user is None else {"userId": user}
        wanted |= {} if status is None else {"status": status}
        last = after[0] if after else None
        bounds = {"$gte": since, "$lt": until, "$lte": last}
        if made := {bound: moment for bound, moment in bounds.items() if moment is not None}:
            wanted["createdAt"] = made
        found = self._rows.find(wanted, UNLISTED, sort=NEWEST, limit=limit + SAME_MOMENT)
        rows = [row async for row in found]
        page = newest_of(rows, "createdAt", "taskId", after=after, limit=limit)
        return [from_row(Task, row) for row in page]

    @translate_errors
    async def executing(self, tenant: str, *, since: datetime, limit: int) -> set[str]:
        """Up to `limit` executing tasks updated since then."""
        wanted = {"tenantId": tenant, "status": "executing", "updatedAt": {"$gte": since}}
        return {row["taskId"] async for row in self._rows.find(wanted, {"taskId": 1}, limit=limit)}

    async def _over(self, tenant: str, rows: list[Row], *, interrupted: bool) -> list[Row]:
        """The rows; those whose question has expired become `interrupted`."""
        over = {row["taskId"] for row in rows if _lapsed(row["status"], row.get("waitsUntil"))}
        if not over:
            return rows
        await self._lapse(tenant, list(over))
        ended = {"status": "interrupted"}
        found = [row | ended if row["taskId"] in over else row for row in rows]
        return found if interrupted else [row for row in found if row["taskId"] not in over]

    async def _lapse(self, tenant: str, task_ids: list[str]) -> None:
        """End expired waits. The condition is part of the write, and `updatedAt` is unchanged."""
        is_over = {
            "$and": [
                {"$eq": ["$status", "awaiting_user"]},
                {"$lte": ["$waitsUntil", datetime.now(UTC)]},
            ]
        }
        change = [{"$set": set_if(is_over, {"status": "interrupted"})}]
        await self._rows.bulk_write(
            [UpdateOne({"tenantId": tenant, "taskId": one}, change) for one in task_ids],
            ordered=False,
        )

    async def _interrupt(self, tenant: str, session_id: str, idle_since: datetime) -> None:
        """Interrupt idle tasks.

        The condition is part of the write, so a task updated meanwhile is unaffected. `updatedAt` remains
        the time of the last work.
        """
        session = {"tenantId": tenant, "sessionId": session_id}
        idle = {"updatedAt": {"$lt": idle_since}}
        change = {"$set": {"status": "interrupted"}}
        await self._rows.bulk_write(
            [UpdateMany({**session, "status": status, **idle}, change) for status in UNDER_WAY],
            ordered=False,
        )


def _lapsed(status: str, waits_until: datetime | None) -> bool:
    """Whether a task waits for an answer that can no longer arrive."""
    return (
        status == "awaiting_user" and waits_until is not None and waits_until <= datetime.now(UTC)
    )


def _has_been_on(row: Row, url: str) -> bool:
    """Whether the task worked on the URL's site, or sent the browser there."""
    site = site_of(url)
    if not site:
        return bool(row["url"] == url)
    return site in (site_of(row["url"]), *row.get("sites", ()))


class TaskActions:
    """Actions sent to the browser."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["task_actions"]

    @translate_errors
    async def add(self, actions: Sequence[TaskAction]) -> None:
        """Insert; an existing row with the same action_id is unchanged."""
        await insert_missing(self._rows, [to_row(action) for action in actions])

    @translate_errors
    async def settle(
        self,
        tenant: str,
        statuses: dict[str, str],
        verification: dict[str, Any] | None,
        *,
        then: Sequence[TaskAction] = (),
        predictions: Mapping[str, dict[str, Any]] = MappingProxyType({}),
    ) -> None:
        """Record the results of actions by action_id; `verification` goes to the last one, and each
        prediction with its outcome to its own action.

        `then` is inserted in the same round trip, as by `add`.
        """
        changes: dict[str, Row] = {action: {"status": s} for action, s in statuses.items()}
        if changes and verification is not None:
            changes[next(reversed(changes))]["verification"] = verification
        for action, scored in predictions.items():
            changes.setdefault(action, {})["prediction"] = scored
        writes: list[UpdateOne | InsertOne[Row]] = [
            UpdateOne({"tenantId": tenant, "actionId": action}, {"$set": storable(change)})
            for action, change in changes.items()
        ]
        writes += [InsertOne(to_row(action)) for action in then]
        if writes:
            with duplicates_ignored():
                await self._rows.bulk_write(writes, ordered=False)

    @translate_errors
    async def of_task(self, tenant: str, task_id: str) -> list[TaskAction]:
        """In order of creation."""
        found = self._rows.find({"tenantId": tenant, "taskId": task_id}, sort=MADE)
        return [from_row(TaskAction, row) async for row in found]


class Sessions:
    """Sessions of a tenant."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["sessions"]

    async def get(self, tenant: str, session_id: str) -> Session:
        found = await self.find(tenant, session_id)
        if found is None:
            raise NotFound(f"There is no session {session_id!r}")
        return found

    @translate_errors
    async def find(self, tenant: str, session_id: str) -> Session | None:
        row = await self._rows.find_one({"tenantId": tenant, "sessionId": session_id})
        return from_row(Session, row) if row else None

    @translate_errors
    async def touch(self, session: Session, *, new_task: bool) -> None:
        """Create the session or update `updated_at`; `new_task` increments its task count."""
        row = to_row(session)
        first = {k: v for k, v in row.items() if k not in (*SESSION_KEY, *COUNTED)}
        change = {
            "$setOnInsert": first,
            "$max": {"updatedAt": row["updatedAt"]},
            "$inc": {"taskCount": int(new_task)},
        }
        await self._rows.update_one({k: row[k] for k in SESSION_KEY}, change, upsert=True)

    @translate_errors
    async def recent(
        self, tenant: str, user: str, *, limit: int, before: datetime | None = None
    ) -> list[Session]:
        wanted: Row = {"tenantId": tenant, "userId": user}
        if before is not None:
            wanted["updatedAt"] = {"$lt": before}
        found = self._rows.find(wanted, sort=[("updatedAt", -1)], limit=limit)
        return [from_row(Session, row) async for row in found]


class Messages:
    """The history of sessions."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["messages"]

    @translate_errors
    async def add(self, messages: Sequence[Message]) -> None:
        """Insert; an existing row with the same message_id is unchanged."""
        await insert_missing(self._rows, [to_row(message) for message in messages])

    @translate_errors
    async def of_session(self, tenant: str, session_id: str, *, limit: int) -> list[Message]:
        """The newest `limit`, oldest first."""
        wanted = {"tenantId": tenant, "sessionId": session_id}
        found = self._rows.find(wanted, sort=NEWEST_MESSAGES, limit=limit)
        return [from_row(Message, row) async for row in found][::-1]
