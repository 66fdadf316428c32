"""Documents that are put in force at the same moment share their writes, and nothing else."""

import asyncio

from app.errors import Conflict
from app.store.repositories import Store
from tests.contract.store.test_knowledge import chunk, document, manifest, published


async def test_of_many_at_once_each_is_whole_and_a_refused_one_fails_alone(
    store: Store,
) -> None:
    documents = store.knowledge.documents
    await published(store, "d0")
    ids = [f"d{at}" for at in range(6)]
    found = await asyncio.gather(
        *(
            documents.publish(
                document(one, revision=f"new-{one}", key=one),
                manifest([f"n-{one}"], document_id=one, revision=f"new-{one}"),
                replaces="",
                chunks=[chunk(f"n-{one}", one)],
            )
            for one in ids
        ),
        return_exceptions=True,
    )
    assert isinstance(found[0], Conflict)
    assert all(isinstance(one, int) for one in found[1:])
    changes = await documents.changes("a", 1)
    assert {one.document_id for one in changes.documents} == set(ids[1:])
    listed = await documents.manifests("a", changes.documents)
    chunks = [entry.chunk_id for one in listed.values() for entry in one.entries]
    assert set(await documents.chunks("a", chunks)) == {f"n-{one}" for one in ids[1:]}
