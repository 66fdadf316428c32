"""Repositories of ingestion jobs, the addresses their crawls found, and uploaded bytes."""

import hashlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pymongo import UpdateOne
from pymongo.errors import PyMongoError

from app.domain.knowledge import MOST_LISTED, IngestFailure, Job, JobStatus, Progress
from app.errors import NotFound
from app.store.mongo.group_commit import GroupCommit
from app.store.mongo.rows import (
    SCHEMA,
    Database,
    Repository,
    Row,
    ValueRepository,
    given_fields,
    set_if,
    storable,
    to_row,
    to_store_error,
    translate_errors,
)

TRIES = {"$ifNull": ["$tries", 0]}
OPEN = {"$in": ["$status", ["queued", "running"]]}
VISITS_PER_WRITE = 1_000  # rows per write
PIECE = 1_000_000  # bytes per row; the embedded server syncs its log for each, about 10 ms
READ = 4  # rows per reply of the server
WHOLE = -1  # index of the final piece, which completes the file and holds the number of pieces


class Jobs(ValueRepository[Job]):
    """Ingestion jobs. Finished ones are kept for 30 days.

    `due`, in unfinished rows, is when the job may be claimed next: at once, or when its lease ends. It is
    written together with the lease, so that finding work is one small range of one index.
    """

    collection, kind, key, noun = "knowledge_jobs", Job, "jobId", "job"

    async def add(self, job: Job) -> None:
        row = to_row(job) | {"due": job.created_at}
        key = self._key(job.tenant, job.job_id)
        await self._rows.update_one(key, {"$setOnInsert": row}, upsert=True)

    async def listed(
        self, tenant: str, *, user: str | None = None, status: JobStatus | None = None, limit: int
    ) -> list[Job]:
        """Newest first."""
        query = {"tenantId": tenant} | given_fields(userId=user, status=status)
        return await self._all(query, sort=[("createdAt", -1)], limit=limit)

    async def claim(
        self, tenant: str, job_id: str, *, owner: str, now: datetime, until: datetime
    ) -> Job | None:
        """Claim an unfinished job without a valid lease; otherwise None. Owner names are unique per claim."""
        free = {"$and": [OPEN, {"$lte": ["$due", now]}]}
        lease: Row = {
            "owner": owner,
            "status": "running",
            "leasedUntil": until,
            "due": until,
            "updatedAt": now,
        }
        counted = {
            "attempts": {"$cond": [free, {"$add": ["$attempts", 1]}, "$attempts"]},
            "tries": {"$cond": [free, {"$add": [TRIES, 1]}, TRIES]},
            "startedAt": {"$cond": [free, {"$ifNull": ["$startedAt", now]}, "$startedAt"]},
        }
        job = await self._change_one(tenant, job_id, counted | set_if(free, lease))
        return job if job is not None and job.owner == owner else None

    async def list_due(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        """(tenant, job id) of unclaimed jobs, oldest first, such as those left by a restart."""
        rows = self._rows.find(
            {"due": {"$lte": now}}, {"tenantId": 1, "jobId": 1}, sort=[("due", 1)], limit=limit
        )
        return [(row["tenantId"], row["jobId"]) async for row in rows]

    async def count_queued(self, tenant: str, *, limit: int) -> int:
        """The number of jobs not started yet, counted up to the limit."""
        query = {"tenantId": tenant, "status": "queued"}
        rows = self._rows.find(query, {"jobId": 1}, limit=limit)
        return len([row async for row in rows])

    async def advance(
        self,
        job: Job,
        *,
        owner: str,
        until: datetime,
        progress: Progress,
        documents: Sequence[str] = (),
        errors: Sequence[IngestFailure] = (),
        notes: Sequence[str] = (),
        tries: int | None = None,
    ) -> Job | None:
        """Record progress, append created documents, failures and notes, and extend the lease; `tries` sets
        the number of tries. Returns None if another owner has the lease by now; `cancelling` of the result
        says whether to stop. Only the owner appends to the lists, so they are built here.
        """
        documents_created = tuple(dict.fromkeys((*job.documents, *documents)))[-MOST_LISTED:]
        failed = (*job.errors, *errors)[-MOST_LISTED:]
        all_notes = tuple(dict.fromkeys((*job.notes, *notes)))[-MOST_LISTED:]
        lists = {"documents": documents_created, "errors": failed, "notes": all_notes}
        advanced = job.model_copy(update={"progress": progress, **lists})
        row = to_row(advanced)
        fields = {name: row[name] for name in ("progress", *lists)}
        fields |= {} if tries is None else {"tries": tries}
        fields |= {"leasedUntil": until, "due": until, "updatedAt": advanced.updated_at}
        changed = await self._change_one(job.tenant, job.job_id, set_if(_is_held_by(owner), fields))
        is_held = changed is not None and (changed.owner, changed.status) == (owner, "running")
        return changed if is_held else None

    async def finish(
        self, job: Job, *, owner: str, status: JobStatus, reason: str | None, now: datetime
    ) -> Job | None:
        """End the job; None if another owner has the lease by now."""
        is_held = _is_held_by(owner)
        fields: Row = {"status": status, "endedAt": now, "updatedAt": now}
        fields |= {} if reason is None else {"reason": reason}
        change = set_if(is_held, fields) | _unleased(is_held)
        ended = await self._change_one(job.tenant, job.job_id, change)
        return ended if ended is not None and ended.owner == owner and ended.ended_at else None

    async def cancel(self, tenant: str, job_id: str, *, now: datetime) -> Job:
        """Cancel: at once if nobody works on it, otherwise by asking its owner.

        A finished job is unchanged. Raises `NotFound`.
        """
        idle = {"$and": [OPEN, {"$lte": ["$due", now]}]}
        fields: Row = {"status": "cancelled", "endedAt": now, "updatedAt": now}
        change = set_if(idle, fields) | _unleased(idle) | set_if(OPEN, {"cancelling": True})
        return self._require(await self._change_one(tenant, job_id, change), job_id)


def _is_held_by(owner: str) -> Row:
    return {"$and": [OPEN, {"$eq": ["$owner", {"$literal": owner}]}]}


def _unleased(condition: Row) -> Row:
    """Fields that remove the lease and `due` if the condition is true."""
    names = ("due", "leasedUntil")
    return {name: {"$cond": [condition, "$$REMOVE", f"${name}"]} for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """An address of a crawl, `depth` links from the start; `state` says whether it was processed."""

    url: str
    depth: int = 0
    state: str = "waiting"  # "waiting", "done" or "failed"


class Frontiers(Repository):
    """The addresses that a crawl has found, so that it can resume after a restart. Deleted with the job.

    In a row, `key` is the address shortened to fit an index, `at` the order of discovery.
    """

    collection = "knowledge_frontiers"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._settle = GroupCommit(self._settle_all)

    async def add(self, tenant: str, job_id: str, visits: Sequence[Visit]) -> int:
        """Store new addresses; returns how many were new."""
        first, now = time.time_ns(), datetime.now(UTC)
        writes = [
            UpdateOne(
                _visit_key(tenant, job_id, visit.url),
                {"$setOnInsert": _visit_row(visit, first + place, now)},
                upsert=True,
            )
            for place, visit in enumerate(visits)
        ]
        added = 0
        for start in range(0, len(writes), VISITS_PER_WRITE):
            result = await self._rows.bulk_write(
                writes[start : start + VISITS_PER_WRITE], ordered=False
            )
            added += result.upserted_count
        return added

    async def next(self, tenant: str, job_id: str, *, limit: int) -> list[Visit]:
        """Waiting addresses in order of discovery."""
        query = {"tenantId": tenant, "jobId": job_id, "state": "waiting"}
        rows = self._rows.find(query, sort=[("at", 1)], limit=limit)
        return [Visit(url=row["url"], depth=row["depth"], state=row["state"]) async for row in rows]

    async def settle(self, tenant: str, job_id: str, url: str, state: str) -> None:
        await self._settle((_visit_key(tenant, job_id, url), state))

    async def _settle_all(self, batch: list[tuple[Row, str]]) -> Sequence[None]:
        groups: dict[tuple[str, str, str], list[str]] = {}
        for key, state in batch:
            groups.setdefault((key["tenantId"], key["jobId"], state), []).append(key["key"])
        for (tenant, job_id, state), keys in groups.items():
            query = {"tenantId": tenant, "jobId": job_id, "key": {"$in": keys}}
            await self._rows.update_many(query, {"$set": {"state": state}})
        return [None] * len(batch)

    async def counts(self, tenant: str, job_id: str) -> dict[str, int]:
        stages: list[Row] = [
            {"$match": {"tenantId": tenant, "jobId": job_id}},
            {"$group": {"_id": "$state", "count": {"$sum": 1}}},
        ]
        return {row["_id"]: row["count"] async for row in self._rows.aggregate(stages)}

    async def clear(self, tenant: str, job_id: str) -> None:
        await self._rows.delete_many({"tenantId": tenant, "jobId": job_id})


def _visit_row(visit: Visit, at: int, now: datetime) -> Row:
    return storable(
        {
            "schema": SCHEMA,
            "url": visit.url,
            "depth": visit.depth,
            "state": visit.state,
            "at": at,
            "createdAt": now,
        }
    )


def _visit_key(tenant: str, job_id: str, url: str) -> Row:
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return {"tenantId": tenant, "jobId": job_id, "key": digest}


class Files(Repository):
    """Uploaded bytes, kept until their job ends; in the store so that any machine can do the job.

    `piece` counts from 0; `WHOLE` is written last.
    Own rows instead of GridFS, whose rows have no tenant, so that neither the shard key nor the deletion of
    a tenant would cover them.
    """

    collection = "knowledge_files"

    async def put(self, tenant: str, file_id: str, pieces: AsyncIterator[bytes]) -> int:
        """Store the pieces; returns the number of bytes. An aborted upload leaves nothing."""
        buffer, count, size = bytearray(), 0, 0
        try:
            async for data in pieces:
                buffer += data
                size += len(data)
                while len(buffer) >= PIECE:
                    await self._add(tenant, file_id, count, {"data": bytes(buffer[:PIECE])})
                    del buffer[:PIECE]
                    count += 1
            await self._add(
                tenant, file_id, WHOLE, {"pieces": count, "bytes": size, "data": bytes(buffer)}
            )
        except BaseException:
            await self.delete(tenant, file_id)
            raise
        return size

    @translate_errors
    async def _add(self, tenant: str, file_id: str, piece: int, fields: Row) -> None:
        row = fields | {"schema": SCHEMA, "createdAt": datetime.now(UTC)}
        key = _file_key(tenant, file_id) | {"piece": piece}
        await self._rows.update_one(key, {"$set": row}, upsert=True)

    async def read(self, tenant: str, file_id: str) -> AsyncIterator[bytes]:
        """Yield the pieces, or raise `NotFound`."""
        key = _file_key(tenant, file_id)
        try:
            last_piece = await self._rows.find_one(key | {"piece": WHOLE})
            if last_piece is None:
                raise NotFound("The uploaded document no longer exists")
            query = key | {"piece": {"$gte": 0}}
            if last_piece["pieces"]:
                rows = self._rows.find(query, {"data": 1}, sort=[("piece", 1)], batch_size=READ)
                async for row in rows:
                    yield bytes(row["data"])
            if last_piece["data"]:
                yield bytes(last_piece["data"])
        except PyMongoError as error:
            raise to_store_error(error) from error

    async def delete(self, tenant: str, file_id: str) -> None:
        """Delete the file; a missing one is ignored."""
        await self._rows.delete_many(_file_key(tenant, file_id))


def _file_key(tenant: str, file_id: str) -> Row:
    return {"tenantId": tenant, "fileId": file_id}
