"""Corrections that were tried, and elements that people chose."""

from collections.abc import Mapping, Sequence

from pymongo import InsertOne, UpdateOne

from app.domain.memory import CorrectionRecord, RepairStatus, SiteChoice
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, to_row
from app.store.tasks.actions import duplicates_ignored


class Corrections:
    """What was tried after failures, and what came of it."""

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
        """Write what came of corrections, by repair_id, and add `then` in the same round trip; one
        that is there already is left as it is.
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
        """In the order they were made."""
        wanted = {"tenantId": tenant, "taskId": task_id}
        found = self._rows.find(wanted, sort=[("createdAt", 1)])
        return [from_row(CorrectionRecord, row) async for row in found]


NEWEST = [("lastUsed", -1)]


class Choices:
    """Which element a person meant on a site, where several fit."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["choices"]

    @translate_errors
    async def chose(self, choice: SiteChoice) -> None:
        """Upsert by (tenant, domain, phrase), of which `choice_id` is made: the newest choice replaces the
        older one and counts one more.
        """
        row = to_row(choice)
        count = row.pop("count")
        where = {"tenantId": choice.tenant, "choiceId": choice.choice_id}
        await self._rows.update_one(where, {"$set": row, "$inc": {"count": count}}, upsert=True)

    @translate_errors
    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[SiteChoice]:
        """Oldest first, the newest `limit`."""
        where = {"tenantId": tenant, "domain": domain}
        found = self._rows.find(where, sort=NEWEST, limit=limit)
        return [from_row(SiteChoice, row) async for row in found][::-1]
