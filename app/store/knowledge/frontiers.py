"""Repository of the addresses that crawls have found."""

import hashlib
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from pymongo import UpdateOne

from app.store.knowledge.port import Visit
from app.store.mongo.failures import translate_errors
from app.store.mongo.group_commit import GroupCommit
from app.store.mongo.rows import SCHEMA, Collection, Database, Row, storable

WRITTEN = 1_000  # rows per write


class MongoFrontiers:
    """`Frontiers` in the collection `knowledge_frontiers`; `key` is the address shortened to fit an index,
    `at` is the order of discovery.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_frontiers"]
        self._settle = GroupCommit(self._settled)

    @translate_errors
    async def add(self, tenant: str, job_id: str, visits: Sequence[Visit]) -> int:
        first, now = time.time_ns(), datetime.now(UTC)
        writes = [
            UpdateOne(
                _key(tenant, job_id, visit.url),
                {"$setOnInsert": _row(visit, first + place, now)},
                upsert=True,
            )
            for place, visit in enumerate(visits)
        ]
        added = 0
        for start in range(0, len(writes), WRITTEN):
            done = await self._rows.bulk_write(writes[start : start + WRITTEN], ordered=False)
            added += done.upserted_count
        return added

    @translate_errors
    async def next(self, tenant: str, job_id: str, *, limit: int) -> list[Visit]:
        wanted = {"tenantId": tenant, "jobId": job_id, "state": "waiting"}
        rows = self._rows.find(wanted, sort=[("at", 1)], limit=limit)
        return [Visit(url=row["url"], depth=row["depth"], state=row["state"]) async for row in rows]

    @translate_errors
    async def settle(self, tenant: str, job_id: str, url: str, state: str) -> None:
        await self._settle((_key(tenant, job_id, url), state))

    async def _settled(self, some: list[tuple[Row, str]]) -> Sequence[None]:
        groups: dict[tuple[str, str, str], list[str]] = {}
        for key, state in some:
            groups.setdefault((key["tenantId"], key["jobId"], state), []).append(key["key"])
        for (tenant, job_id, state), keys in groups.items():
            wanted = {"tenantId": tenant, "jobId": job_id, "key": {"$in": keys}}
            await self._rows.update_many(wanted, {"$set": {"state": state}})
        return [None] * len(some)

    @translate_errors
    async def counts(self, tenant: str, job_id: str) -> dict[str, int]:
        stages: list[Row] = [
            {"$match": {"tenantId": tenant, "jobId": job_id}},
            {"$group": {"_id": "$state", "count": {"$sum": 1}}},
        ]
        return {row["_id"]: row["count"] async for row in self._rows.aggregate(stages)}

    @translate_errors
    async def clear(self, tenant: str, job_id: str) -> None:
        await self._rows.delete_many({"tenantId": tenant, "jobId": job_id})


def _row(visit: Visit, at: int, now: datetime) -> Row:
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


def _key(tenant: str, job_id: str, url: str) -> Row:
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return {"tenantId": tenant, "jobId": job_id, "key": digest}
