"""Repository of skills."""

from collections.abc import Sequence
from datetime import datetime
from zlib import crc32

from pymongo import UpdateOne

from app.domain.memory import OperatorJudgement, Skill, SkillUse
from app.errors import NotFound
from app.store.memory.judgements import counted
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, newest_of, to_row

MOST = 10_000  # per tenant; interact_flow.md, "Max skills per tenant"
TRIMMED = 200  # rows that one call may delete, to bound the cost of learning
SAME_MOMENT = 50  # rows that may share the millisecond at a page boundary
LAST_USED = [("lastUsed", -1)]
EVERY = 16  # new skills between checks of the limit, since a check scans the tenant's index (0.3 s)
COUNTS = ("successCount", "failureCount")


class Skills:
    """What was learned on a tenant's sites. Rows expire 90 days after their last use."""

    def __init__(self, database: Database, most: int = MOST, every: int = EVERY) -> None:
        self._rows: Collection = database["skills"]
        self._most, self._every = most, every

    async def learn(self, skills: Sequence[Skill]) -> None:
        """Insert each; an existing one (by `skill_id`) counts another success.

        Beyond 10,000 per tenant, the least recently used are deleted.
        """
        made = [skill for skill in skills if await self._learn(skill)]
        looks = [one.tenant for one in made if crc32(one.skill_id.encode()) % self._every == 0]
        for tenant in dict.fromkeys(looks):
            await self._trim(tenant)

    @translate_errors
    async def _learn(self, skill: Skill) -> bool:
        """Whether it is new."""
        row = to_row(skill)
        used, counted = row.pop("lastUsed"), {n: row.pop(n) for n in COUNTS}
        key = {name: row.pop(name) for name in ("tenantId", "skillId")}
        change = {"$setOnInsert": row, "$inc": counted, "$max": {"lastUsed": used}}
        done = await self._rows.update_one(key, change, upsert=True)
        return done.upserted_id is not None

    @translate_errors
    async def _trim(self, tenant: str) -> None:
        """Delete the least recently used skills beyond the limit."""
        mine, ids = {"tenantId": tenant}, {"_id": 0, "skillId": 1}
        over = self._rows.find(mine, ids, sort=LAST_USED, skip=self._most, limit=TRIMMED)
        gone = [row["skillId"] async for row in over]
        if gone:
            await self._rows.delete_many({**mine, "skillId": {"$in": gone}})

    @translate_errors
    async def count(
        self, tenant: str, domain: str, uses: Sequence[SkillUse], *, now: datetime
    ) -> None:
        """Record the results of uses; skills that are gone or of another site are ignored."""
        writes = [
            UpdateOne(
                {"tenantId": tenant, "skillId": use.skill_id, "domain": domain},
                {
                    "$inc": {"successCount" if use.worked else "failureCount": 1},
                    "$max": {"lastUsed": now},
                },
            )
            for use in uses
        ]
        if writes:
            await self._rows.bulk_write(writes, ordered=False)

    @translate_errors
    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[Skill]:
        """The site's skills, most recently used first."""
        where = {"tenantId": tenant, "domain": domain}
        found = self._rows.find(where, sort=LAST_USED, limit=limit)
        return [from_row(Skill, row) async for row in found]

    @translate_errors
    async def page(
        self,
        tenant: str,
        domain: str | None,
        *,
        limit: int,
        after: tuple[datetime, str] | None = None,
    ) -> list[Skill]:
        """Most recently used first, then by id; `after` is (time, id) of the last one seen."""
        where: Row = {"tenantId": tenant}
        if domain is not None:
            where["domain"] = domain
        if after is not None:
            where["lastUsed"] = {"$lte": after[0]}
        found = self._rows.find(where, sort=LAST_USED, limit=limit + SAME_MOMENT)
        rows = [row async for row in found]
        page = newest_of(rows, "lastUsed", "skillId", after=after, limit=limit)
        return [from_row(Skill, row) for row in page]

    @translate_errors
    async def number(self, tenant: str) -> int:
        return int(await self._rows.count_documents({"tenantId": tenant}))

    @translate_errors
    async def judge(
        self, tenant: str, skill_id: str, judged: OperatorJudgement, *, weight: int
    ) -> bool:
        """Count an operator's decision as `weight` successful or failed uses, once per record, and keep the
        newest decision. Returns False if the skill is gone.
        """
        name = "successCount" if judged.decision == "approved" else "failureCount"
        more: Row = {name: {"$add": [f"${name}", weight]}}
        key = {"tenantId": tenant, "skillId": skill_id}
        return await counted(self._rows, key, judged.record_id, more, judged)

    @translate_errors
    async def remove(self, tenant: str, skill_id: str) -> None:
        """Delete one, or raise `NotFound`."""
        gone = await self._rows.delete_one({"tenantId": tenant, "skillId": skill_id})
        if not gone.deleted_count:
            raise NotFound(f"There is no skill {skill_id!r}")
