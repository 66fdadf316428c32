"""A sample of `bench.knowledge.retrieval --speed`, which measures a search on the real store."""

from app.domain.access import Policy
from app.settings import Settings
from app.store.open import open_all
from bench.knowledge.retrieval.corpus import ChunkedDocument
from bench.knowledge.retrieval.store import fill_store, tenant_of
from knowledge.port import Query
from knowledge.retrieve.retriever import Retriever
from tests.unit.knowledge.retrieve.memory_store import TENANT, Documents, add, embedder

SIZE = 40


async def test_a_filled_store_is_searched_like_one_that_was_ingested_into(settings: Settings):
    documents = Documents()
    for name in ("Archive", "Canteen", "Garage"):
        add(
            documents, name, [f"The {name.lower()} opens at seven.", f"The {name.lower()} is full."]
        )
    made = [
        ChunkedDocument(
            document,
            tuple(one for one in documents.stored.values() if one.document_id == of),
            documents.kept[(TENANT, of)],
        )
        for (_, of), (_, document) in documents.documents.items()
    ]
    await fill_store(settings, made, (SIZE,))
    async with open_all(settings) as opened:
        retriever = Retriever(opened.store.knowledge, embedder())
        tenant = tenant_of(SIZE)
        answer = await retriever.resolve(
            tenant, Query(text="When does the canteen open?"), Policy(tenant=tenant)
        )
        index = await retriever._tenants.get(tenant)
        await retriever.close()
    assert index.chunks >= SIZE
    assert "canteen" in answer.found[0].text
