"""Repositories of tasks, their actions, sessions and messages."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from pymongo import InsertOne, UpdateMany, UpdateOne

from app.domain.access import site_of
from app.domain.task import ENDED, Message, Session, Task, TaskAction, TaskStatus
from app.store.mongo.rows import (
    Row,
    ValueRepository,
    from_row,
    given_fields,
    set_if,
    storable,
    to_row,
)

UNDER_WAY = ("active", "executing", "awaiting_user")
UNLISTED = ("plan", "lastChain", "webSearchResult")  # several kB each
CREATION_ORDER = [("createdAt", 1), ("stepIndex", 1), ("chainIndex", 1)]
UPDATED_FIELDS = ("tenantId", "sessionId", "taskCount", "updatedAt")  # fields of a session

# `_id` preserves the order of messages from the same millisecond.
NEWEST_MESSAGES = [("createdAt", -1), ("_id", -1)]


class Tasks(ValueRepository[Task]):
    """Tasks, one row each."""

    collection, kind, key, noun = "tasks", Task, "taskId", "task"

    async def get(self, tenant: str, value_id: str) -> Task:
        """The task, `interrupted` if its question has expired. Raises `NotFound`."""
        task = self._require(await self.find(tenant, value_id), value_id)
        if not _is_lapsed(task.status, task.waits_until):
            return task
        await self._lapse(tenant, [value_id])
        return task.model_copy(update={"status": "interrupted"})

    async def save(self, task: Task) -> None:
        await self._rows.replace_one(
            self._key(task.tenant, task.task_id), to_row(task), upsert=True
        )

    async def move(self, tenant: str, task_id: str, to: TaskStatus, *, at: datetime) -> None:
        """Change the status of a task that has not ended; other tasks and missing ones are ignored."""
        open_ = {"$not": [{"$in": ["$status", sorted(ENDED)]}]}
        change = [{"$set": set_if(open_, {"status": to, "updatedAt": at})}]
        await self._rows.update_one(self._key(tenant, task_id), change)

    async def find_active(
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
        query = {"tenantId": tenant, "sessionId": session_id, "status": {"$in": statuses}}
        rows = [row async for row in self._rows.find(query)]
        rows = await self._expire(tenant, rows, interrupted=interrupted)
        live = [row for row in rows if row["updatedAt"] >= idle_since]
        if len(live) < len(rows):
            await self._interrupt(tenant, session_id, idle_since)
        if interrupted:
            idle = {"status": "interrupted"}
            live = [row if row["updatedAt"] >= idle_since else row | idle for row in rows]
        on_site = [row for row in live if url is None or _has_been_on(row, url)]
        return from_row(Task, max(on_site, key=lambda row: row["createdAt"])) if on_site else None

    async def latest_status(self, tenant: str, session_ids: Sequence[str]) -> dict[str, TaskStatus]:
        """The status of each session's newest task, by session id; sessions without tasks are omitted."""
        query = {"tenantId": tenant, "sessionId": {"$in": list(session_ids)}}
        projection = {"taskId": 1, "sessionId": 1, "status": 1, "createdAt": 1, "waitsUntil": 1}
        rows = [row async for row in self._rows.find(query, projection)]
        rows = await self._expire(tenant, rows, interrupted=True)
        rows.sort(key=lambda row: row["createdAt"])
        return {row["sessionId"]: row["status"] for row in rows}

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
        return await self._page(
            {"tenantId": tenant} | given_fields(userId=user, status=status),
            "createdAt",
            "taskId",
            limit=limit,
            since=since,
            until=until,
            after=after,
            hidden=UNLISTED,
        )

    async def list_executing(self, tenant: str, *, since: datetime, limit: int) -> set[str]:
        """Up to `limit` executing tasks updated since then."""
        query = {"tenantId": tenant, "status": "executing", "updatedAt": {"$gte": since}}
        return {row["taskId"] async for row in self._rows.find(query, {"taskId": 1}, limit=limit)}

    async def _expire(self, tenant: str, rows: list[Row], *, interrupted: bool) -> list[Row]:
        """The rows; those whose question has expired become `interrupted`."""
        expired = {
            row["taskId"] for row in rows if _is_lapsed(row["status"], row.get("waitsUntil"))
        }
        if not expired:
            return rows
        await self._lapse(tenant, list(expired))
        interruption = {"status": "interrupted"}
        updated = [row | interruption if row["taskId"] in expired else row for row in rows]
        return updated if interrupted else [row for row in updated if row["taskId"] not in expired]

    async def _lapse(self, tenant: str, task_ids: list[str]) -> None:
        """End expired waits. The condition is part of the write, and `updatedAt` is unchanged."""
        is_over = {
            "$and": [
                {"$eq": ["$status", "awaiting_user"]},
                {"$lte": ["$waitsUntil", datetime.now(UTC)]},
            ]
        }
        change = [{"$set": set_if(is_over, {"status": "interrupted"})}]
        await self._write([UpdateOne(self._key(tenant, one), change) for one in task_ids])

    async def _interrupt(self, tenant: str, session_id: str, idle_since: datetime) -> None:
        """Interrupt idle tasks.

        The condition is part of the write, so a task updated meanwhile is unaffected. `updatedAt` remains
        the time of the last work.
        """
        session = {"tenantId": tenant, "sessionId": session_id}
        idle = {"updatedAt": {"$lt": idle_since}}
        change = {"$set": {"status": "interrupted"}}
        await self._write(
            [UpdateMany({**session, "status": status, **idle}, change) for status in UNDER_WAY]
        )


