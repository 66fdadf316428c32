"""Leases of threads: who is working on a task."""

from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from pymongo import ReturnDocument

from app.store.mongo.expressions import STORE_TIME, after_seconds, keep_fields, replace_if, upsert
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import SCHEMA, Collection, Database, Row
from app.store.tasks.operations import FAR_AHEAD

STOPPER = "(stop)"  # owns the lease of what was stopped; no claim looks so


PAUSER = "(pause)"  # owns the lease of a paused task


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a thread: of one `claim`, and valid while the row's fence is this `fence`.
    `resumed`: a pause ended with it. `stopped`: the thread was stopped since the operation began that it
    was taken for.
    """

    tenant: str
    task_id: str
    claim: str
    fence: int
    resumed: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class LeaseTakeover:
    """What a cut came to: the `lease` of who cut, and the run that lost it, its claim and the operation that
    it had claimed; both "" for none.
    """

    lease: Lease
    claim: str = ""
    key: str = ""


LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)  # before any clock that may ask


GUARDED_FOR_S = 6.0  # how long one message of writes keeps others out, should the server die in it


ALIVE: Row = {"$gt": ["$until", STORE_TIME]}


WRITING: Row = {"$and": [{"$eq": ["$writing", True]}, ALIVE]}


OF_RUN: Row = {"$not": [{"$in": ["$owner", [STOPPER, PAUSER]]}]}


IS_RUN: Row = {"$and": [ALIVE, OF_RUN]}


SHOWN: Row = {"owner": 1, "fence": 1, "alive": ALIVE}


NEXT_FENCE: Row = {"$add": [{"$ifNull": ["$fence", 0]}, 1]}


class Leases:
    """Who is working on a task. Keyed by task id, so that it needs no task row. Each change of owner makes
    the fence one more, and it never goes back. All times are the store's.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["leases"]

    @translate_errors
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
        """Take a lease that is free; None while another's is alive. `key` is the operation that is worked
        on: whoever claimed it anew takes the lease from whoever had claimed it before. `user` is kept with
        it by the first who says so: whose task it is, before that has a row. Who `hands_back` takes it from
        a pause too. `since` is when the operation began: whoever takes the lease is told of a stop that came
        after that, and takes it from no pause that did.
        """
        paused: Row = {"$and": [ALIVE, {"$eq": ["$owner", PAUSER]}]}
        free: list[Row] = [{"$not": [ALIVE]}]
        if hands_back:
            free.append({"$and": [paused, {"$lt": ["$pausedAt", since]}]})
        if key:  # whoever took the operation over has the lease that was taken for it
            free.append(
                {"$and": [{"$eq": ["$key", {"$literal": key}]}, IS_RUN, {"$not": [WRITING]}]}
            )
        first = keep_fields(_first() | ({"userId": user} if user else {}))
        taken: Row = {
            "owner": {"$literal": claim},
            "key": {"$literal": key},
            "fence": NEXT_FENCE,
            "resumed": paused,
            "writing": False,
            "until": after_seconds(ttl_s),
            "updatedAt": STORE_TIME,
        }
        row = await upsert(
            self._rows, _key(tenant, task_id), first | replace_if({"$or": free}, taken)
        )
        if row["owner"] != claim:
            return None
        stopped = (row.get("stoppedAt") or LONG_AGO) >= since
        resumed = bool(row["resumed"])
        return Lease(tenant, task_id, claim, row["fence"], resumed=resumed, stopped=stopped)

    @translate_errors
    async def renew(self, lease: Lease, *, ttl_s: float) -> bool:
        """Keep one's own lease alive; False when it was taken away, or has been given back: a renewal that
        comes late takes nothing.
        """
        held = {"$and": [_is_of(lease), {"$gt": ["$until", LONG_AGO]}]}
        kept_up: Row = {"until": _at_least(after_seconds(ttl_s)), "updatedAt": STORE_TIME}
        row = await self._changed(lease, held, kept_up)
        return row is not None and _holds(row, lease) and row["until"] > LONG_AGO

    @translate_errors
    async def release(self, lease: Lease) -> None:
        """Give one's own lease back; the row stays, and with it the fence."""
        freed: Row = {"until": LONG_AGO, "writing": False, "updatedAt": STORE_TIME}
        change = [{"$set": replace_if(_is_of(lease), freed)}]
        await self._rows.update_one(_key(lease.tenant, lease.task_id), change)

    @translate_errors
    async def guard(self, lease: Lease) -> None:
        """Fail unless the lease is held, and keep others out until `settle` or `release`.

        A change cannot be refused by a condition in its filter: see `conditional`. So the change itself
        fails: a text that is no number is converted. The text holds a field, since the server would
        compute a constant one before it looks at the condition.
        """
        lost: Row = {"$toInt": {"$concat": ["lost to ", {"$ifNull": ["$owner", "nobody"]}]}}
        change: Row = {
            "writing": {"$cond": [_is_of(lease), True, lost]},
            "until": _at_least(after_seconds(GUARDED_FOR_S)),
        }
        key = _key(lease.tenant, lease.task_id)
        await self._rows.update_one(key, [{"$set": change}], upsert=True)

    @translate_errors
    async def settle(self, lease: Lease) -> None:
        """What was guarded is written, and the lease stays one's own."""
        change = [{"$set": replace_if(_is_of(lease), {"writing": False})}]
        await self._rows.update_one(_key(lease.tenant, lease.task_id), change)

    @translate_errors
    async def cut(
        self, tenant: str, task_id: str, *, by: str, ttl_s: float
    ) -> LeaseTakeover | None:
        """Take the lease from whoever has it, `by` `STOPPER` or `PAUSER`; the run that had it, if one did.
        None while that run's writes are under way: it is to be asked again. A stop frees the lease at once
        where no run had it.
        """
        turn = token_hex(8)  # names this call: the row says afterwards whether it was this one
        is_so: Row = {"$and": [ALIVE, {"$eq": ["$owner", by]}]}
        goes: Row = {"$not": [{"$or": [WRITING, is_so]}]}
        # A run whose lease ran out may only sleep; what it has not given back it may still go on with.
        ends_run: Row = {"$and": [goes, OF_RUN, {"$gt": ["$until", LONG_AGO]}]}
        until: Row | datetime = after_seconds(ttl_s)
        if by == STOPPER:  # the run that it stops leaves its thread in order; nobody else waits
            until = {"$cond": [IS_RUN, after_seconds(ttl_s), LONG_AGO]}
        change = keep_fields(_first())
        change |= replace_if(
            goes,
            {
                "owner": by,
                "fence": NEXT_FENCE,
                "until": until,
                "writing": False,
                "updatedAt": STORE_TIME,
            },
        )
        change |= replace_if(ends_run, {"cut": "$owner", "cutKey": "$key", "cutBy": turn})
        # Also where nobody has the lease, or whoever cut has it already: a request may be about to take it.
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

    @translate_errors
    async def paused(self, tenant: str, task_id: str) -> Lease | None:
        """The lease of the pause; None where there is none."""
        stages = [{"$match": _key(tenant, task_id)}, {"$project": SHOWN}]
        found = [row async for row in self._rows.aggregate(stages)]
        if not found or not found[0]["alive"] or found[0].get("owner") != PAUSER:
            return None
        return Lease(tenant, task_id, PAUSER, found[0]["fence"])

    @translate_errors
    async def inherit(self, lease: Lease) -> Lease | None:
        """The lease of who cut this one off, for leaving the thread in order; None where somebody else has
        worked on it since.
        """
        row: Row | None = await self._rows.find_one(_key(lease.tenant, lease.task_id))
        if row is None or row.get("cut") != lease.claim or row["owner"] not in (STOPPER, PAUSER):
            return None
        if row["owner"] == PAUSER and row["until"] <= LONG_AGO:  # resumed since
            return None
        return Lease(lease.tenant, lease.task_id, row["owner"], row["fence"])

    @translate_errors
    async def holder(self, tenant: str, task_id: str) -> str | None:
        """Whose lease is alive; None where none is."""
        stages = [{"$match": _key(tenant, task_id)}, {"$project": SHOWN}]
        found = [row async for row in self._rows.aggregate(stages)]
        return str(found[0]["owner"]) if found and found[0]["alive"] else None

    @translate_errors
    async def user(self, tenant: str, task_id: str) -> str | None:
        """Who began what the lease is of; None where that is not known."""
        row: Row | None = await self._rows.find_one(_key(tenant, task_id))
        return row.get("userId") if row is not None else None

    @translate_errors
    async def alive(self, tenant: str, *, within_s: float, limit: int) -> set[str]:
        """The tasks, `limit` at most, whose lease is alive and ends within `within_s`: a run's does, a
        pause's does not.
        """
        soon = {"$and": [ALIVE, {"$lte": ["$until", after_seconds(within_s)]}]}
        stages: list[Row] = [
            {"$match": {"tenantId": tenant, "until": {"$gt": LONG_AGO}}},
            {"$match": {"$expr": soon}},
            {"$limit": limit},
            {"$project": {"taskId": 1}},
        ]
        return {row["taskId"] async for row in self._rows.aggregate(stages)}

    async def _changed(self, lease: Lease, given: Row, fields: Row) -> Row | None:
        row: Row | None = await self._rows.find_one_and_update(
            _key(lease.tenant, lease.task_id),
            [{"$set": replace_if(given, fields)}],
            return_document=ReturnDocument.AFTER,
        )
        return row


def _key(tenant: str, task_id: str) -> dict[str, Any]:
    return {"tenantId": tenant, "taskId": task_id}


def _first() -> Row:
    return {"schema": SCHEMA, "createdAt": STORE_TIME}


def _is_of(lease: Lease) -> Row:
    owned = {"$eq": ["$owner", {"$literal": lease.claim}]}
    return {"$and": [owned, {"$eq": ["$fence", lease.fence]}]}


def _at_least(moment: Row) -> Row:
    """No pause is made shorter by what is written under it."""
    return {"$cond": [{"$gt": ["$until", moment]}, "$until", moment]}


def _holds(row: Row, lease: Lease) -> bool:
    return (row.get("owner"), row.get("fence")) == (lease.claim, lease.fence)
