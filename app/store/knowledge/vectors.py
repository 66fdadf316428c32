"""Vectors that the server itself searches, where it can: MongoDB Atlas, and servers with its `mongot`.

What others answer to `$listSearchIndexes` is an error, in half a millisecond (the embedded server: 115). The
shapes are those of mongodb.com/docs/atlas/atlas-vector-search, November 2026.
"""

import time
from typing import Any

from bson.binary import Binary
from pymongo.errors import OperationFailure

from app.store.knowledge.port import NearChunk
from app.store.mongo.rows import Collection

SUBTYPE = 9  # of BinData: a vector
HEAD = b"\x27\x00"  # of one of float32, nothing padded; the numbers follow, little-endian
EACH = 20  # candidates looked at for each that is wanted; the documentation's advice
MOST_CANDIDATES = 10_000  # the server's own limit
AGAIN_S = 60.0  # until it is asked again whether an index that was made can be searched


def stored(vector: bytes) -> Binary | bytes:
    """A vector as it is kept, so that a server which can may search it; b"" stays as it is."""
    return Binary(HEAD + vector, SUBTYPE) if vector else vector


def read(kept: bytes) -> bytes:
    """The vector of what is kept."""
    is_vector = isinstance(kept, Binary) and kept.subtype == SUBTYPE
    return bytes(kept[len(HEAD) :]) if is_vector else bytes(kept)


class VectorSearch:
    """Of one collection of chunks. Asks once what the server can, and makes the index it needs."""

    def __init__(self, rows: Collection) -> None:
        self._rows = rows
        self._ready: dict[int, bool] = {}
        self._asked: dict[int, float] = {}
        self._absent = False

    async def ready(self, dimensions: int) -> bool:
        """Whether vectors of this many numbers can be searched by the server now."""
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
        """The tenant's chunks whose vector of that model is nearest, the nearest first."""
        pipeline = nearest(tenant, model, vector, limit)
        return [
            # Its score is (1 + cosine) / 2.
            NearChunk(row["chunkId"], row["documentId"], 2 * float(row["score"]) - 1)
            async for row in self._rows.aggregate(pipeline)
        ]


def index(dimensions: int) -> dict[str, Any]:
    """The index of vectors of this many numbers; vectors of other lengths are no part of it."""
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
    """The pipeline that finds them."""
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
