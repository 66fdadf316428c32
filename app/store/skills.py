"""Repositories of skills and of episodes, and how operators' decisions change them."""

from array import array
from collections.abc import Sequence
from datetime import datetime
from sys import byteorder
from typing import Any
from zlib import crc32

from pymongo import UpdateOne

from app.domain.memory import Episode, OperatorJudgement, Skill, SkillUse
from app.store.mongo.rows import (
    Collection,
    Database,
    Row,
    ValueRepository,
    from_row,
    given_fields,
    replace_if,
    storable,
    to_nested,
    to_row,
    translate_errors,
)

MOST_SKILLS = 10_000  # per tenant; interact_flow.md, "Max skills per tenant"
MAX_TRIMMED = 200  # rows that one call may delete, to bound its cost
LAST_USED = [("lastUsed", -1)]
EVERY = 16  # new rows between checks of the limit, since a check scans the tenant's index (0.3 s)
COUNTS = ("successCount", "failureCount")
MAX_RECORD_IDS = 100  # record ids that a row remembers
BY = "judgedBy"
MOST_EPISODES = 2_000  # per tenant; about 2 KB each
NEWEST_EPISODES = [("createdAt", -1)]


class Skills(ValueRepository[Skill]):
    """What was learned on a tenant's sites. Rows expire 90 days after their last use."""

    collection, kind, key, noun = "skills", Skill, "skillId", "skill"

    def __init__(self, database: Database, most: int = MOST_SKILLS, every: int = EVERY) -> None:
        super().__init__(database)
        self._most, self._every = most, every

    async def learn(self, skills: Sequence[Skill]) -> None:
        """Insert each; an existing one (by `skill_id`) counts another success.

        Beyond 10,000 per tenant, the least recently used are deleted.
        """
        new_skills = [skill for skill in skills if await self._learn(skill)]
        checked = [
            one.tenant for one in new_skills if crc32(one.skill_id.encode()) % self._every == 0
        ]
        for tenant in dict.fromkeys(checked):
            await _trim(self._rows, tenant, "skillId", LAST_USED, self._most)

    @translate_errors
    async def _learn(self, skill: Skill) -> bool:
        """Whether it is new."""
        row = to_row(skill)
        last_used, counted = row.pop("lastUsed"), {n: row.pop(n) for n in COUNTS}
        key = {name: row.pop(name) for name in ("tenantId", self.key)}
        change = {"$setOnInsert": row, "$inc": counted, "$max": {"lastUsed": last_used}}
        result = await self._rows.update_one(key, change, upsert=True)
        return result.upserted_id is not None

    async def count(
        self, tenant: str, domain: str, uses: Sequence[SkillUse], *, now: datetime
    ) -> None:
        """Record the results of uses; skills that are gone or of another site are ignored."""
        writes = [
            UpdateOne(
                self._key(tenant, use.skill_id) | {"domain": domain},
                {
                    "$inc": {"successCount" if use.worked else "failureCount": 1},
                    "$max": {"lastUsed": now},
                },
            )
            for use in uses
        ]
        await self._write(writes)

    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[Skill]:
        """The site's skills, most recently used first."""
        return await self._all({"tenantId": tenant, "domain": domain}, sort=LAST_USED, limit=limit)

    async def page(
        self,
        tenant: str,
        domain: str | None,
        *,
        limit: int,
        after: tuple[datetime, str] | None = None,
    ) -> list[Skill]:
        """Most recently used first, then by id; `after` is (time, id) of the last one seen."""
        query = {"tenantId": tenant} | given_fields(domain=domain)
        return await self._page(query, "lastUsed", "skillId", limit=limit, after=after)

    async def count_all(self, tenant: str) -> int:
        return int(await self._rows.count_documents({"tenantId": tenant}))

    async def judge(
        self, tenant: str, skill_id: str, judged: OperatorJudgement, *, weight: int
    ) -> bool:
        """Count an operator's decision as `weight` successful or failed uses, once per record, and keep the
        newest decision. Returns False if the skill is gone.
        """
        name = "successCount" if judged.decision == "approved" else "failureCount"
        changes: Row = {name: {"$add": [f"${name}", weight]}}
        key = self._key(tenant, skill_id)
        return await counted(self._rows, key, judged.record_id, changes, judged)

    async def delete(self, tenant: str, skill_id: str) -> None:
        await self._delete_one(tenant, skill_id)


