"""Repository of conversations and their lines."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.chat import ChatLine, Conversation, DocumentRef, Rating
from app.store.mongo.failures import insert_missing, translate_errors
from app.store.mongo.rows import (
    Collection,
    Database,
    Row,
    from_row,
    keep_fields,
    newest_of,
    storable,
    to_row,
    upsert,
)

# `_id` preserves the order of lines from the same millisecond.
NEWEST = [("createdAt", -1), ("_id", -1)]

SAID_LAST = 20  # newest lines of a conversation, by which repeats are recognized
SAME_MOMENT = 20  # rows that may share the millisecond at a page boundary


class Conversations:
    """Conversations and their lines."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["conversations"]
        self._lines: Collection = database["conversation_lines"]

    @translate_errors
    async def find(self, tenant: str, thread_id: str) -> Conversation | None:
        row = await self._rows.find_one(_key(tenant, thread_id))
        return from_row(Conversation, row) if row else None

    @translate_errors
    async def begin(self, conversation: Conversation) -> Conversation:
        """Insert unless it exists, and return the stored row."""
        row = to_row(conversation)
        key = {"tenantId": row.pop("tenantId"), "threadId": row.pop("threadId")}
        return from_row(Conversation, await upsert(self._rows, key, keep_fields(row)))

    @translate_errors
    async def say(
        self, tenant: str, thread_id: str, lines: Sequence[ChatLine], *, at: datetime
    ) -> None:
        """Add lines and update the conversation.

        The newest lines are recognized by id, so that repeats are not counted again.
        """
        await insert_missing(self._lines, [to_row(line) for line in lines])
        said: Row = {"$ifNull": ["$said", []]}
        new: Row = {"$setDifference": [{"$literal": [line.message_id for line in lines]}, said]}
        change: Row = {
            "updatedAt": {"$max": ["$updatedAt", at]},
            "messageCount": {"$add": [{"$ifNull": ["$messageCount", 0]}, {"$size": new}]},
            "said": {"$slice": [{"$concatArrays": [said, new]}, -SAID_LAST]},
        }
        await self._rows.update_one(_key(tenant, thread_id), [{"$set": change}])

    @translate_errors
    async def settle(self, tenant: str, thread_id: str, documents: Sequence[DocumentRef]) -> None:
        """Store the thread's document registry."""
        change = {
            "$set": {"documents": storable({"all": [one.model_dump() for one in documents]})["all"]}
        }
        await self._rows.update_one(_key(tenant, thread_id), change)

    @translate_errors
    async def rename(
        self, tenant: str, thread_id: str, title: str, *, instead_of: str | None = None
    ) -> None:
        """Set the title, only if it is still `instead_of` when given. A deleted conversation is ignored."""
        new: Row = {"$literal": storable({"title": title})["title"]}
        if instead_of is not None:
            new = {"$cond": [{"$eq": ["$title", {"$literal": instead_of}]}, new, "$title"]}
        await self._rows.update_one(_key(tenant, thread_id), [{"$set": {"title": new}}])

    @translate_errors
    async def supersede(self, tenant: str, thread_id: str, turn_id: str) -> None:
        """Mark this turn as replaced by another; its lines stay."""
        change = {"$addToSet": {"superseded": turn_id}}
        await self._rows.update_one(_key(tenant, thread_id), change)

    @translate_errors
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

    @translate_errors
    async def rated(
        self, tenant: str, since: datetime, until: datetime, *, limit: int
    ) -> list[ChatLine]:
        """The tenant's answers rated in [`since`, `until`), most recent first."""
        wanted = {"tenantId": tenant, "ratedAt": {"$gte": since, "$lt": until}}
        found = self._lines.find(wanted, sort=[("ratedAt", -1)], limit=limit)
        return [from_row(ChatLine, row) async for row in found]

    @translate_errors
    async def delete(self, tenant: str, thread_id: str) -> None:
        """Delete its lines, then the conversation itself, so that an interrupted deletion can be
        resumed.
        """
        await self._lines.delete_many(_key(tenant, thread_id))
        await self._rows.delete_one(_key(tenant, thread_id))

    @translate_errors
    async def recent(
        self, tenant: str, user: str, *, limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Conversation]:
        """One person's conversations, most recently used first, after the given position."""
        wanted: Row = {"tenantId": tenant, "userId": user}
        if after is not None:
            wanted["updatedAt"] = {"$lte": after[0]}
        found = self._rows.find(wanted, sort=[("updatedAt", -1)], limit=limit + SAME_MOMENT)
        rows = [row async for row in found]
        page = newest_of(rows, "updatedAt", "threadId", after=after, limit=limit)
        return [from_row(Conversation, row) for row in page]

    @translate_errors
    async def lines(self, tenant: str, thread_id: str, *, limit: int) -> list[ChatLine]:
        found = self._lines.find(_key(tenant, thread_id), sort=NEWEST, limit=limit)
        return [from_row(ChatLine, row) async for row in found][::-1]


def _key(tenant: str, thread_id: str) -> Row:
    return {"tenantId": tenant, "threadId": thread_id}
