"""Repository of the messages of sessions."""

from collections.abc import Sequence

from app.domain.task import Message
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import from_row, to_row
from app.store.tasks.actions import insert_missing

# `_id` keeps the order of messages made in the same millisecond.
NEWEST = [("createdAt", -1), ("_id", -1)]


class MongoMessages:
    """`Messages` in the collection `messages`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["messages"]

    @translated
    async def add(self, messages: Sequence[Message]) -> None:
        """Insert; a row whose message_id is there already is left as it is."""
        await insert_missing(self._rows, [to_row(message) for message in messages])

    @translated
    async def of_session(self, tenant: str, session_id: str, *, limit: int) -> list[Message]:
        """The newest `limit`, oldest first."""
        wanted = {"tenantId": tenant, "sessionId": session_id}
        found = self._rows.find(wanted, sort=NEWEST, limit=limit)
        return [from_row(Message, row) async for row in found][::-1]
