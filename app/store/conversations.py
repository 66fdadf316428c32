"""Repository of conversations and their lines."""

from collections.abc import Sequence
from datetime import datetime

from pymongo import InsertOne

from app.domain.chat import ChatLine, Conversation, DocumentRef, Rating
from app.store.mongo.rows import (
    Collection,
    Database,
    Row,
    ValueRepository,
    from_row,
    keep_fields,
    storable,
    to_row,
    upsert,
    write_unordered,
)

# `_id` preserves the order of lines from the same millisecond.
NEWEST = [("createdAt", -1), ("_id", -1)]

REMEMBERED_LINES = 20  # newest lines of a conversation, by which repeats are recognized


class Conversations(ValueRepository[Conversation]):
    """Conversations and their lines."""

    collection, kind, key = "conversations", Conversation, "threadId"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._lines: Collection = database["conversation_lines"]

    async def create(self, conversation: Conversation) -> Conversation:
        """Insert unless it exists, and return the stored row."""
        row = to_row(conversation)
        key = {"tenantId": row.pop("tenantId"), "threadId": row.pop("threadId")}
        return from_row(Conversation, await upsert(self._rows, key, keep_fields(row)))

    async def add_lines(
        self, tenant: str, thread_id: str, lines: Sequence[ChatLine], *, at: datetime
    ) -> None:
        """Add lines and update the conversation.

        The newest lines are recognized by id, so that repeats are not counted again.
        """
        await write_unordered(self._lines, [InsertOne(to_row(line)) for line in lines])
        recent_ids: Row = {"$ifNull": ["$said", []]}
        new: Row = {
            "$setDifference": [{"$literal": [line.message_id for line in lines]}, recent_ids]
        }
        change: Row = {
            "updatedAt": {"$max": ["$updatedAt", at]},
            "messageCount": {"$add": [{"$ifNull": ["$messageCount", 0]}, {"$size": new}]},
            "said": {"$slice": [{"$concatArrays": [recent_ids, new]}, -REMEMBERED_LINES]},
        }
        await self._rows.update_one(self._key(tenant, thread_id), [{"$set": change}])

    async def set_documents(
        self, tenant: str, thread_id: str, documents: Sequence[DocumentRef]
    ) -> None:
        """Store the thread's document registry."""
        change = {
            "$set": {"documents": storable({"all": [one.model_dump() for one in documents]})["all"]}
        }
        await self._rows.update_one(self._key(tenant, thread_id), change)

    async def rename(
        self, tenant: str, thread_id: str, title: str, *, instead_of: str | None = None
    ) -> None:
        """Set the title, only if it is still `instead_of` when given. A deleted conversation is ignored."""
        new: Row = {"$literal": storable({"title": title})["title"]}
        if instead_of is not None:
            new = {"$cond": [{"$eq": ["$title", {"$literal": instead_of}]}, new, "$title"]}
        await self._rows.update_one(self._key(tenant, thread_id), [{"$set": {"title": new}}])

    async def supersede(self, tenant: str, thread_id: str, turn_id: str) -> None:
        """Mark this turn as replaced by another; its lines stay."""
        change = {"$addToSet": {"superseded": turn_id}}
        await self._rows.update_one(self._key(tenant, thread_id), change)

    async def rate(
        self, tenant: str, thread_id: str, message_id: str, rating: Rating, *, at: datetime
    ) -> ChatLine | None:
        """Store the rating of an answer, replacing an earlier one; returns the line, or None if the
        conversation has no such answer.
        """
        key = {"tenantId": tenant, "messageId": message_id}
        row = await self._lines.find_one(key)
        if row is None or (row["threadId"], row["role"]) != (thread_id, "assistant"):
            return None
        change = storable({"rating": to_row(rating), "ratedAt": at})
        await self._lines.update_one(key, {"$set": change})
        return from_row(ChatLine, row | change)

    async def list_rated(
        self, tenant: str, since: datetime, until: datetime, *, limit: int
    ) -> list[ChatLine]:
        """The tenant's answers rated in [`since`, `until`), most recent first."""
        query = {"tenantId": tenant, "ratedAt": {"$gte": since, "$lt": until}}
        rows = self._lines.find(query, sort=[("ratedAt", -1)], limit=limit)
        return [from_row(ChatLine, row) async for row in rows]

    async def delete(self, tenant: str, thread_id: str) -> None:
        """Delete its lines, then itself, so that an interrupted deletion can be resumed."""
        await self._lines.delete_many(self._key(tenant, thread_id))
        await self._rows.delete_one(self._key(tenant, thread_id))

    async def recent(
        self, tenant: str, user: str, *, limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Conversation]:
        """One person's conversations, most recently used first, after the given position."""
        query = {"tenantId": tenant, "userId": user}
        return await self._page(query, "updatedAt", "threadId", limit=limit, after=after)

    async def lines(self, tenant: str, thread_id: str, *, limit: int) -> list[ChatLine]:
        rows = self._lines.find(self._key(tenant, thread_id), sort=NEWEST, limit=limit)
        return [from_row(ChatLine, row) async for row in rows][::-1]
