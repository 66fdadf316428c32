"""Repository of the ledger of what decisions did."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import Row
from app.store.tasks.actions import insert_missing


class MongoEffects:
    """`Effects` in the collection `review_effects`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["review_effects"]

    @translated
    async def add(
        self, tenant: str, record_id: str, effects: Sequence[str], *, at: datetime
    ) -> None:
        """Note that they were carried out."""
        key: Row = {"tenantId": tenant, "recordId": record_id}
        rows = [key | {"effect": effect, "createdAt": at} for effect in effects]
        await insert_missing(self._rows, rows)

    @translated
    async def done(self, tenant: str, record_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """What was carried out, by record."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        wanted = {"tenantId": tenant, "recordId": {"$in": list(record_ids)}}
        async for row in self._rows.find(wanted, {"_id": 0, "recordId": 1, "effect": 1}):
            found[row["recordId"]].add(row["effect"])
        return {record_id: frozenset(effects) for record_id, effects in found.items()}
