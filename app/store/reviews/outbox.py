"""Review records that could not be filed yet, and the effects of decisions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import structlog
from pydantic import ValidationError

from app.domain.review import Submission
from app.store.mongo.expressions import keep_fields
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import SCHEMA, Collection, Database, Row
from app.store.tasks.actions import insert_missing

log = structlog.get_logger(__name__)


class Outbox:
    """Records of the review queue that could not be filed yet, each once."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["review_outbox"]

    @translate_errors
    async def add(self, record: Submission) -> None:
        """Keep it; of an id that is there already, the one that is there."""
        row: Row = {
            "schema": SCHEMA,
            "record": record.model_dump_json(),
            "createdAt": datetime.now(UTC),
        }
        change = [{"$set": keep_fields(row)}]
        await self._rows.update_one(_key(record.tenant_id, record.id), change, upsert=True)

    @translate_errors
    async def find(self, tenant: str, record_id: str) -> Submission | None:
        """The record, or None."""
        row = await self._rows.find_one(_key(tenant, record_id))
        return _record(row) if row else None

    @translate_errors
    async def waiting(self, *, limit: int) -> Sequence[Submission]:
        """The oldest; one that cannot be read stays where it is, and is told of in the log."""
        until = {"createdAt": {"$lte": datetime.now(UTC)}}
        found = self._rows.find(until, sort=[("createdAt", 1)], limit=limit)
        read = [_record(row) async for row in found]
        return [one for one in read if one is not None]

    @translate_errors
    async def remove(self, tenant: str, record_id: str) -> None:
        """It is filed. Nothing happens to one that is gone."""
        await self._rows.delete_one(_key(tenant, record_id))


def _key(tenant: str, record_id: str) -> dict[str, str]:
    return {"tenantId": tenant, "recordId": record_id}


def _record(row: Row) -> Submission | None:
    try:
        return Submission.model_validate_json(row["record"])
    except ValidationError as error:
        log.warning("record cannot be read", record=row["recordId"], errors=error.error_count())
        return None


class Effects:
    """One row for each effect of a record of the review queue that was carried out; kept 60 days."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["review_effects"]

    @translate_errors
    async def add(
        self, tenant: str, record_id: str, effects: Sequence[str], *, at: datetime
    ) -> None:
        """Note that they were carried out; one that is noted already stays as it is."""
        key: Row = {"tenantId": tenant, "recordId": record_id}
        rows = [key | {"effect": effect, "createdAt": at} for effect in effects]
        await insert_missing(self._rows, rows)

    @translate_errors
    async def done(self, tenant: str, record_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """What was carried out, by record; a record of which nothing was is left out."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        wanted = {"tenantId": tenant, "recordId": {"$in": list(record_ids)}}
        async for row in self._rows.find(wanted, {"_id": 0, "recordId": 1, "effect": 1}):
            found[row["recordId"]].add(row["effect"])
        return {record_id: frozenset(effects) for record_id, effects in found.items()}
