"""Vectors that the server searches: asked for as Atlas takes it, and left alone where it cannot."""

from typing import Any

import numpy as np
import pytest
from bson.binary import Binary, BinaryVectorDtype
from pymongo.errors import OperationFailure

from app.store.knowledge import NearChunk
from app.store.knowledge.chunks import VectorSearch, decode_vector, encode_vector
from app.store.repositories import Store
from tests.contract.store.test_knowledge import chunk, document, manifest

NUMBERS = np.array([0.6, 0.8, 0.0, 0.0], "<f4")


class Rows:
    """A collection of a server that searches vectors, as far as it is asked here."""

    name = "knowledge_chunks"

    def __init__(self, indexes: list[dict[str, Any]], found: list[dict[str, Any]]) -> None:
        self.indexes, self.found = indexes, found
        self.asked: list[Any] = []
        self.database = self

    async def command(self, asked: dict[str, Any]) -> None:
        self.asked.append(asked)

    async def aggregate(self, pipeline: list[dict[str, Any]]):
        self.asked.append(pipeline)
        for row in self.indexes if "$listSearchIndexes" in pipeline[0] else self.found:
            yield row


class Without(Rows):
    async def aggregate(self, pipeline: list[dict[str, Any]]):
        self.asked.append(pipeline)
        raise OperationFailure("not implemented", 115)
        yield


def test_a_vector_is_kept_as_the_driver_keeps_vectors() -> None:
    kept = encode_vector(NUMBERS.tobytes())
    assert kept == Binary.from_vector(NUMBERS.tolist(), BinaryVectorDtype.FLOAT32)
    assert decode_vector(kept) == NUMBERS.tobytes()
    assert decode_vector(NUMBERS.tobytes()) == NUMBERS.tobytes()


async def test_the_index_is_made_and_used_once_it_can_be() -> None:
    rows = Rows([], [])
    search = VectorSearch(rows)  # type: ignore[arg-type]
    assert not await search.ready(4)
    made = rows.asked[-1]["indexes"][0]
    assert (made["type"], made["name"]) == ("vectorSearch", "vectors_4")
    fields = {one["path"]: one for one in made["definition"]["fields"]}
    assert fields["vector"]["numDimensions"] == 4
    assert fields["tenantId"]["type"] == fields["model"]["type"] == "filter"
    assert await VectorSearch(Rows([{"queryable": True}], [])).ready(4)  # type: ignore[arg-type]


async def test_a_tenant_is_asked_about_alone_and_scores_are_cosines() -> None:
    rows = Rows([], [{"chunkId": "c", "documentId": "d", "score": 0.9}])
    search = VectorSearch(rows)  # type: ignore[arg-type]
    found = await search.nearest("a", "m", NUMBERS.tobytes(), 50)
    assert found == [NearChunk("c", "d", pytest.approx(0.8))]
    asked = rows.asked[-1][0]["$vectorSearch"]
    assert asked["filter"] == {"$and": [{"tenantId": "a"}, {"model": "m"}]}
    assert (asked["limit"], asked["numCandidates"], asked["index"]) == (50, 1_000, "vectors_4")


async def test_a_server_that_cannot_is_asked_once() -> None:
    rows = Without([], [])
    search = VectorSearch(rows)  # type: ignore[arg-type]
    assert not await search.ready(4)
    assert not await search.ready(4)
    assert len(rows.asked) == 1


async def test_vectors_come_back_as_they_were_put(store: Store) -> None:
    put = chunk(vector=NUMBERS.tobytes(), model="m")
    documents = store.knowledge.documents
    await documents.put_chunks([put])
    await documents.publish(document(), manifest(), replaces="")
    (batch,) = [batch async for batch in documents.vectors("a", ["d1"])]
    assert batch[0].vector == put.vector
    read_again = await documents.chunks("a", ["c1"], with_vectors=True)
    assert read_again["c1"].vector == put.vector
    assert (await documents.chunks("a", ["c1"]))["c1"].vector == b""
