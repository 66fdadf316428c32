"""Repositories of skills and of episodes, and how operators' decisions change them."""

from array import array
from collections.abc import Sequence
from datetime import datetime
from sys import byteorder
from typing import Any
from zlib import crc32

from pymongo import UpdateOne

from app.domain.memory import Episode, OperatorJudgement, Skill, SkillUse
from app.errors import NotFound
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, newest_of, storable, to_row

MOST = 10_000  # per tenant; interact_flow.md, "Max skills per tenant"
TRIMMED = 200  # rows that one call may delete, to bound the cost of learning
SAME_MOMENT = 50  # rows that may share the millisecond at a page boundary
LAST_USED = [("lastUsed", -1)]
EVERY = 16  # new skills between checks of the limit, since a check scans the tenant's index (0.3 s)
COUNTS = ("successCount", "failureCount")
KEPT = 100  # record ids that a row remembers
BY = "judgedBy"
MOST_EPISODES = 2_000  # per tenant; about 2 KB each
TRIMMED_EPISODES = 50  # rows that one call may delete
EPISODES_PER_TRIM = 16  # tasks between checks of the limit, since a check scans the tenant's index
NEWEST_EPISODES = [("createdAt", -1)]


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
    before: Row = {"$ifNull": [f"${BY}", []]}
    is_new: Row = {"$not": [{"$in": [record_id, before]}]}
    grown: Row = {"$slice": [{"$concatArrays": [before, [record_id]]}, -KEPT]}
    fields = {name: _where(is_new, change, name) for name, change in changes.items()}
    fields[BY] = _where(is_new, grown, BY)
    if judged is not None:
        fields["judged"] = newest(judged)
    done = await rows.update_one(key, [{"$set": fields}])
    return bool(done.matched_count)


def newest(judged: OperatorJudgement) -> Row:
    """The expression for the newer of this decision and the stored one."""
    row = storable(
        {
            "recordId": judged.record_id,
            "decision": judged.decision,
            "notes": judged.notes,
            "atMs": judged.at_ms,
        }
    )
    is_newer: Row = {"$gt": [{"$ifNull": ["$judged.atMs", -1]}, judged.at_ms]}
    return {"$cond": [is_newer, "$judged", {"$literal": row}]}


def _where(condition: Row, change: object, name: str) -> Row:
    return {"$cond": [condition, change, f"${name}"]}


class Episodes:
    """Episodes, one row per task, kept for 90 days."""

    def __init__(
        self, database: Database, most: int = MOST_EPISODES, every: int = EPISODES_PER_TRIM
    ) -> None:
        self._rows: Collection = database["episodes"]
        self._most, self._every = most, every

    @translate_errors
    async def save(self, episode: Episode) -> None:
        """Insert or replace by (tenant, episode_id). Beyond 2,000 per tenant, the oldest are deleted."""
        row = to_row(episode)
        row["vector"] = _packed(episode.vector)
        key = {name: row.pop(name) for name in ("tenantId", "episodeId")}
        row.pop("judged", None)  # only an operator's decision sets this
        done = await self._rows.update_one(key, {"$set": row}, upsert=True)
        if done.upserted_id is not None and crc32(episode.episode_id.encode()) % self._every == 0:
            await self._trim(episode.tenant)

    async def _trim(self, tenant: str) -> None:
        mine, ids = {"tenantId": tenant}, {"_id": 0, "episodeId": 1}
        over = self._rows.find(
            mine, ids, sort=NEWEST_EPISODES, skip=self._most, limit=TRIMMED_EPISODES
        )
        gone = [row["episodeId"] async for row in over]
        if gone:
            await self._rows.delete_many({**mine, "episodeId": {"$in": gone}})

    @translate_errors
    async def judge(self, tenant: str, episode_id: str, judged: OperatorJudgement) -> bool:
        """Store an operator's decision on the task, unless a newer one is stored.

        Saving the episode again preserves it. Returns False if the episode is gone.
        """
        key = {"tenantId": tenant, "episodeId": episode_id}
        done = await self._rows.update_one(key, [{"$set": {"judged": newest(judged)}}])
        return bool(done.matched_count)

    @translate_errors
    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[Episode]:
        """The site's episodes, newest first."""
        where = {"tenantId": tenant, "domain": domain}
        found = self._rows.find(where, sort=NEWEST_EPISODES, limit=limit)
        return [_revived(row) async for row in found]


def _packed(vector: tuple[float, ...]) -> bytes:
    floats = array("f", vector)
    if byteorder == "big":
        floats.byteswap()
    return floats.tobytes()


def _revived(row: Row) -> Episode:
    floats = array("f")
    floats.frombytes(row.get("vector", b""))
    if byteorder == "big":
        floats.byteswap()
    return from_row(Episode, row | {"vector": floats.tolist()})
