"""Leases of threads: who is working on a task."""

from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import Any

from app.store.mongo.rows import (
    SCHEMA,
    STORE_TIME,
    Repository,
    Row,
    after_seconds,
    keep_fields,
    replace_if,
    upsert,
)
from app.store.tasks.operations import FAR_AHEAD, LONG_AGO

STOPPER = "(stop)"  # owner of a stopped thread's lease; no claim has this form
PAUSER = "(pause)"  # owner of a paused task's lease
GUARDED_FOR_S = 6.0  # how long one message of writes excludes others if the server dies during it
ALIVE: Row = {"$gt": ["$until", STORE_TIME]}
WRITING: Row = {"$and": [{"$eq": ["$writing", True]}, ALIVE]}
OF_RUN: Row = {"$not": [{"$in": ["$owner", [STOPPER, PAUSER]]}]}
IS_RUN: Row = {"$and": [ALIVE, OF_RUN]}
SHOWN: Row = {"owner": 1, "fence": 1, "alive": ALIVE}
FIRST: Row = {"schema": SCHEMA, "createdAt": STORE_TIME}
NEXT_FENCE: Row = {"$add": [{"$ifNull": ["$fence", 0]}, 1]}


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one `claim` to work on a thread, valid while the row has this `fence`.

    `resumed`: it ended a pause. `stopped`: the thread was stopped after its operation began.
    """

    tenant: str
    task_id: str
    claim: str
    fence: int
    resumed: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class LeaseTakeover:
    """The result of a cut: the new `lease`, and the run's claim and operation, both "" if none had it."""

    lease: Lease
    claim: str = ""
    key: str = ""


