"""Vector search by the server itself: MongoDB Atlas, and servers with its `mongot`.

Other servers answer `$listSearchIndexes` with an error within half a millisecond (the embedded server:
error 115). Syntax as in mongodb.com/docs/atlas/atlas-vector-search, November 2026.
"""

import time
from typing import Any

from bson.binary import Binary
from pymongo.errors import OperationFailure

from app.store.knowledge.port import NearChunk
from app.store.mongo.rows import Collection

SUBTYPE = 9  # BinData subtype for vectors
HEAD = b"\x27\x00"  # header for float32 without padding; little-endian numbers follow
EACH = 20  # candidates examined per result; the documentation's advice
MOST_CANDIDATES = 10_000  # the server's limit
AGAIN_S = 60.0  # interval for checking whether a new index is ready


def stored(vector: bytes) -> Binary | bytes:
    """Encode a vector for storage so that a capable server can search it; b"" stays as is."""
    return Binary(HEAD + vector, SUBTYPE) if vector else vector


def read(kept: bytes) -> bytes:
    """Decode a stored vector."""
    is_vector = isinstance(kept, Binary) and kept.subtype == SUBTYPE
    return bytes(kept[len(HEAD) :]) if is_vector else bytes(kept)


class VectorSearch:
    """Vector search on one collection of chunks.

    Detects the server's capability once and creates the index.
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
            self._ready[dimensions] = await self._look(dimensions)
        except OperationFailure:
            self._absent = True
        return self._ready.get(dimensions, False)

    async def _look(self, dimensions: int) -> bool:
        name = _name(dimensions)
        found = [
            one async for one in self._rows.aggregate([{"$listSearchIndexes": {"name": name}}])
        ]
        if not found:
            await self._rows.database.command(
                {"createSearchIndexes": self._rows.name, "indexes": [index(dimensions)]}
            )
        return any(one.get("queryable") for one in found)

    async def nearest(self, tenant: str, model: str, vector: bytes, limit: int) -> list[NearChunk]:
        """The tenant's chunks with the nearest vectors of that model, nearest first."""
        pipeline = nearest(tenant, model, vector, limit)
        return [
            # The server's score is (1 + cosine) / 2.
            NearChunk(row["chunkId"], row["documentId"], 2 * float(row["score"]) - 1)
            async for row in self._rows.aggregate(pipeline)
        ]


def index(dimensions: int) -> dict[str, Any]:
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


def nearest(tenant: str, model: str, vector: bytes, limit: int) -> list[dict[str, Any]]:
    """The pipeline for a nearest-neighbour query."""
    search = {
        "index": _name(len(vector) // 4),
        "path": "vector",
        "queryVector": stored(vector),
        "numCandidates": min(EACH * limit, MOST_CANDIDATES),
        "limit": limit,
        "filter": {"$and": [{"tenantId": tenant}, {"model": model}]},
    }
    shown = {"_id": 0, "chunkId": 1, "documentId": 1, "score": {"$meta": "vectorSearchScore"}}
    return [{"$vectorSearch": search}, {"$project": shown}]


def _name(dimensions: int) -> str:
    return f"vectors_{dimensions}"
