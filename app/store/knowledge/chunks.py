"""Chunks as rows, with their vectors as bytes."""

from collections.abc import AsyncIterator, Iterator, Sequence

from pymongo import UpdateOne
from pymongo.errors import BulkWriteError

from app.domain.knowledge import Chunk
from app.store.knowledge.vectors import read, stored
from app.store.mongo.failures import only_duplicates
from app.store.mongo.rows import Collection, Database, Row, from_row, to_row

AT_ONCE = 1_000  # ids per query
WRITTEN = 500  # rows per write: about 1.5 MB
BATCH = 500  # chunks per batch of an index scan
DOCUMENTS = 100  # per query
NEW_EACH_TIME = ("vector", "model")


class Chunks:
    """The collection `knowledge_chunks`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_chunks"]

    async def known(self, tenant: str, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Those that are stored, with the model of their vector."""
        found: dict[str, str] = {}
        for some in _portions(chunk_ids, AT_ONCE):
            wanted = {"tenantId": tenant, "chunkId": {"$in": some}}
            async for row in self._rows.find(wanted, {"chunkId": 1, "model": 1}):
                found[row["chunkId"]] = row["model"]
        return found

    async def put(self, chunks: Sequence[Chunk]) -> None:
        """Upsert one by one; an existing row gets the new vector.

        The embedded server syncs its log for each update, but only once for an insertion of many: prefer
        `insert` for new chunks.
        """
        for start in range(0, len(chunks), WRITTEN):
            some = chunks[start : start + WRITTEN]
            try:
                await self.insert(some)
            except BulkWriteError as error:
                if not only_duplicates(error.details):
                    raise
                there = [some[one["index"]] for one in error.details["writeErrors"]]
                await self._rows.bulk_write([_written(chunk) for chunk in there], ordered=False)

    async def insert(self, chunks: Sequence[Chunk]) -> None:
        """Insert those not stored yet. Raises `BulkWriteError` if some exist."""
        if chunks:
            await self._rows.insert_many([_row(chunk) for chunk in chunks], ordered=False)

    async def get(
        self, tenant: str, chunk_ids: Sequence[str], *, with_vectors: bool = False
    ) -> dict[str, Chunk]:
        """Chunks by id, without vectors unless requested."""
        shown = None if with_vectors else {"vector": 0}
        found: dict[str, Chunk] = {}
        for some in _portions(chunk_ids, AT_ONCE):
            wanted = {"tenantId": tenant, "chunkId": {"$in": some}}
            async for row in self._rows.find(wanted, shown):
                found[row["chunkId"]] = _chunk(row)
        return found

    async def of(self, tenant: str, document_ids: Sequence[str]) -> AsyncIterator[Sequence[Chunk]]:
        """All chunks of these documents, with vectors."""
        for some in _portions(document_ids, DOCUMENTS):
            rows: list[Row] = []
            wanted = {"tenantId": tenant, "documentId": {"$in": some}}
            # The server's default replies are 16 MB, and are held in memory as a whole while being
            # read.
            async for row in self._rows.find(wanted, batch_size=BATCH):
                rows.append(row)
                if len(rows) == BATCH:
                    yield [_chunk(row) for row in rows]
                    rows = []
            if rows:
                yield [_chunk(row) for row in rows]

    async def of_other_models(self, tenant: str, model: str, limit: int) -> list[Chunk]:
        """Chunks of models before it in alphabetical order, then after it: an index does not support "not
        equal".
        """
        found: list[Chunk] = []
        for other in ({"$lt": model}, {"$gt": model}):
            if limit > len(found):
                wanted = {"tenantId": tenant, "model": other}
                rows = self._rows.find(wanted, {"vector": 0}, limit=limit - len(found))
                found += [from_row(Chunk, row) async for row in rows]
        return found

    async def others(self, tenant: str, document_id: str, listed: set[str]) -> int:
        """Delete the document's chunks that are not listed; returns how many."""
        wanted = {"tenantId": tenant, "documentId": document_id}
        rows = self._rows.find(wanted, {"chunkId": 1, "_id": 0})
        orphans = [row["chunkId"] async for row in rows if row["chunkId"] not in listed]
        gone = 0
        for some in _portions(orphans, AT_ONCE):
            these = {"tenantId": tenant, "chunkId": {"$in": some}}
            gone += (await self._rows.delete_many(these)).deleted_count
        return gone

    async def delete(self, tenant: str, document_id: str) -> None:
        await self._rows.delete_many({"tenantId": tenant, "documentId": document_id})


def _row(chunk: Chunk) -> Row:
    row = to_row(chunk)
    return row | {"vector": stored(chunk.vector)}


def _chunk(row: Row) -> Chunk:
    kept = row.get("vector")
    return from_row(Chunk, row if kept is None else row | {"vector": read(kept)})


def _written(chunk: Chunk) -> UpdateOne:
    row = _row(chunk)
    anew = {name: row.pop(name) for name in NEW_EACH_TIME}
    key = {"tenantId": row.pop("tenantId"), "chunkId": row.pop("chunkId")}
    return UpdateOne(key, {"$set": anew, "$setOnInsert": row}, upsert=True)


def _portions(ids: Sequence[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(ids), size):
        yield list(ids[start : start + size])
