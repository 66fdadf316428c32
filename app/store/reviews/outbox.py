"""Repository of records that wait to be filed."""

from collections.abc import Sequence
from datetime import UTC, datetime

import structlog
from pydantic import ValidationError

from app.domain.review import Submission
from app.store.mongo.database import Collection, Database
from app.store.mongo.expressions import kept
from app.store.mongo.failures import translated
from app.store.mongo.rows import SCHEMA, Row

log = structlog.get_logger(__name__)


class MongoOutbox:
    """`Outbox` in the collection `review_outbox`. A record is kept as its JSON: nothing reads into it."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["review_outbox"]

    @translated
    async def add(self, record: Submission) -> None:
        """Keep it."""
        row: Row = {
            "schema": SCHEMA,
            "record": record.model_dump_json(),
            "createdAt": datetime.now(UTC),
        }
        change = [{"$set": kept(row)}]
        await self._rows.update_one(_key(record.tenant_id, record.id), change, upsert=True)

    @translated
    async def find(self, tenant: str, record_id: str) -> Submission | None:
        """The record, or None."""
        row = await self._rows.find_one(_key(tenant, record_id))
        return _record(row) if row else None

    @translated
    async def waiting(self, *, limit: int) -> Sequence[Submission]:
        """The oldest; one that cannot be read stays where it is, and is told of in the log."""
        until = {"createdAt": {"$lte": datetime.now(UTC)}}
        found = self._rows.find(until, sort=[("createdAt", 1)], limit=limit)
        read = [_record(row) async for row in found]
        return [one for one in read if one is not None]

    @translated
    async def remove(self, tenant: str, record_id: str) -> None:
        """It is filed."""
        await self._rows.delete_one(_key(tenant, record_id))


def _key(tenant: str, record_id: str) -> dict[str, str]:
    return {"tenantId": tenant, "recordId": record_id}


def _record(row: Row) -> Submission | None:
    try:
        return Submission.model_validate_json(row["record"])
    except ValidationError as error:
        log.warning("record cannot be read", record=row["recordId"], errors=error.error_count())
        return None
