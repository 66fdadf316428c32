"""Repositories of sessions and their messages."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.task import Message, Session
from app.errors import NotFound
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, to_row
from app.store.tasks.actions import insert_missing

KEPT = ("tenantId", "sessionId")


COUNTED = ("taskCount", "updatedAt")


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
        first = {k: v for k, v in row.items() if k not in (*KEPT, *COUNTED)}
        change = {
            "$setOnInsert": first,
            "$max": {"updatedAt": row["updatedAt"]},
            "$inc": {"taskCount": int(new_task)},
        }
        await self._rows.update_one({k: row[k] for k in KEPT}, change, upsert=True)

    @translate_errors
    async def recent(
        self, tenant: str, user: str, *, limit: int, before: datetime | None = None
    ) -> list[Session]:
        wanted: Row = {"tenantId": tenant, "userId": user}
        if before is not None:
            wanted["updatedAt"] = {"$lt": before}
        found = self._rows.find(wanted, sort=[("updatedAt", -1)], limit=limit)
        return [from_row(Session, row) async for row in found]


# `_id` preserves the order of messages from the same millisecond.
NEWEST = [("createdAt", -1), ("_id", -1)]


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
        found = self._rows.find(wanted, sort=NEWEST, limit=limit)
        return [from_row(Message, row) async for row in found][::-1]
