"""Each tenant's version: a number that grows when what can be found has changed."""

from dataclasses import dataclass

from app.store.mongo.database import Collection, Database
from app.store.mongo.expressions import kept, upserted
from app.store.mongo.rows import SCHEMA, Row

REMEMBERED = 1_000  # deletions: whoever was away for more reads everything anew


@dataclass(frozen=True, slots=True)
class Deletions:
    """The tenant's version, and the documents that were deleted after an earlier one; `whole`: not all
    of them are known any more.
    """

    version: int
    ids: tuple[str, ...] = ()
    whole: bool = False


class Versions:
    """In the collection `knowledge_versions`, one row a tenant."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_versions"]

    async def now(self, tenant: str) -> int:
        """0 where nothing ever was."""
        row = await self._rows.find_one({"tenantId": tenant}, {"version": 1})
        return int(row["version"]) if row else 0

    async def next(self, tenant: str, *, deleted: str | None = None) -> int:
        """Raise it; `deleted` is remembered with it."""
        higher: Row = {"$add": [{"$ifNull": ["$version", 0]}, 1]}
        change: Row = kept({"schema": SCHEMA}) | {"version": higher}
        if deleted is not None:
            before = {"$ifNull": ["$deleted", []]}
            one = [{"documentId": {"$literal": deleted}, "version": higher}]
            change["deleted"] = {"$slice": [{"$concatArrays": [before, one]}, -REMEMBERED]}
        row = await upserted(self._rows, {"tenantId": tenant}, change)
        return int(row["version"])

    async def since(self, tenant: str, since: int) -> Deletions:
        """What was deleted after `since`. A number that was never reached is of another life of the
        tenant: everything is new then.
        """
        row = await self._rows.find_one({"tenantId": tenant})
        if row is None:
            return Deletions(0, whole=True)
        version, deleted = int(row["version"]), row.get("deleted", [])
        forgotten = len(deleted) >= REMEMBERED and since < deleted[0]["version"]
        ids = tuple(one["documentId"] for one in deleted if one["version"] > since)
        return Deletions(version, ids, whole=since <= 0 or since > version or forgotten)
