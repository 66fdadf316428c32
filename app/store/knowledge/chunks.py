"""Chunks as rows, with their vectors as bytes."""

import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bson.binary import Binary
from pymongo import UpdateOne
from pymongo.errors import BulkWriteError, OperationFailure

from app.domain.knowledge import Chunk
from app.store.mongo.rows import Collection, Database, Row, from_row, only_duplicates, to_row

AT_ONCE = 1_000  # ids per query
WRITTEN = 500  # rows per write: about 1.5 MB
BATCH = 500  # chunks per batch of an index scan
DOCUMENTS = 100  # per query
NEW_EACH_TIME = ("vector", "model")
SUBTYPE = 9  # BinData subtype for vectors
HEAD = b"\x27\x00"  # header for float32 without padding; little-endian numbers follow
EACH = 20  # candidates examined per result; the documentation's advice
MOST_CANDIDATES = 10_000  # the server's limit
AGAIN_S = 60.0  # interval for checking whether a new index is ready


@dataclass(frozen=True, slots=True)
class NearChunk:
    """A chunk near a query vector, with its cosine."""

    chunk_id: str
    document_id: str
    cosine: float


class Chunks:
    """The collection `knowledge_chunks`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_chunks"]

    async def known(self, tenant: str, chunk_ids: Sequence[str]) -> dict[str, str]:
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
                await self._rows.bulk_write([_to_upsert(chunk) for chunk in there], ordered=False)

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
        """Chunks of models before it, then after it: no index supports "not equal"."""
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
    return row | {"vector": encode_vector(chunk.vector)}


def _chunk(row: Row) -> Chunk:
    vector = row.get("vector")
    return from_row(Chunk, row if vector is None else row | {"vector": decode_vector(vector)})


def _to_upsert(chunk: Chunk) -> UpdateOne:
    row = _row(chunk)
    anew = {name: row.pop(name) for name in NEW_EACH_TIME}
    key = {"tenantId": row.pop("tenantId"), "chunkId": row.pop("chunkId")}
    return UpdateOne(key, {"$set": anew, "$setOnInsert": row}, upsert=True)


def _portions(ids: Sequence[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(ids), size):
        yield list(ids[start : start + size])


def encode_vector(vector: bytes) -> Binary | bytes:
    """Encode a vector for storage so that a capable server can search it; b"" stays as is."""
    return Binary(HEAD + vector, SUBTYPE) if vector else vector


def decode_vector(stored: bytes) -> bytes:
    is_vector = isinstance(stored, Binary) and stored.subtype == SUBTYPE
    return bytes(stored[len(HEAD) :]) if is_vector else bytes(stored)


class VectorSearch:
    """Vector search by the server itself: MongoDB Atlas, and servers with its `mongot`.

    Detects the server's capability once and creates the index. Other servers answer `$listSearchIndexes`
    with an error within half a millisecond. Syntax as in mongodb.com/docs/atlas/atlas-vector-search,
    November 2026.
    """

    def __init__(self, rows: Collection) -> None:
        self._rows = rows
        self._ready: dict[int, bool] = {}
        self._asked: dict[int, float] = {}
        self._absent = False

    async def ready(self, dimensions: int) -> bool:
        """Whether the server can search vectors of this length now."""
        if self._absent or self._ready.get(dimensions):
            return not self._absent
        if time.monotonic() - self._asked.get(dimensions, float("-inf")) < AGAIN_S:
            return False
        self._asked[dimensions] = time.monotonic()
        try:
            self._ready[dimensions] = await self._find_index(dimensions)
        except OperationFailure:
            self._absent = True
        return self._ready.get(dimensions, False)

    async def _find_index(self, dimensions: int) -> bool:
        name = _name(dimensions)
        found = [
            one async for one in self._rows.aggregate([{"$listSearchIndexes": {"name": name}}])
        ]
        if not found:
            await self._rows.database.command(
                {"createSearchIndexes": self._rows.name, "indexes": [index_definition(dimensions)]}
            )
        return any(one.get("queryable") for one in found)

    async def nearest(self, tenant: str, model: str, vector: bytes, limit: int) -> list[NearChunk]:
        """The tenant's chunks with the nearest vectors of that model, nearest first."""
        pipeline = nearest_pipeline(tenant, model, vector, limit)
        return [
            # The server's score is (1 + cosine) / 2.
            NearChunk(row["chunkId"], row["documentId"], 2 * float(row["score"]) - 1)
            async for row in self._rows.aggregate(pipeline)
        ]


def index_definition(dimensions: int) -> dict[str, Any]:
    """The index definition for vectors of this length; other vectors are not indexed."""
    vector = {
        "type": "vector",
        "path": "vector",
        "numDimensions": dimensions,
        "similarity": "cosine",
    }
    filters = [{"type": "filter", "path": path} for path in ("tenantId", "model")]
    return {
        "name": _name(dimensions),
        "type": "vectorSearch",
        "definition": {"fields": [vector, *filters]},
    }


def nearest_pipeline(tenant: str, model: str, vector: bytes, limit: int) -> list[dict[str, Any]]:
    search = {
        "index": _name(len(vector) // 4),
        "path": "vector",
        "queryVector": encode_vector(vector),
        "numCandidates": min(EACH * limit, MOST_CANDIDATES),
        "limit": limit,
        "filter": {"$and": [{"tenantId": tenant}, {"model": model}]},
    }
    shown = {"_id": 0, "chunkId": 1, "documentId": 1, "score": {"$meta": "vectorSearchScore"}}
    return [{"$vectorSearch": search}, {"$project": shown}]


def _name(dimensions: int) -> str:
    return f"vectors_{dimensions}"
