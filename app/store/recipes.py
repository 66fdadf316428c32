"""Repositories of recipes, corrections, and elements that people chose."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pymongo import InsertOne, UpdateOne

from app.domain.memory import CorrectionRecord, Recipe, RepairStatus, SiteChoice
from app.store.mongo.rows import Row, ValueRepository, given_fields, to_row
from app.store.skills import counted

COUNTED_FIELDS = frozenset({"runs", "failures", "createdAt"})


class Recipes(ValueRepository[Recipe]):
    """Completed tasks that can be replayed."""

    collection, kind, key, noun = "recipes", Recipe, "recipeId", "recipe"

    async def save(self, recipe: Recipe) -> Recipe:
        """Upsert by (tenant, recipe_id) and return it; an existing one keeps its counts and date."""
        row = to_row(recipe)
        first = {name: row[name] for name in COUNTED_FIELDS}
        change = {
            "$set": {name: value for name, value in row.items() if name not in COUNTED_FIELDS},
            "$setOnInsert": first,
        }
        key = self._key(recipe.tenant, recipe.recipe_id)
        await self._rows.update_one(key, change, upsert=True)
        return await self.get(recipe.tenant, recipe.recipe_id)

    async def recent(
        self,
        tenant: str,
        *,
        domain: str | None = None,
        limit: int,
        before: datetime | None = None,
    ) -> list[Recipe]:
        """Recipes made before that date, newest first; of one site if given."""
        query: Row = {"tenantId": tenant} | given_fields(domain=domain)
        query |= {} if before is None else {"createdAt": {"$lt": before}}
        return await self._all(query, sort=[("createdAt", -1)], limit=limit)

    async def count_run(
        self, tenant: str, recipe_id: str, *, task_id: str, worked: bool, now: datetime
    ) -> None:
        """Count a replay by a task, once per task. A deleted recipe is ignored."""
        row = await self._rows.find_one(self._key(tenant, recipe_id), {"lastTask": 1})
        if row is None or row.get("lastTask") == task_id:
            return
        change = {
            "$inc": {"runs": 1, "failures": int(not worked)},
            "$set": {"updatedAt": now, "lastTask": task_id},
        }
        await self._rows.update_one(self._key(tenant, recipe_id), change)

    async def count_as_failure(self, tenant: str, recipe_id: str, record_id: str) -> bool:
        """Turn a success into a failure, once per record. Returns False if the recipe is gone."""
        changes: Row = {"failures": {"$min": ["$runs", {"$add": ["$failures", 1]}]}}
        return await counted(self._rows, self._key(tenant, recipe_id), record_id, changes)

    async def delete(self, tenant: str, recipe_id: str) -> None:
        await self._delete_one(tenant, recipe_id)


class Corrections(ValueRepository[CorrectionRecord]):
    """Corrections tried after failures, and their results."""

    collection, kind, key = "corrections", CorrectionRecord, "repairId"

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
        writes = [
            UpdateOne(self._key(tenant, repair), {"$set": {"status": status}})
            for repair, status in statuses.items()
        ]
        await self._write([*writes, *(InsertOne(to_row(record)) for record in then)])

    async def of_task(self, tenant: str, task_id: str) -> list[CorrectionRecord]:
        """In order of creation."""
        return await self._all({"tenantId": tenant, "taskId": task_id}, sort=[("createdAt", 1)])


class Choices(ValueRepository[SiteChoice]):
    """The elements that people chose on a site if several matched."""

    collection, kind, key = "choices", SiteChoice, "choiceId"

    async def record(self, choice: SiteChoice) -> None:
        """Upsert by (tenant, domain, phrase), which determines `choice_id`: the newest choice replaces the
        older one and increments the count.
        """
        row = to_row(choice)
        count = row.pop("count")
        key = self._key(choice.tenant, choice.choice_id)
        await self._rows.update_one(key, {"$set": row, "$inc": {"count": count}}, upsert=True)

    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[SiteChoice]:
        """The newest `limit`, oldest first."""
        where = {"tenantId": tenant, "domain": domain}
        return (await self._all(where, sort=[("lastUsed", -1)], limit=limit))[::-1]
