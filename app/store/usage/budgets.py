"""Repository of budgets."""

from typing import Any

from app.domain.metrics.budget import Budgets, Limit
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import Row, from_row, storable, to_row


class MongoBudgets:
    """`BudgetRows` in the collection `budgets`, one row a tenant. Users' names are values there, and no
    field's name: a name may hold any sign.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["budgets"]

    @translated
    async def get(self, tenant: str) -> Budgets:
        """The tenant's; one without any limit where none was set."""
        row: Row | None = await self._rows.find_one({"tenantId": tenant})
        if row is None:
            return Budgets(tenant=tenant)
        users = {one["userId"]: from_row(Limit, one) for one in row.get("users", ())}
        return from_row(Budgets, row | {"users": {}}).model_copy(update={"users": users})

    @translated
    async def put(self, budgets: Budgets) -> None:
        """Insert or replace."""
        await self._rows.replace_one({"tenantId": budgets.tenant}, _row(budgets), upsert=True)


def _row(budgets: Budgets) -> Row:
    users: list[dict[str, Any]] = [
        {"userId": user, **_limit(limit)} for user, limit in budgets.users.items()
    ]
    return storable(to_row(budgets.model_copy(update={"users": {}})) | {"users": users})


def _limit(limit: Limit) -> Row:
    return {name: value for name, value in to_row(limit).items() if name != "schema"}
