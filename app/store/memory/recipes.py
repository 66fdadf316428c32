"""Repository of recipes."""

from datetime import datetime

from app.domain.memory import Recipe
from app.errors import NotFound
from app.store.memory.judgements import counted
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, to_row

KEPT = frozenset({"runs", "failures", "createdAt"})


class Recipes:
    """Completed tasks that can be replayed."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["recipes"]

    @translate_errors
    async def save(self, recipe: Recipe) -> Recipe:
        """Store by (tenant, recipe_id) and return the stored recipe; an existing one keeps its counts and
        date.
        """
        row = to_row(recipe)
        first = {name: row[name] for name in KEPT}
        change = {
            "$set": {name: value for name, value in row.items() if name not in KEPT},
            "$setOnInsert": first,
        }
        await self._rows.update_one(_key(recipe.tenant, recipe.recipe_id), change, upsert=True)
        return await self.get(recipe.tenant, recipe.recipe_id)

    @translate_errors
    async def get(self, tenant: str, recipe_id: str) -> Recipe:
        row = await self._rows.find_one(_key(tenant, recipe_id))
        if row is None:
            raise NotFound(f"There is no recipe {recipe_id!r}")
        return from_row(Recipe, row)

    @translate_errors
    async def recent(
        self,
        tenant: str,
        *,
        domain: str | None = None,
        limit: int,
        before: datetime | None = None,
    ) -> list[Recipe]:
        """Recipes made before that date, newest first; of one site if given."""
        wanted: Row = {"tenantId": tenant}
        if domain is not None:
            wanted["domain"] = domain
        if before is not None:
            wanted["createdAt"] = {"$lt": before}
        found = self._rows.find(wanted, sort=[("createdAt", -1)], limit=limit)
        return [from_row(Recipe, row) async for row in found]

    @translate_errors
    async def ran(
        self, tenant: str, recipe_id: str, *, task_id: str, worked: bool, now: datetime
    ) -> None:
        """Count a replay by a task, once per task. A deleted recipe is ignored."""
        row = await self._rows.find_one(_key(tenant, recipe_id), {"lastTask": 1})
        if row is None or row.get("lastTask") == task_id:
            return
        change = {
            "$inc": {"runs": 1, "failures": int(not worked)},
            "$set": {"updatedAt": now, "lastTask": task_id},
        }
        await self._rows.update_one(_key(tenant, recipe_id), change)

    @translate_errors
    async def disown(self, tenant: str, recipe_id: str, record_id: str) -> bool:
        """Turn a success into a failure, once per record. Returns False if the recipe is gone."""
        more: Row = {"failures": {"$min": ["$runs", {"$add": ["$failures", 1]}]}}
        return await counted(self._rows, _key(tenant, recipe_id), record_id, more)

    @translate_errors
    async def delete(self, tenant: str, recipe_id: str) -> None:
        """Delete the recipe, or raise `NotFound`."""
        gone = await self._rows.delete_one(_key(tenant, recipe_id))
        if not gone.deleted_count:
            raise NotFound(f"There is no recipe {recipe_id!r}")


def _key(tenant: str, recipe_id: str) -> Row:
    return {"tenantId": tenant, "recipeId": recipe_id}
