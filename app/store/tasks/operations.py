"""What may happen at most once: claims of operations, by idempotency key."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from pymongo import ReturnDocument, UpdateOne

from app.domain.hitl import ExecutedOperation
from app.errors import RequestIdReused, WorkAbandoned
from app.store.mongo.expressions import (
    STORE_TIME,
    after_seconds,
    keep_fields,
    replace_if,
    set_if,
    upsert,
)
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import SCHEMA, Collection, Database, Row, storable, to_row
from app.store.tasks.actions import duplicates_ignored

FAR_AHEAD = datetime(9999, 1, 1, tzinfo=UTC)  # no stop comes after it


MOST_ATTEMPTS = 2  # of one request; what ended its process twice is taken for the cause


@dataclass(frozen=True, slots=True)
class OperationStart:
    """The outcome of beginning an operation: `new` (ours to run, by this `claim`), `running` elsewhere, or
    `done`. `stopped`: whoever had the claim before was stopped, and the operation is not to be run.
    `since`: when it was first claimed, by the store's clock. `attempts`: with this one; those before neither
    completed it nor gave it back, as when their process died.
    """

    state: Literal["new", "running", "done"]
    task_id: str
    result: dict[str, Any] | None = None
    claim: str = ""
    stopped: bool = False
    since: datetime = FAR_AHEAD
    attempts: int = 1

    def refuse_lost(self) -> None:
        """Raises `WorkAbandoned` where too many attempts were lost."""
        if self.attempts > MOST_ATTEMPTS:
            raise WorkAbandoned(
                f"The server ended {self.attempts - 1} times while it worked on this request."
                " It is not tried again; ask in other words."
            )


RUNNING = {"$eq": ["$state", "running"]}


class Operations:
    """The ledger of what may happen at most once, by (tenant, key). Rows live 24 hours. All times are the
    store's.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["operations"]

    @translate_errors
    async def begin(
        self, tenant: str, key: str, *, fingerprint: str, task_id: str, ttl_s: float
    ) -> OperationStart:
        """Claim the key. A claim that was not renewed for `ttl_s` may be taken over (`new` again, with the
        first claim's task_id). One atomic write decides. Raises `RequestIdReused` if it was claimed with
        another fingerprint.
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
            "claimedUntil": after_seconds(ttl_s),
            "updatedAt": STORE_TIME,
            "attempts": {"$add": [{"$ifNull": ["$attempts", 0]}, 1]},
        }
        change = keep_fields(first) | replace_if(_open_to(fingerprint), taken)
        row = await upsert(self._rows, {"tenantId": tenant, "key": key}, change)
        if row["fingerprint"] != fingerprint:
            raise RequestIdReused
        if row["claim"] == claim:
            return OperationStart(
                "new",
                row["taskId"],
                claim=claim,
                stopped=row["stopped"],
                since=row["createdAt"],
                attempts=row["attempts"],
            )
        return OperationStart(row["state"], row["taskId"], row.get("result"))

    @translate_errors
    async def renew(self, tenant: str, key: str, *, claim: str, ttl_s: float) -> bool:
        """Keep one's own unfinished claim for `ttl_s` more; False when it is no longer one's own."""
        until: Row = {"claimedUntil": after_seconds(ttl_s), "updatedAt": STORE_TIME}
        row: Row | None = await self._rows.find_one_and_update(
            {"tenantId": tenant, "key": key},
            [{"$set": replace_if(_is_of(claim), until)}],
            return_document=ReturnDocument.AFTER,
        )
        return row is not None and (row.get("claim"), row["state"]) == (claim, "running")

    @translate_errors
    async def complete(
        self,
        tenant: str,
        key: str,
        result: dict[str, Any],
        *,
        claim: str,
        effects: Sequence[ExecutedOperation] = (),
    ) -> None:
        """Keep the result for those who ask again, if the claim is still one's own. In the same round trip,
        add effects; of one that is there already only the status is written.
        """
        done = storable({"state": "done", "result": result})
        change = set_if(_is_of(claim), done) | replace_if(_is_of(claim), {"updatedAt": STORE_TIME})
        mine = UpdateOne({"tenantId": tenant, "key": key}, [{"$set": change}])
        with duplicates_ignored():
            await self._rows.bulk_write([mine, *map(_kept, effects)], ordered=False)

    @translate_errors
    async def abandon(self, tenant: str, key: str, *, claim: str) -> None:
        """Give one's own unfinished claim back, so that a repeat runs anew; one that was stopped stays."""
        mine = {"claim": claim, "state": "running", "stopped": False}
        await self._rows.delete_one({"tenantId": tenant, "key": key, **mine})

    @translate_errors
    async def stop(self, tenant: str, key: str, *, claim: str) -> None:
        """Note that the run with this claim was stopped: whoever takes the claim over is told."""
        change = [{"$set": set_if(_is_of(claim), {"stopped": True})}]
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
