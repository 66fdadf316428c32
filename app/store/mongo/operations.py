"""Repository of the operations ledger."""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pymongo import ReturnDocument, UpdateOne

from app.domain.hitl import ExecutedOperation
from app.errors import RequestIdReused
from app.store.mongo.actions import duplicates_ignored
from app.store.mongo.conditional import chosen, kept, upserted
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import SCHEMA, Row, storable, to_row
from app.store.port import Begun

RUNNING = {"$eq": ["$state", "running"]}


class MongoOperations:
    """`Operations` in the collection `operations`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["operations"]

    @translated
    async def begin(
        self, tenant: str, key: str, *, fingerprint: str, task_id: str, owner: str, ttl_s: float
    ) -> Begun:
        """Claim the key for `owner`; see the port.

        One atomic write decides: the change leaves a row that is not to be taken as it is.
        """
        now = datetime.now(UTC)
        # Names this very call: what the row says afterwards tells whether the claim is ours.
        claim = secrets.token_hex(8)
        first: Row = {
            "schema": SCHEMA,
            "fingerprint": fingerprint,
            "taskId": task_id,
            "state": "running",
            "createdAt": now,
        }
        taken: Row = {
            "owner": owner,
            "claim": claim,
            "claimedUntil": now + timedelta(seconds=ttl_s),
            "updatedAt": now,
        }
        change = kept(first) | chosen(_open_to(fingerprint, now), taken)
        row = await upserted(self._rows, {"tenantId": tenant, "key": key}, change)
        if row["fingerprint"] != fingerprint:
            raise RequestIdReused
        if row["claim"] == claim:
            return Begun("new", row["taskId"])
        return Begun(row["state"], row["taskId"], row.get("result"))

    @translated
    async def renew(self, tenant: str, key: str, *, owner: str, ttl_s: float) -> bool:
        """Keep one's own unfinished claim alive; False when it is no longer one's own."""
        now = datetime.now(UTC)
        mine = {"$and": [{"$eq": ["$owner", {"$literal": owner}]}, RUNNING]}
        until = {"claimedUntil": now + timedelta(seconds=ttl_s), "updatedAt": now}
        row: Row | None = await self._rows.find_one_and_update(
            {"tenantId": tenant, "key": key},
            [{"$set": chosen(mine, until)}],
            return_document=ReturnDocument.AFTER,
        )
        return row is not None and (row["owner"], row["state"]) == (owner, "running")

    @translated
    async def complete(
        self,
        tenant: str,
        key: str,
        result: dict[str, Any],
        *,
        effects: Sequence[ExecutedOperation] = (),
    ) -> None:
        """Keep the result for those who ask again, and what became of effects. The first result stands."""
        change = storable({"state": "done", "result": result, "updatedAt": datetime.now(UTC)})
        running = {"tenantId": tenant, "key": key, "state": "running"}
        writes = [UpdateOne(running, {"$set": change}), *map(_kept, effects)]
        with duplicates_ignored():
            await self._rows.bulk_write(writes, ordered=False)

    @translated
    async def abandon(self, tenant: str, key: str) -> None:
        """Give an unfinished claim back, so that a repeat runs anew."""
        await self._rows.delete_one({"tenantId": tenant, "key": key, "state": "running"})


def _kept(effect: ExecutedOperation) -> UpdateOne:
    """Adds the effect; of one that is there already only the status is written."""
    row = to_row(effect)
    key = {"tenantId": row.pop("tenantId"), "key": row.pop("key")}
    change = {"$set": {"status": row.pop("status")}, "$setOnInsert": row}
    return UpdateOne(key, change, upsert=True)


def _open_to(fingerprint: str, now: datetime) -> Row:
    """True for no row yet, and for an unfinished one of the same body whose claim ran out."""
    same = {"$eq": ["$fingerprint", {"$literal": fingerprint}]}
    run_out = {"$and": [RUNNING, same, {"$lte": ["$claimedUntil", now]}]}
    return {"$or": [{"$eq": [{"$ifNull": ["$claim", None]}, None]}, run_out]}
