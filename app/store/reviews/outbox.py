"""Repositories of review records that are not filed yet, and of the effects of decisions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import structlog
from pydantic import ValidationError
from pymongo import InsertOne

from app.domain.review import Submission
from app.store.mongo.rows import SCHEMA, Repository, Row, keep_fields

log = structlog.get_logger(__name__)


class Outbox(Repository):
    """Review records that could not be filed yet, each once."""

    collection = "review_outbox"

    async def add(self, record: Submission) -> None:
        """Insert; an existing record with the same id is unchanged."""
        row: Row = {
            "schema": SCHEMA,
            "record": record.model_dump_json(),
            "createdAt": datetime.now(UTC),
        }
        change = [{"$set": keep_fields(row)}]
        await self._rows.update_one(_key(record.tenant_id, record.id), change, upsert=True)

    async def find(self, tenant: str, record_id: str) -> Submission | None:
        row = await self._rows.find_one(_key(tenant, record_id))
        return _record(row) if row else None

    async def list_waiting(self, *, limit: int) -> Sequence[Submission]:
        """The oldest records; unreadable ones are kept and logged."""
        until = {"createdAt": {"$lte": datetime.now(UTC)}}
        rows = self._rows.find(until, sort=[("createdAt", 1)], limit=limit)
        records = [_record(row) async for row in rows]
        return [one for one in records if one is not None]

    async def remove(self, tenant: str, record_id: str) -> None:
        await self._rows.delete_one(_key(tenant, record_id))


def _key(tenant: str, record_id: str) -> dict[str, str]:
    return {"tenantId": tenant, "recordId": record_id}


def _record(row: Row) -> Submission | None:
    try:
        return Submission.model_validate_json(row["record"])
    except ValidationError as error:
        log.warning("record cannot be read", record=row["recordId"], errors=error.error_count())
        return None


class Effects(Repository):
    """One row per effect of a review record that was carried out; kept for 60 days."""

    collection = "review_effects"

    async def add(
        self, tenant: str, record_id: str, effects: Sequence[str], *, at: datetime
    ) -> None:
        """Record effects as carried out; existing rows are unchanged."""
        key: Row = {"tenantId": tenant, "recordId": record_id}
        rows = [key | {"effect": effect, "createdAt": at} for effect in effects]
        await self._write([InsertOne(row) for row in rows])

    async def done(self, tenant: str, record_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """The effects carried out, by record; records without any are omitted."""
        by_record: defaultdict[str, set[str]] = defaultdict(set)
        query = {"tenantId": tenant, "recordId": {"$in": list(record_ids)}}
        async for row in self._rows.find(query, {"_id": 0, "recordId": 1, "effect": 1}):
            by_record[row["recordId"]].add(row["effect"])
        return {record_id: frozenset(effects) for record_id, effects in by_record.items()}
