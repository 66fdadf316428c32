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

IDS_PER_QUERY = 1_000  # ids per query
ROWS_PER_WRITE = 500  # rows per write: about 1.5 MB
BATCH = 500  # chunks per batch of an index scan
DOCUMENTS_PER_QUERY = 100  # per query
REPLACED_FIELDS = ("vector", "model")
SUBTYPE = 9  # BinData subtype for vectors
HEAD = b"\x27\x00"  # header for float32 without padding; little-endian numbers follow
CANDIDATES_PER_RESULT = 20  # candidates examined per result; the documentation's advice
MOST_CANDIDATES = 10_000  # the server's limit
RECHECK_S = 60.0  # interval for checking whether a new index is ready


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
        models: dict[str, str] = {}
        for batch in _portions(chunk_ids, IDS_PER_QUERY):
            query = {"tenantId": tenant, "chunkId": {"$in": batch}}
            async for row in self._rows.find(query, {"chunkId": 1, "model": 1}):
                models[row["chunkId"]] = row["model"]
        return models

    async def put(self, chunks: Sequence[Chunk]) -> None:
        """Upsert one by one; an existing row gets the new vector.

        The embedded server syncs its log for each update, but only once for an insertion of many: prefer
        `insert` for new chunks.
        """
        for start in range(0, len(chunks), ROWS_PER_WRITE):
            batch = chunks[start : start + ROWS_PER_WRITE]
            try:
                await self.insert(batch)
            except BulkWriteError as error:
                if not only_duplicates(error.details):
                    raise
                existing = [batch[one["index"]] for one in error.details["writeErrors"]]
                await self._rows.bulk_write(
                    [_to_upsert(chunk) for chunk in existing], ordered=False
                )

    async def insert(self, chunks: Sequence[Chunk]) -> None:
        """Insert those not stored yet. Raises `BulkWriteError` if some exist."""
        if chunks:
            await self._rows.insert_many([_row(chunk) for chunk in chunks], ordered=False)

    async def get(
        self, tenant: str, chunk_ids: Sequence[str], *, with_vectors: bool = False
    ) -> dict[str, Chunk]:
        """Chunks by id, without vectors unless requested."""
        projection = None if with_vectors else {"vector": 0}
        chunks: dict[str, Chunk] = {}
        for batch in _portions(chunk_ids, IDS_PER_QUERY):
            query = {"tenantId": tenant, "chunkId": {"$in": batch}}
            async for row in self._rows.find(query, projection):
                chunks[row["chunkId"]] = _chunk(row)
        return chunks

    async def of(self, tenant: str, document_ids: Sequence[str]) -> AsyncIterator[Sequence[Chunk]]:
        """All chunks of these documents, with vectors."""
        for batch in _portions(document_ids, DOCUMENTS_PER_QUERY):
            rows: list[Row] = []
            query = {"tenantId": tenant, "documentId": {"$in": batch}}
            # The server's default replies are 16 MB, and are held in memory as a whole while being
            # read.
            async for row in self._rows.find(query, batch_size=BATCH):
                rows.append(row)
                if len(rows) == BATCH:
                    yield [_chunk(row) for row in rows]
                    rows = []
            if rows:
                yield [_chunk(row) for row in rows]

    async def of_other_models(self, tenant: str, model: str, limit: int) -> list[Chunk]:
        """Chunks of models before it, then after it: no index supports "not equal"."""
        chunks: list[Chunk] = []
        for other in ({"$lt": model}, {"$gt": model}):
            if limit > len(chunks):
                query = {"tenantId": tenant, "model": other}
                rows = self._rows.find(query, {"vector": 0}, limit=limit - len(chunks))
                chunks += [from_row(Chunk, row) async for row in rows]
        return chunks

    async def others(self, tenant: str, document_id: str, listed: set[str]) -> int:
        """Delete the document's chunks that are not listed; returns how many."""
        query = {"tenantId": tenant, "documentId": document_id}
        rows = self._rows.find(query, {"chunkId": 1, "_id": 0})
        orphans = [row["chunkId"] async for row in rows if row["chunkId"] not in listed]
        deleted = 0
        for batch in _portions(orphans, IDS_PER_QUERY):
            orphan_query = {"tenantId": tenant, "chunkId": {"$in": batch}}
            deleted += (await self._rows.delete_many(orphan_query)).deleted_count
        return deleted

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
    replaced = {name: row.pop(name) for name in REPLACED_FIELDS}
    key = {"tenantId": row.pop("tenantId"), "chunkId": row.pop("chunkId")}
    return UpdateOne(key, {"$set": replaced, "$setOnInsert": row}, upsert=True)


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
        self._checked_at: dict[int, float] = {}
        self._unsupported = False

    async def ready(self, dimensions: int) -> bool:
        """Whether the server can search vectors of this length now."""
        if self._unsupported or self._ready.get(dimensions):
            return not self._unsupported
        if time.monotonic() - self._checked_at.get(dimensions, float("-inf")) < RECHECK_S:
            return False
        self._checked_at[dimensions] = time.monotonic()
        try:
            self._ready[dimensions] = await self._find_index(dimensions)
        except OperationFailure:
            self._unsupported = True
        return self._ready.get(dimensions, False)

    async def _find_index(self, dimensions: int) -> bool:
        name = _name(dimensions)
        indexes = [
            one async for one in self._rows.aggregate([{"$listSearchIndexes": {"name": name}}])
        ]
        if not indexes:
            await self._rows.database.command(
                {"createSearchIndexes": self._rows.name, "indexes": [index_definition(dimensions)]}
            )
        return any(one.get("queryable") for one in indexes)

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
        "numCandidates": min(CANDIDATES_PER_RESULT * limit, MOST_CANDIDATES),
        "limit": limit,
        "filter": {"$and": [{"tenantId": tenant}, {"model": model}]},
    }
    projection = {"_id": 0, "chunkId": 1, "documentId": 1, "score": {"$meta": "vectorSearchScore"}}
    return [{"$vectorSearch": search}, {"$project": projection}]


def _name(dimensions: int) -> str:
    return f"vectors_{dimensions}"
