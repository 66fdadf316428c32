"""Repository of ingestion requests."""

from collections.abc import Sequence
from datetime import datetime

from pymongo import ReturnDocument

from app.domain.knowledge import MOST_LISTED, IngestFailure, Job, JobStatus, Progress
from app.errors import NotFound
from app.store.mongo.expressions import set_if
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, storable, to_row

TRIES = {"$ifNull": ["$tries", 0]}
OPEN = {"$in": ["$status", ["queued", "running"]]}
UNLISTED = {"due": 0}


class MongoKnowledgeJobs:
    """`Jobs` in the collection `knowledge_jobs`.

    `due`, in unfinished rows, is when the job may be claimed next: at once, or when its lease ends. It is
    written together with the lease, so that finding work is one small range of one index.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_jobs"]

    @translate_errors
    async def add(self, job: Job) -> None:
        row = to_row(job) | {"due": job.created_at}
        await self._rows.update_one(
            _key(job.tenant, job.job_id), {"$setOnInsert": row}, upsert=True
        )

    @translate_errors
    async def get(self, tenant: str, job_id: str) -> Job:
        row = await self._rows.find_one(_key(tenant, job_id))
        if row is None:
            raise NotFound("There is no such job")
        return from_row(Job, row)

    @translate_errors
    async def listed(
        self, tenant: str, *, user: str | None = None, status: JobStatus | None = None, limit: int
    ) -> list[Job]:
        wanted: Row = {"tenantId": tenant}
        wanted |= {} if user is None else {"userId": user}
        wanted |= {} if status is None else {"status": status}
        rows = self._rows.find(wanted, UNLISTED, sort=[("createdAt", -1)], limit=limit)
        return [from_row(Job, row) async for row in rows]

    @translate_errors
    async def claim(
        self, tenant: str, job_id: str, *, owner: str, now: datetime, until: datetime
    ) -> Job | None:
        """Claim the job. Owner names are unique per claim."""
        free = {"$and": [OPEN, {"$lte": ["$due", now]}]}
        taken: Row = {
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
        row = await self._changed(tenant, job_id, counted | set_if(free, taken))
        return row if row is not None and row.owner == owner else None

    @translate_errors
    async def waiting(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        rows = self._rows.find(
            {"due": {"$lte": now}}, {"tenantId": 1, "jobId": 1}, sort=[("due", 1)], limit=limit
        )
        return [(row["tenantId"], row["jobId"]) async for row in rows]

    @translate_errors
    async def queued(self, tenant: str, *, limit: int) -> int:
        wanted = {"tenantId": tenant, "status": "queued"}
        rows = self._rows.find(wanted, {"jobId": 1}, limit=limit)
        return len([row async for row in rows])

    @translate_errors
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
        """Record progress; see the port. Only the owner appends to the lists, so they are built here."""
        made = tuple(dict.fromkeys((*job.documents, *documents)))[-MOST_LISTED:]
        failed = (*job.errors, *errors)[-MOST_LISTED:]
        said = tuple(dict.fromkeys((*job.notes, *notes)))[-MOST_LISTED:]
        lists = {"documents": made, "errors": failed, "notes": said}
        written = job.model_copy(update={"progress": progress, **lists})
        row = to_row(written)
        fields = {name: row[name] for name in ("progress", *lists)}
        fields |= {} if tries is None else {"tries": tries}
        fields |= {"leasedUntil": until, "due": until, "updatedAt": written.updated_at}
        found = await self._changed(job.tenant, job.job_id, set_if(_held(owner), fields))
        return found if found is not None and _is_held(found, owner) else None

    @translate_errors
    async def finish(
        self, job: Job, *, owner: str, status: JobStatus, reason: str | None, now: datetime
    ) -> Job | None:
        held = _held(owner)
        fields: Row = {"status": status, "endedAt": now, "updatedAt": now}
        fields |= {} if reason is None else {"reason": reason}
        change = set_if(held, fields) | _unleased(held)
        found = await self._changed(job.tenant, job.job_id, change)
        return found if found is not None and found.owner == owner and found.ended_at else None

    @translate_errors
    async def cancel(self, tenant: str, job_id: str, *, now: datetime) -> Job:
        idle = {"$and": [OPEN, {"$lte": ["$due", now]}]}
        fields: Row = {"status": "cancelled", "endedAt": now, "updatedAt": now}
        change = set_if(idle, fields) | _unleased(idle) | set_if(OPEN, {"cancelling": True})
        found = await self._changed(tenant, job_id, change)
        if found is None:
            raise NotFound("There is no such job")
        return found

    async def _changed(self, tenant: str, job_id: str, change: Row) -> Job | None:
        """Apply a conditional change and return the job afterwards."""
        row = await self._rows.find_one_and_update(
            _key(tenant, job_id),
            [{"$set": storable(change)}],
            return_document=ReturnDocument.AFTER,
        )
        return None if row is None else from_row(Job, row)


def _held(owner: str) -> Row:
    return {"$and": [OPEN, {"$eq": ["$owner", {"$literal": owner}]}]}


def _is_held(job: Job, owner: str) -> bool:
    return job.owner == owner and job.status == "running"


def _unleased(condition: Row) -> Row:
    """Fields that remove the lease and `due` if the condition is true."""
    names = ("due", "leasedUntil")
    return {name: {"$cond": [condition, "$$REMOVE", f"${name}"]} for name in names}


def _key(tenant: str, job_id: str) -> Row:
    return {"tenantId": tenant, "jobId": job_id}
