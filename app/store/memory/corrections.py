"""Repositories of corrections, and of elements that people chose."""

from collections.abc import Mapping, Sequence

from pymongo import InsertOne, UpdateOne

from app.domain.memory import CorrectionRecord, RepairStatus, SiteChoice
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, to_row
from app.store.tasks.actions import duplicates_ignored


class Corrections:
    """Corrections tried after failures, and their results."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["corrections"]

    @translate_errors
    async def settle(
        self,
        tenant: str,
        statuses: Mapping[str, RepairStatus],
        *,
        then: Sequence[CorrectionRecord] = (),
    ) -> None:
        """Record the results of corrections by repair_id, and insert `then` in the same round trip;
        existing rows are unchanged.
        """
        writes: list[UpdateOne | InsertOne[Row]] = [
            UpdateOne({"tenantId": tenant, "repairId": repair}, {"$set": {"status": status}})
            for repair, status in statuses.items()
        ]
        writes += [InsertOne(to_row(record)) for record in then]
        if writes:
            with duplicates_ignored():
                await self._rows.bulk_write(writes, ordered=False)

    @translate_errors
    async def of_task(self, tenant: str, task_id: str) -> list[CorrectionRecord]:
        """In order of creation."""
        wanted = {"tenantId": tenant, "taskId": task_id}
        found = self._rows.find(wanted, sort=[("createdAt", 1)])
        return [from_row(CorrectionRecord, row) async for row in found]


NEWEST = [("lastUsed", -1)]


class Choices:
    """The elements that people chose on a site if several matched."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["choices"]

    @translate_errors
    async def chose(self, choice: SiteChoice) -> None:
        """Upsert by (tenant, domain, phrase), which determines `choice_id`: the newest choice replaces the
        older one and increments the count.
        """
        row = to_row(choice)
        count = row.pop("count")
        where = {"tenantId": choice.tenant, "choiceId": choice.choice_id}
        await self._rows.update_one(where, {"$set": row, "$inc": {"count": count}}, upsert=True)

    @translate_errors
    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[SiteChoice]:
        """The newest `limit`, oldest first."""
        where = {"tenantId": tenant, "domain": domain}
        found = self._rows.find(where, sort=NEWEST, limit=limit)
        return [from_row(SiteChoice, row) async for row in found][::-1]
