"""Repository of the operations ledger."""

import secrets
from collections.abc import Sequence
from typing import Any

from pymongo import ReturnDocument, UpdateOne

from app.domain.hitl import ExecutedOperation
from app.errors import RequestIdReused
from app.store.mongo.database import Collection, Database
from app.store.mongo.expressions import STORE_TIME, chosen, decided, kept, later, upserted
from app.store.mongo.failures import translated
from app.store.mongo.rows import SCHEMA, Row, storable, to_row
from app.store.ownership import Begun
from app.store.tasks.actions import duplicates_ignored

RUNNING = {"$eq": ["$state", "running"]}


class MongoOperations:
    """`Operations` in the collection `operations`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["operations"]

    @translated
    async def begin(
        self, tenant: str, key: str, *, fingerprint: str, task_id: str, ttl_s: float
    ) -> Begun:
        """Claim the key; see the port.

        One atomic write decides: the change leaves a row that is not to be taken as it is.
        """
        # Names this very call: what the row says afterwards tells whether the claim is ours.
        claim = secrets.token_hex(8)
        first: Row = {
            "schema": SCHEMA,
            "fingerprint": fingerprint,
            "taskId": task_id,
            "state": "running",
            "stopped": False,
            "createdAt": STORE_TIME,
        }
        taken: Row = {
            "claim": {"$literal": claim},
            "claimedUntil": later(ttl_s),
            "updatedAt": STORE_TIME,
            "attempts": {"$add": [{"$ifNull": ["$attempts", 0]}, 1]},
        }
        change = kept(first) | decided(_open_to(fingerprint), taken)
        row = await upserted(self._rows, {"tenantId": tenant, "key": key}, change)
        if row["fingerprint"] != fingerprint:
            raise RequestIdReused
        if row["claim"] == claim:
            return Begun(
                "new",
                row["taskId"],
                claim=claim,
                stopped=row["stopped"],
                since=row["createdAt"],
                attempts=row["attempts"],
            )
        return Begun(row["state"], row["taskId"], row.get("result"))

    @translated
    async def renew(self, tenant: str, key: str, *, claim: str, ttl_s: float) -> bool:
        """Keep one's own unfinished claim alive; False when it is no longer one's own."""
        until: Row = {"claimedUntil": later(ttl_s), "updatedAt": STORE_TIME}
        row: Row | None = await self._rows.find_one_and_update(
            {"tenantId": tenant, "key": key},
            [{"$set": decided(_is_of(claim), until)}],
            return_document=ReturnDocument.AFTER,
        )
        return row is not None and (row.get("claim"), row["state"]) == (claim, "running")

    @translated
    async def complete(
        self,
        tenant: str,
        key: str,
        result: dict[str, Any],
        *,
        claim: str,
        effects: Sequence[ExecutedOperation] = (),
    ) -> None:
        """Keep the result for those who ask again, and what became of effects. The first result stands."""
        done = storable({"state": "done", "result": result})
        change = chosen(_is_of(claim), done) | decided(_is_of(claim), {"updatedAt": STORE_TIME})
        mine = UpdateOne({"tenantId": tenant, "key": key}, [{"$set": change}])
        with duplicates_ignored():
            await self._rows.bulk_write([mine, *map(_kept, effects)], ordered=False)

    @translated
    async def abandon(self, tenant: str, key: str, *, claim: str) -> None:
        """Give one's own unfinished claim back, so that a repeat runs anew; one that was stopped stays."""
        mine = {"claim": claim, "state": "running", "stopped": False}
        await self._rows.delete_one({"tenantId": tenant, "key": key, **mine})

    @translated
    async def stop(self, tenant: str, key: str, *, claim: str) -> None:
        """Note that whoever has this claim was stopped; see the port."""
        change = [{"$set": chosen(_is_of(claim), {"stopped": True})}]
        await self._rows.update_one({"tenantId": tenant, "key": key}, change)


def _kept(effect: ExecutedOperation) -> UpdateOne:
    """Adds the effect; of one that is there already only the status is written."""
    row = to_row(effect)
    key = {"tenantId": row.pop("tenantId"), "key": row.pop("key")}
    change = {"$set": {"status": row.pop("status")}, "$setOnInsert": row}
    return UpdateOne(key, change, upsert=True)


def _is_of(claim: str) -> Row:
    return {"$and": [{"$eq": ["$claim", {"$literal": claim}]}, RUNNING]}


def _open_to(fingerprint: str) -> Row:
    """True for no row yet, and for an unfinished one of the same body whose claim ran out."""
    same = {"$eq": ["$fingerprint", {"$literal": fingerprint}]}
    run_out = {"$and": [RUNNING, same, {"$lte": ["$claimedUntil", STORE_TIME]}]}
    return {"$or": [{"$eq": [{"$ifNull": ["$claim", None]}, None]}, run_out]}
