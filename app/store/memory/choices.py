"""Repository of what people chose where several things fitted."""

from app.domain.memory import SiteChoice
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import from_row, to_row

NEWEST = [("lastUsed", -1)]


class MongoChoices:
    """`Choices` in the collection `choices`, one row for each phrase of a site."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["choices"]

    @translated
    async def chose(self, choice: SiteChoice) -> None:
        """Keep it; see the port. `choice_id` follows from tenant, domain and phrase."""
        row = to_row(choice)
        count = row.pop("count")
        where = {"tenantId": choice.tenant, "choiceId": choice.choice_id}
        await self._rows.update_one(where, {"$set": row, "$inc": {"count": count}}, upsert=True)

    @translated
    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[SiteChoice]:
        """Oldest first, the newest `limit`."""
        where = {"tenantId": tenant, "domain": domain}
        found = self._rows.find(where, sort=NEWEST, limit=limit)
        return [from_row(SiteChoice, row) async for row in found][::-1]
