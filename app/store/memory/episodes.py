"""Repository of episodes, the memories of finished tasks."""

from array import array
from sys import byteorder
from zlib import crc32

from app.domain.memory import Episode, OperatorJudgement
from app.store.memory.judgements import newest
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, Row, from_row, to_row

MOST = 2_000  # per tenant; about 2 KB each
TRIMMED = 50  # rows that one call may delete
EVERY = 16  # tasks between checks of the limit, since a check scans the tenant's index
NEWEST = [("createdAt", -1)]


class Episodes:
    """Episodes, one row per task, kept for 90 days."""

    def __init__(self, database: Database, most: int = MOST, every: int = EVERY) -> None:
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
        over = self._rows.find(mine, ids, sort=NEWEST, skip=self._most, limit=TRIMMED)
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
