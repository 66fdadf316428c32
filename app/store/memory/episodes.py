"""Repository of what tasks that ended leave."""

from array import array
from sys import byteorder
from zlib import crc32

from app.domain.memory import Episode, OperatorJudgement
from app.store.memory.judgements import newest
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, to_row

MOST = 2_000  # of a tenant; some 2 KB each
TRIMMED = 50  # rows that one call may take away
EVERY = 16  # tasks between two looks at the limit, since that walks the tenant's index
NEWEST = [("createdAt", -1)]


class Episodes:
    """What tasks that ended leave, one row a task, for 90 days."""

    def __init__(self, database: Database, most: int = MOST, every: int = EVERY) -> None:
        self._rows: Collection = database["episodes"]
        self._most, self._every = most, every

    @translate_errors
    async def save(self, episode: Episode) -> None:
        """Insert or replace by (tenant, episode_id). Over 2,000 of a tenant the oldest go."""
        row = to_row(episode)
        row["vector"] = _packed(episode.vector)
        key = {name: row.pop(name) for name in ("tenantId", "episodeId")}
        row.pop("judged", None)  # that is an operator's to say
        done = await self._rows.update_one(key, {"$set": row}, upsert=True)
        if done.upserted_id is not None and crc32(episode.episode_id.encode()) % self._every == 0:
            await self._trim(episode.tenant)

    async def _trim(self, tenant: str) -> None:
        mine, ids = {"tenantId": tenant}, {"_id": 0, "episodeId": 1}
        over = self._rows.find(mine, ids, sort=NEWEST, skip=self._most, limit=TRIMMED)
        gone = [row["episodeId"] async for row in over]
        if gone:
            await self._rows.delete_many({**mine, "episodeId": {"$in": gone}})

    @translate_errors
    async def judge(self, tenant: str, episode_id: str, judged: OperatorJudgement) -> bool:
        """Keep what an operator decided of the task, unless a newer decision is kept. False for one that
        is gone. Saving the episode again leaves it.
        """
        key = {"tenantId": tenant, "episodeId": episode_id}
        done = await self._rows.update_one(key, [{"$set": {"judged": newest(judged)}}])
        return bool(done.matched_count)

    @translate_errors
    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[Episode]:
        """The site's, the newest first."""
        where = {"tenantId": tenant, "domain": domain}
        found = self._rows.find(where, sort=NEWEST, limit=limit)
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
