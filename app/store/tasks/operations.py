"""Claims of operations by idempotency key, so that each runs at most once, and the ledger of effects."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from pymongo import UpdateOne

from app.domain.hitl import ExecutedOperation
from app.errors import RequestIdReused, WorkAbandoned
from app.store.mongo.rows import (
    SCHEMA,
    STORE_TIME,
    Repository,
    Row,
    ValueRepository,
    after_seconds,
    keep_fields,
    replace_if,
    set_if,
    storable,
    to_row,
    upsert,
)

FAR_AHEAD = datetime(9999, 1, 1, tzinfo=UTC)  # later than any stop
MOST_ATTEMPTS = 2  # per request; one that ended its process twice is presumed to be the cause
RUNNING = {"$eq": ["$state", "running"]}
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)  # earlier than any clock


@dataclass(frozen=True, slots=True)
class OperationStart:
    """The result of beginning an operation: `new` (ours to run, by this `claim`), `running` elsewhere, or
    `done`. `stopped`: the previous claimant was stopped, so the operation must not run. `since`: the time
    of the first claim, by the store's clock. `attempts` includes this one; earlier ones neither completed
    nor released it, for instance because their process died.
    """

    state: Literal["new", "running", "done"]
    task_id: str
    result: dict[str, Any] | None = None
    claim: str = ""
    stopped: bool = False
    since: datetime = FAR_AHEAD
    attempts: int = 1

    def refuse_lost(self) -> None:
        """Raise `WorkAbandoned` after too many lost attempts."""
        if self.attempts > MOST_ATTEMPTS:
            raise WorkAbandoned(
                f"The server ended {self.attempts - 1} times while it worked on this request."
                " It is not retried. Rephrase the request."
            )


class Operations(Repository):
    """The ledger of operations by (tenant, key). Rows are kept for 24 hours. All times are the store's."""

    collection = "operations"

    async def begin(
        self, tenant: str, key: str, *, fingerprint: str, task_id: str, ttl_s: float
    ) -> OperationStart:
        """Claim the key in one atomic write.

        A claim that was not renewed for `ttl_s` may be taken over (`new` again, with the first claim's
        task_id). Raises `RequestIdReused` if it was claimed with another fingerprint.
        """
        # Identifies this call: the row then says whether the claim is ours.
        claim = secrets.token_hex(8)
        first: Row = {
            "schema": SCHEMA,
            "fingerprint": fingerprint,
            "taskId": task_id,
            "state": "running",
            "stopped": False,
            "createdAt": STORE_TIME,
        }
        claim_fields: Row = {
            "claim": {"$literal": claim},
            "claimedUntil": after_seconds(ttl_s),
            "updatedAt": STORE_TIME,
            "attempts": {"$add": [{"$ifNull": ["$attempts", 0]}, 1]},
        }
        change = keep_fields(first) | replace_if(_is_claimable(fingerprint), claim_fields)
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

    async def renew(self, tenant: str, key: str, *, claim: str, ttl_s: float) -> bool:
        """Extend one's own unfinished claim by `ttl_s`; False if it was taken over."""
        until: Row = {"claimedUntil": after_seconds(ttl_s), "updatedAt": STORE_TIME}
        change = replace_if(_is_of(claim), until)
        row = await self._change({"tenantId": tenant, "key": key}, change)
        return row is not None and (row.get("claim"), row["state"]) == (claim, "running")

    async def complete(
        self,
        tenant: str,
        key: str,
        result: dict[str, Any],
        *,
        claim: str,
        effects: Sequence[ExecutedOperation] = (),
    ) -> None:
        """Store the result for later requests, if the claim is still one's own.

        Effects are added in the same round trip; existing ones only get the new status.
        """
        done = storable({"state": "done", "result": result})
        change = set_if(_is_of(claim), done) | replace_if(_is_of(claim), {"updatedAt": STORE_TIME})
        completion = UpdateOne({"tenantId": tenant, "key": key}, [{"$set": change}])
        await self._write([completion, *map(_to_upsert, effects)])

    async def abandon(self, tenant: str, key: str, *, claim: str) -> None:
        """Release one's own unfinished claim, so that a retry runs again; a stopped one is kept."""
        own_claim = {"claim": claim, "state": "running", "stopped": False}
        await self._rows.delete_one({"tenantId": tenant, "key": key, **own_claim})

    async def stop(self, tenant: str, key: str, *, claim: str) -> None:
        """Record that the run with this claim was stopped, for whoever takes the claim over."""
        change = [{"$set": set_if(_is_of(claim), {"stopped": True})}]
        await self._rows.update_one({"tenantId": tenant, "key": key}, change)


def _to_upsert(effect: ExecutedOperation) -> UpdateOne:
    """Insert the effect; an existing one only gets the new status."""
    row = to_row(effect)
    key = {"tenantId": row.pop("tenantId"), "key": row.pop("key")}
    change = {"$set": {"status": row.pop("status")}, "$setOnInsert": row}
    return UpdateOne(key, change, upsert=True)


def _is_of(claim: str) -> Row:
    return {"$and": [{"$eq": ["$claim", {"$literal": claim}]}, RUNNING]}


def _is_claimable(fingerprint: str) -> Row:
    """True if there is no row yet, or an unfinished one with the same body and an expired claim."""
    same_body = {"$eq": ["$fingerprint", {"$literal": fingerprint}]}
    is_expired = {"$and": [RUNNING, same_body, {"$lte": ["$claimedUntil", STORE_TIME]}]}
    return {"$or": [{"$eq": [{"$ifNull": ["$claim", None]}, None]}, is_expired]}


class Ledger(ValueRepository[ExecutedOperation]):
    """Effects that were sent, by `traceId:stepId`; each at most once.

    Rows hold no personal data. They are written with the request that sends them, see
    `Operations.complete`.
    """

    collection, kind = "operations", ExecutedOperation

    async def of_task(self, tenant: str, task_id: str) -> list[ExecutedOperation]:
        """In order of sending. Claims, which have no `at`, are excluded."""
        query = {"tenantId": tenant, "taskId": task_id, "at": {"$gt": LONG_AGO}}
        return await self._all(query, sort=[("at", 1), ("_id", 1)])