@translate_errors
async def _trim(
    rows: Collection, tenant: str, name: str, sort: list[tuple[str, int]], most: int
) -> None:
    """Delete rows beyond the limit, by the id in `name`."""
    surplus = rows.find(
        {"tenantId": tenant}, {"_id": 0, name: 1}, sort=sort, skip=most, limit=MAX_TRIMMED
    )
    ids = [row[name] async for row in surplus]
    if ids:
        await rows.delete_many({"tenantId": tenant, name: {"$in": ids}})


async def counted(
    rows: Collection,
    key: dict[str, Any],
    record_id: str,
    changes: Row,
    judged: OperatorJudgement | None = None,
) -> bool:
    """Set the fields to these expressions unless this record was already applied, and keep `judged` if it
    is the newest. Returns False if the row does not exist.

    The row contains the ids of the records already applied, so that repeating a decision changes nothing.
    """
    applied: Row = {"$ifNull": [f"${BY}", []]}
    is_new: Row = {"$not": [{"$in": [record_id, applied]}]}
    extended: Row = {"$slice": [{"$concatArrays": [applied, [record_id]]}, -MAX_RECORD_IDS]}
    fields = replace_if(is_new, changes | {BY: extended})
    if judged is not None:
        fields["judged"] = newest(judged)
    result = await rows.update_one(key, [{"$set": fields}])
    return bool(result.matched_count)


def newest(judged: OperatorJudgement) -> Row:
    """The expression for the newer of this decision and the stored one."""
    is_newer: Row = {"$gt": [{"$ifNull": ["$judged.atMs", -1]}, judged.at_ms]}
    return {"$cond": [is_newer, "$judged", {"$literal": storable(to_nested(judged))}]}


class Episodes(ValueRepository[Episode]):
    """Episodes, one row per task, kept for 90 days."""

    collection, kind, key = "episodes", Episode, "episodeId"

    def __init__(self, database: Database, most: int = MOST_EPISODES, every: int = EVERY) -> None:
        super().__init__(database)
        self._most, self._every = most, every

    async def save(self, episode: Episode) -> None:
        """Insert or replace by (tenant, episode_id). Beyond 2,000 per tenant, the oldest are deleted."""
        row = to_row(episode)
        row["vector"] = _pack_vector(episode.vector)
        key = {name: row.pop(name) for name in ("tenantId", self.key)}
        row.pop("judged", None)  # only an operator's decision sets this
        result = await self._rows.update_one(key, {"$set": row}, upsert=True)
        if result.upserted_id is not None and crc32(episode.episode_id.encode()) % self._every == 0:
            await _trim(self._rows, episode.tenant, "episodeId", NEWEST_EPISODES, self._most)

    async def judge(self, tenant: str, episode_id: str, judged: OperatorJudgement) -> bool:
        """Store an operator's decision on the task, unless a newer one is stored.

        Saving the episode again preserves it. Returns False if the episode is gone.
        """
        change = [{"$set": {"judged": newest(judged)}}]
        result = await self._rows.update_one(self._key(tenant, episode_id), change)
        return bool(result.matched_count)

    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[Episode]:
        """The site's episodes, newest first."""
        where = {"tenantId": tenant, "domain": domain}
        return await self._all(where, sort=NEWEST_EPISODES, limit=limit)

    def _value(self, row: Row) -> Episode:
        floats = array("f")
        floats.frombytes(row.get("vector", b""))
        if byteorder == "big":
            floats.byteswap()
        return from_row(Episode, row | {"vector": floats.tolist()})


def _pack_vector(vector: tuple[float, ...]) -> bytes:
    floats = array("f", vector)
    if byteorder == "big":
        floats.byteswap()
    return floats.tobytes()