def _is_lapsed(status: str, waits_until: datetime | None) -> bool:
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


class TaskActions(ValueRepository[TaskAction]):
    """Actions sent to the browser."""

    collection, kind, key = "task_actions", TaskAction, "actionId"

    async def add(self, actions: Sequence[TaskAction]) -> None:
        """Insert; an existing row with the same action_id is unchanged."""
        await self._insert_missing(actions)

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
        writes = [
            UpdateOne(self._key(tenant, action), {"$set": storable(change)})
            for action, change in changes.items()
        ]
        await self._write([*writes, *(InsertOne(to_row(action)) for action in then)])

    async def of_task(self, tenant: str, task_id: str) -> list[TaskAction]:
        """In order of creation."""
        return await self._all({"tenantId": tenant, "taskId": task_id}, sort=CREATION_ORDER)


class Sessions(ValueRepository[Session]):
    """Sessions of a tenant."""

    collection, kind, key, noun = "sessions", Session, "sessionId", "session"

    async def touch(self, session: Session, *, new_task: bool) -> None:
        """Create the session or update `updated_at`; `new_task` increments its task count."""
        row = to_row(session)
        first = {k: v for k, v in row.items() if k not in UPDATED_FIELDS}
        change = {
            "$setOnInsert": first,
            "$max": {"updatedAt": row["updatedAt"]},
            "$inc": {"taskCount": int(new_task)},
        }
        key = self._key(session.tenant, session.session_id)
        await self._rows.update_one(key, change, upsert=True)

    async def recent(
        self, tenant: str, user: str, *, limit: int, before: datetime | None = None
    ) -> list[Session]:
        query: Row = {"tenantId": tenant, "userId": user}
        if before is not None:
            query["updatedAt"] = {"$lt": before}
        return await self._all(query, sort=[("updatedAt", -1)], limit=limit)


class Messages(ValueRepository[Message]):
    """The history of sessions."""

    collection, kind = "messages", Message

    async def add(self, messages: Sequence[Message]) -> None:
        """Insert; an existing row with the same message_id is unchanged."""
        await self._insert_missing(messages)

    async def of_session(self, tenant: str, session_id: str, *, limit: int) -> list[Message]:
        """The newest `limit`, oldest first."""
        query = {"tenantId": tenant, "sessionId": session_id}
        return (await self._all(query, sort=NEWEST_MESSAGES, limit=limit))[::-1]