class Leases(Repository):
    """Leases by task id, so that no task row is needed.

    Each change of owner increments the fence, which never decreases. All times are the store's.
    """

    collection = "leases"

    async def acquire(
        self,
        tenant: str,
        task_id: str,
        *,
        claim: str,
        ttl_s: float,
        key: str = "",
        since: datetime = FAR_AHEAD,
        user: str = "",
        hands_back: bool = False,
    ) -> Lease | None:
        """Acquire a free lease; None if another's is valid.

        `key` is the operation: whoever re-claimed it takes the lease from its previous claimant. `user` is
        stored by the first caller, as the owner of a task that has no row yet. With `hands_back`, a pause
        is ended too. `since` is the start of the operation: a later stop is reported in the lease, and a
        later pause is not ended.
        """
        paused: Row = {"$and": [ALIVE, {"$eq": ["$owner", PAUSER]}]}
        free: list[Row] = [{"$not": [ALIVE]}]
        if hands_back:
            free.append({"$and": [paused, {"$lt": ["$pausedAt", since]}]})
        if key:  # whoever took over the operation also takes over its lease
            free.append(
                {"$and": [{"$eq": ["$key", {"$literal": key}]}, IS_RUN, {"$not": [WRITING]}]}
            )
        first = keep_fields(FIRST | ({"userId": user} if user else {}))
        lease_fields: Row = {
            "owner": {"$literal": claim},
            "key": {"$literal": key},
            "fence": NEXT_FENCE,
            "resumed": paused,
            "writing": False,
            "until": after_seconds(ttl_s),
            "updatedAt": STORE_TIME,
        }
        row = await upsert(
            self._rows, _key(tenant, task_id), first | replace_if({"$or": free}, lease_fields)
        )
        if row["owner"] != claim:
            return None
        stopped = (row.get("stoppedAt") or LONG_AGO) >= since
        resumed = bool(row["resumed"])
        return Lease(tenant, task_id, claim, row["fence"], resumed=resumed, stopped=stopped)

    async def renew(self, lease: Lease, *, ttl_s: float) -> bool:
        """Extend one's own lease; False if it was taken or released. A late renewal takes nothing back."""
        is_held = {"$and": [_is_of(lease), {"$gt": ["$until", LONG_AGO]}]}
        extended: Row = {"until": _at_least(after_seconds(ttl_s)), "updatedAt": STORE_TIME}
        key = _key(lease.tenant, lease.task_id)
        row = await self._change(key, replace_if(is_held, extended))
        if row is None or (row.get("owner"), row.get("fence")) != (lease.claim, lease.fence):
            return False
        return bool(row["until"] > LONG_AGO)

    async def release(self, lease: Lease) -> None:
        """Release one's own lease; the row and its fence remain."""
        released: Row = {"until": LONG_AGO, "writing": False, "updatedAt": STORE_TIME}
        change = [{"$set": replace_if(_is_of(lease), released)}]
        await self._rows.update_one(_key(lease.tenant, lease.task_id), change)

    async def guard(self, lease: Lease) -> None:
        """Fail unless the lease is held, and exclude others until `settle` or `release`.

        A change cannot be rejected by a condition in its filter: see `set_if`. So the change itself
        fails, by converting a text that is not a number. The text includes a field, since the server would
        evaluate a constant before the condition.
        """
        lost: Row = {"$toInt": {"$concat": ["lost to ", {"$ifNull": ["$owner", "nobody"]}]}}
        change: Row = {
            "writing": {"$cond": [_is_of(lease), True, lost]},
            "wasReleased": {"$lte": ["$until", LONG_AGO]},
            "until": _at_least(after_seconds(GUARDED_FOR_S)),
        }
        key = _key(lease.tenant, lease.task_id)
        await self._rows.update_one(key, [{"$set": change}], upsert=True)

    async def settle(self, lease: Lease) -> None:
        """End the guard, and leave the lease held or released as the guard found it."""
        until: Row = {"$cond": ["$wasReleased", LONG_AGO, "$until"]}
        change = [{"$set": replace_if(_is_of(lease), {"writing": False, "until": until})}]
        await self._rows.update_one(_key(lease.tenant, lease.task_id), change)

    async def take_over(
        self, tenant: str, task_id: str, *, by: str, ttl_s: float
    ) -> LeaseTakeover | None:
        """Take the lease from its holder, `by` `STOPPER` or `PAUSER`; returns the run that had it, if any.
        None while that run's writes are in progress: try again. A stop frees the lease at once if no run
        had it.
        """
        turn = token_hex(8)  # identifies this call: the row then says whether it succeeded
        is_done: Row = {"$and": [ALIVE, {"$eq": ["$owner", by]}]}
        may_take: Row = {"$not": [{"$or": [WRITING, is_done]}]}
        # A run with an expired lease may only be suspended; it may still continue until the lease
        # is taken from it.
        ends_run: Row = {"$and": [may_take, OF_RUN, {"$gt": ["$until", LONG_AGO]}]}
        until: Row | datetime = after_seconds(ttl_s)
        if by == STOPPER:  # the stopped run tidies up its thread; nobody else waits
            until = {"$cond": [IS_RUN, after_seconds(ttl_s), LONG_AGO]}
        change = keep_fields(FIRST)
        change |= replace_if(
            may_take,
            {
                "owner": by,
                "fence": NEXT_FENCE,
                "until": until,
                "writing": False,
                "updatedAt": STORE_TIME,
            },
        )
        change |= replace_if(ends_run, {"cut": "$owner", "cutKey": "$key", "cutBy": turn})
        # Also if nobody holds the lease or it was cut already, since a request may be about to
        # acquire it.
        at = "stoppedAt" if by == STOPPER else "pausedAt"
        change |= replace_if({"$not": [WRITING]}, {at: STORE_TIME})
        change["turn"] = {"$cond": [WRITING, "$turn", turn]}
        row = await upsert(self._rows, _key(tenant, task_id), change)
        if row.get("turn") != turn:
            return None
        lease = Lease(tenant, task_id, by, row["fence"])
        if row.get("cutBy") != turn:
            return LeaseTakeover(lease)
        return LeaseTakeover(lease, claim=row["cut"], key=row.get("cutKey", ""))

    async def find_pause(self, tenant: str, task_id: str) -> Lease | None:
        """The lease of the pause; None if not paused."""
        row = await self._alive_row(tenant, task_id)
        return Lease(tenant, task_id, PAUSER, row["fence"]) if row.get("owner") == PAUSER else None

    async def inherit(self, lease: Lease) -> Lease | None:
        """The lease of whoever cut this one, for tidying up; None if another has worked on it since."""
        row: Row | None = await self._rows.find_one(_key(lease.tenant, lease.task_id))
        if row is None or row.get("cut") != lease.claim or row["owner"] not in (STOPPER, PAUSER):
            return None
        if row["owner"] == PAUSER and row["until"] <= LONG_AGO:  # resumed since
            return None
        return Lease(lease.tenant, lease.task_id, row["owner"], row["fence"])

    async def find_holder(self, tenant: str, task_id: str) -> str | None:
        """The owner of the valid lease, or None."""
        return (await self._alive_row(tenant, task_id)).get("owner")

    async def _alive_row(self, tenant: str, task_id: str) -> Row:
        """The owner and fence of the valid lease; empty if there is none."""
        stages = [{"$match": _key(tenant, task_id)}, {"$project": SHOWN}]
        rows = [row async for row in self._rows.aggregate(stages)]
        return rows[0] if rows and rows[0]["alive"] else {}

    async def find_user(self, tenant: str, task_id: str) -> str | None:
        """The user who started the task; None if unknown."""
        row: Row | None = await self._rows.find_one(_key(tenant, task_id))
        return row.get("userId") if row is not None else None

    async def list_runs(self, tenant: str, *, within_s: float, limit: int) -> set[str]:
        """Up to `limit` tasks whose valid lease ends within `within_s`: runs, but not pauses."""
        soon = {"$and": [ALIVE, {"$lte": ["$until", after_seconds(within_s)]}]}
        stages: list[Row] = [
            {"$match": {"tenantId": tenant, "until": {"$gt": LONG_AGO}}},
            {"$match": {"$expr": soon}},
            {"$limit": limit},
            {"$project": {"taskId": 1}},
        ]
        return {row["taskId"] async for row in self._rows.aggregate(stages)}


def _key(tenant: str, task_id: str) -> dict[str, Any]:
    return {"tenantId": tenant, "taskId": task_id}


def _is_of(lease: Lease) -> Row:
    is_owner = {"$eq": ["$owner", {"$literal": lease.claim}]}
    return {"$and": [is_owner, {"$eq": ["$fence", lease.fence]}]}


def _at_least(moment: Row) -> Row:
    """Writes during a pause must not shorten it."""
    return {"$cond": [{"$gt": ["$until", moment]}, "$until", moment]}
