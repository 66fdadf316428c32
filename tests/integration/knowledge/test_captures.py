"""A page captured twice shows only its latest state."""

import asyncio

from app.domain.access import Policy
from app.store.repositories import Store
from knowledge.port import Query
from knowledge.service import Service
from tests.knowledge import ingested, opened_knowledge

URL = "https://clinic.test/orders"
FIRST = """<html><head><title>Orders</title></head><body><main><h1>Orders</h1>
<section id="order-17"><h2>Order 17</h2><p>Status: {state}</p>
<p>Ordered by Ann Miller in ward 3.</p></section><section id="rules"><h2>Rules</h2>
<p>An order is approved by the head of the ward within two days.</p></section>
</main></body></html>"""
OPENED = """<section id="order-17"><h2>Order 17</h2><p>Status: {state}</p>
<p>Ordered by Ann Miller in ward 3.</p></section>"""
DROPDOWN = """<ul id="wards"><li>Ward 1: Cardiology</li><li>Ward 2: Surgery</li></ul>"""


async def page(knowledge: Service, state: str) -> None:
    body = FIRST.format(state=state)
    job = await ingested(knowledge, body, kind="html", url=URL, phase="initial")
    assert job.status == "completed", job.errors


async def opened(knowledge: Service, body: str, action: str, container: str) -> int:
    fields = {"phase": "post-interaction", "trigger_action": action, "container": container}
    job = await ingested(knowledge, body, kind="html", url=URL, **fields)
    assert job.status == "completed", job.errors
    return job.progress.unchanged


async def told(knowledge: Service, question: str = "What is the status of order 17?") -> str:
    found = await knowledge.resolve("a", Query(text=question, url=URL), Policy(tenant="a"))
    return "\n".join(one.text for one in found.found)


async def test_what_was_seen_last_is_told_and_nothing_that_contradicts_it(store: Store) -> None:
    async with opened_knowledge(store) as knowledge:
        await page(knowledge, "Pending")
        assert "Pending" in await told(knowledge)
        assert await opened(knowledge, OPENED.format(state="Pending"), "click(3)", "#order-17") == 1
        assert len(await knowledge.documents("a")) == 1
        assert (
            await opened(knowledge, OPENED.format(state="Approved"), "click(4)", "#order-17") == 0
        )
        seen = await told(knowledge)
        assert "Approved" in seen
        assert "Pending" not in seen
        assert "two days" in await told(
            knowledge, "Who approves an order, and within how many days?"
        )
        first = (await knowledge.documents("a"))[-1]
        parts = await knowledge.parts("a", first.document_id)
        assert any(one.superseded_by for one in parts)

        await opened(knowledge, DROPDOWN, "click(9)", "#wards")
        assert "Cardiology" in await told(knowledge, "Which ward is cardiology?")
        assert "Approved" in await told(knowledge)

        await page(knowledge, "Pending")  # the same bytes as at first: it is so again
        seen = await told(knowledge)
        assert "Pending" in seen
        assert "Approved" not in seen
        assert "Cardiology" in await told(knowledge, "Which ward is cardiology?")


async def test_vectors_of_another_model_are_made_anew_while_words_find(store: Store) -> None:
    documents = store.knowledge.documents
    async with opened_knowledge(store) as knowledge:
        await ingested(knowledge, "# Leave\n\nParental leave is sixteen weeks at full pay.\n")
        (one,) = await knowledge.documents("a")
        manifests = await documents.manifests("a", [one])
        (entry,) = manifests[one.document_id].entries
        (chunk,) = (await documents.chunks("a", [entry.chunk_id])).values()
        await documents.put_chunks(
            [chunk.model_copy(update={"model": "older", "vector": b"\0" * 8})]
        )
        other = {"model": "older", "revision": "r2"}
        manifest = manifests[one.document_id].model_copy(update={"revision": "r2"})
        await documents.publish(one.model_copy(update=other), manifest, replaces=one.revision)
    async with opened_knowledge(store) as knowledge:
        assert "sixteen" in await told(knowledge, "How long is parental leave?")
        while (await knowledge.document("a", one.document_id)).model != one.model:
            await asyncio.sleep(0.02)
        assert not await documents.other_models("a", one.model, limit=1)
        assert "sixteen" in await told(knowledge, "How long is parental leave?")
