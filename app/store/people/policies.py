"""Repository of policies."""

from app.domain.access import Policy
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import Row, from_row, to_row


class MongoPolicies:
    """`Policies` in the collection `policies`, one row a tenant."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["policies"]

    @translated
    async def get(self, tenant: str) -> Policy:
        """The tenant's; the default one where none was set."""
        row: Row | None = await self._rows.find_one({"tenantId": tenant})
        return from_row(Policy, row) if row is not None else Policy(tenant=tenant)

    @translated
    async def put(self, policy: Policy) -> None:
        """Insert or replace."""
        await self._rows.replace_one({"tenantId": policy.tenant}, to_row(policy), upsert=True)
