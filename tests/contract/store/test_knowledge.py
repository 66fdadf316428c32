"""What every store must do for documents: published whole, or not there at all."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from app.domain.knowledge import Chunk, ChunkPlacement, Document, Manifest
from app.errors import Conflict, NotFound
from app.store.repositories import Store
from tests.contract.store.test_store import NOW


def document(document_id: str = "d1", revision: str = "r1", **over: object) -> Document:
    fields: dict[str, object] = {
        "document_id": document_id,
        "tenant": "a",
        "user": "ann",
        "key": f"file:{document_id}.md",
        "title": "Leave of absence",
        "source": f"{document_id}.md",
        "kind": "md",
        "digest": "x",
        "model": "m",
        "revision": revision,
        "sections": ("Duties", "Fees"),
        "notes": ("One page was empty.",),
        "created_at": NOW,
        "ingested_at": NOW,
    }
    return Document.model_validate(fields | over)


def chunk(chunk_id: str = "c1", document_id: str = "d1", **over: object) -> Chunk:
    fields: dict[str, object] = {
        "chunk_id": chunk_id,
        "tenant": "a",
        "document_id": document_id,
        "text": f"Text of {chunk_id}",
        "heading_path": ("Rules", "Leave"),
        "tokens": 3,
        "model": "m",
        "vector": np.full(4, 0.5, dtype="<f4").tobytes(),
        "created_at": NOW,
    }
    return Chunk.model_validate(fields | over)


def manifest(
    chunk_ids: Sequence[str] = ("c1",), document_id: str = "d1", revision: str = "r1", **over: Any
) -> Manifest:
    return Manifest(
        tenant="a",
        document_id=document_id,
        revision=revision,
        entries=tuple(
            ChunkPlacement(chunk_id=one, start=at, end=at + 1, page=1 if at else None)
            for at, one in enumerate(chunk_ids)
        ),
        created_at=NOW,
        **over,
    )


async def published(store: Store, document_id: str = "d1", **over: object) -> Document:
    found = document(document_id, **over)
    one = f"c-{document_id}"
    await store.knowledge.documents.put_chunks([chunk(one, document_id)])
    await store.knowledge.documents.publish(
        found, manifest([one], document_id, found.revision), replaces=""
    )
    return found


class TestDocuments:
    async def test_a_published_one_comes_back_equal_with_its_chunks(self, store: Store) -> None:
        documents = store.knowledge.documents
        await documents.put_chunks([chunk("c1"), chunk("c2")])
        listed = manifest(["c1", "c2"], supersedes={"old": "c2"})
        assert await documents.publish(document(), listed, replaces="") == 1
        assert await documents.get("a", "d1") == document()
        assert await documents.find_by_key("a", "default", "file:d1.md") == document()
        assert await documents.manifests("a", [document()]) == {"d1": listed}
        assert await documents.chunks("a", ["c2", "gone"]) == {"c2": chunk("c2", vector=b"")}
        assert await documents.find_models("a", ["c1", "gone"]) == {"c1": "m"}
        found = [one async for batch in documents.vectors("a", ["d1"]) for one in batch]
        assert sorted(found, key=lambda one: one.chunk_id) == [chunk("c1"), chunk("c2")]

    async def test_what_is_not_published_is_not_there(self, store: Store) -> None:
        documents = store.knowledge.documents
        await documents.put_chunks([chunk()])
        with pytest.raises(NotFound):
            await documents.get("a", "d1")
        assert await documents.version("a") == 0
        assert (await documents.changes("a", 0)).documents == ()
        assert await documents.listed("a", limit=5) == []

    async def test_a_new_revision_replaces_the_old_and_leaves_nothing_of_it(
        self, store: Store
    ) -> None:
        documents = store.knowledge.documents
        await documents.put_chunks([chunk("c1"), chunk("c2"), chunk("c3")])
        first = document(url="https://a.test/", etag='"1"')
        await documents.publish(first, manifest(["c1", "c2"]), replaces="")
        second = document(revision="r2")
        assert (
            await documents.publish(second, manifest(["c2", "c3"], revision="r2"), replaces="r1")
            == 2
        )
        assert await documents.get("a", "d1") == second
        assert await documents.sweep("a", "d1") == 2  # c1, and the manifest r1
        assert set(await documents.find_models("a", ["c1", "c2", "c3"])) == {"c2", "c3"}
        assert await documents.sweep("a", "d1") == 0

    async def test_of_two_that_began_with_the_same_revision_one_wins(self, store: Store) -> None:
        await published(store)
        documents = store.knowledge.documents
        done = await asyncio.gather(
            *(
                documents.publish(
                    document(revision=one), manifest(["c-d1"], revision=one), replaces="r1"
                )
                for one in ("r2", "r3")
            ),
            return_exceptions=True,
        )
        assert [type(one) for one in done if not isinstance(one, int)] == [Conflict]
        with pytest.raises(Conflict):
            await documents.publish(document(revision="r4"), manifest(revision="r4"), replaces="")

    async def test_publishing_the_same_twice_is_no_conflict(self, store: Store) -> None:
        await published(store)
        await store.knowledge.documents.publish(document(), manifest(["c-d1"]), replaces="")

    async def test_a_long_manifest_comes_back_whole(self, store: Store) -> None:
        documents = store.knowledge.documents
        many = manifest([f"{at:024x}" for at in range(20_001)], supersedes={"x" * 24: "y" * 24})
        await documents.publish(document(), many, replaces="")
        assert await documents.manifests("a", [document()]) == {"d1": many}
        assert await documents.sweep("a", "d1") == 0

    async def test_a_deleted_one_is_gone_with_all_that_was_made_of_it(self, store: Store) -> None:
        documents = store.knowledge.documents
        first = await published(store)
        await documents.delete("a", "d1")
        with pytest.raises(NotFound):
            await documents.get("a", "d1")
        with pytest.raises(NotFound):
            await documents.delete("a", "d1")
        assert await documents.find_models("a", ["c-d1"]) == {}
        assert await documents.manifests("a", [first]) == {}
        assert [one async for one in documents.vectors("a", ["d1"])] == []
        with pytest.raises(Conflict):
            await documents.publish(document(revision="r2"), manifest(revision="r2"), replaces="r1")
        await published(store, revision="r3")
        assert (await documents.get("a", "d1")).revision == "r3"

    async def test_the_newest_come_first_page_by_page(self, store: Store) -> None:
        for at in range(5):
            moment = NOW + timedelta(seconds=at // 2)
            await published(store, f"d{at}", ingested_at=moment, domain="a.test")
        documents = store.knowledge.documents
        first = await documents.listed("a", limit=2)
        assert [one.document_id for one in first] == ["d4", "d2"]
        after = (first[-1].ingested_at, first[-1].document_id)
        rest = await documents.listed("a", limit=9, after=after)
        assert [one.document_id for one in rest] == ["d3", "d0", "d1"]

    async def test_they_are_told_by_their_titles(self, store: Store) -> None:
        for at in range(3):
            moment = NOW + timedelta(seconds=at)
            await published(store, f"d{at}", ingested_at=moment, title=f"No {at}", set_name="hr")
        documents = store.knowledge.documents
        found = await documents.titles("a", 2)
        assert [(one.document_id, one.title) for one in found] == [("d2", "No 2"), ("d1", "No 1")]
        assert (found[0].set_name, found[0].ingested_at) == ("hr", NOW + timedelta(seconds=2))
        assert found[0].sections == ("Duties", "Fees")
        await documents.delete("a", "d2")
        assert [one.title for one in await documents.titles("a", 9)] == ["No 1", "No 0"]
        assert await documents.titles("b", 9) == []

    async def test_those_of_a_set_of_a_site_and_with_a_word(self, store: Store) -> None:
        await published(store, "d1", set_name="hr")
        await published(store, "d2", domain="a.test", title="Visa ÄNDERN")
        documents = store.knowledge.documents
        found = [
            await documents.listed("a", limit=5, set_name="hr"),
            await documents.listed("a", limit=5, domain="a.test"),
            await documents.listed("a", limit=5, text="ändern"),
            await documents.listed("a", limit=5, text="D1.md"),
            await documents.listed("a", limit=5, set_name="hr", domain="a.test"),
        ]
        assert [[one.document_id for one in page] for page in found] == [
            ["d1"],
            ["d2"],
            ["d2"],
            ["d1"],
            [],
        ]

    async def test_those_of_an_address(self, store: Store) -> None:
        for at in ("d1", "d2"):
            await published(store, at, url="https://a.test/x")
        await published(store, "d3", url="https://a.test/y")
        found = await store.knowledge.documents.list_by_url("a", "https://a.test/x")
        assert {one.document_id for one in found} == {"d1", "d2"}

    async def test_looked_at_again(self, store: Store) -> None:
        await published(store, etag='"1"')
        later = NOW + timedelta(days=1)
        documents = store.knowledge.documents
        await documents.touch("a", "d1", now=later, etag=None, last_modified="Mon")
        found = await documents.get("a", "d1")
        assert (found.ingested_at, found.etag, found.last_modified) == (later, '"1"', "Mon")

    async def test_vectors_of_another_model_are_found_and_replaced(self, store: Store) -> None:
        documents = store.knowledge.documents
        await documents.put_chunks([chunk("c1"), chunk("c2", model="z"), chunk("c3", model="n")])
        found = await documents.other_models("a", "n", limit=9)
        assert {one.chunk_id: one.vector for one in found} == {"c1": b"", "c2": b""}
        assert len(await documents.other_models("a", "n", limit=1)) == 1
        await documents.put_chunks([one.model_copy(update={"model": "n"}) for one in found])
        assert await documents.other_models("a", "n", limit=9) == []

    async def test_another_tenant_sees_and_changes_nothing(self, store: Store) -> None:
        one = await published(store)
        documents = store.knowledge.documents
        for call in (documents.get, documents.delete):
            with pytest.raises(NotFound):
                await call("b", "d1")
        assert await documents.find_by_key("b", "default", one.key) is None
        assert await documents.listed("b", limit=5) == []
        assert await documents.chunks("b", ["c-d1"]) == {}
        assert await documents.find_models("b", ["c-d1"]) == {}
        assert await documents.manifests("b", [one]) == {}
        assert await documents.sweep("b", "d1") == 0
        assert await documents.version("b") == 0
        assert await documents.get("a", "d1") == one
        assert set(await documents.find_models("a", ["c-d1"])) == {"c-d1"}


class TestChanges:
    async def test_each_is_told_to_whoever_was_not_there(self, store: Store) -> None:
        documents = store.knowledge.documents
        await published(store, "d1")
        whole = await documents.changes("a", 0)
        assert whole.whole
        assert [one.document_id for one in whole.documents] == ["d1"]
        await published(store, "d2")
        await documents.delete("a", "d1")
        told = await documents.changes("a", whole.version)
        assert (told.whole, told.deleted) == (False, ("d1",))
        assert [one.document_id for one in told.documents] == ["d2"]
        assert told.version == await documents.version("a")
        assert (await documents.changes("a", told.version)).documents == ()

    async def test_one_deleted_and_made_again_is_there(self, store: Store) -> None:
        documents = store.knowledge.documents
        await published(store, "d1")
        before = await documents.version("a")
        await documents.delete("a", "d1")
        await published(store, "d1", revision="r9")
        told = await documents.changes("a", before)
        assert [one.revision for one in told.documents] == ["r9"]
        assert told.deleted == ()

    async def test_whoever_knows_more_than_there_is_gets_everything(self, store: Store) -> None:
        await published(store, "d1")
        assert (await store.knowledge.documents.changes("a", 99)).whole
        await store.tenants.delete("a")
        told = await store.knowledge.documents.changes("a", 99)
        assert (told.whole, told.version, told.documents) == (True, 0, ())

    async def test_after_too_many_deletions_everything_is_told(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.store.knowledge.publication.MAX_DELETIONS", 2)
        for one in ("d1", "d2", "d3"):
            await published(store, one)
            await store.knowledge.documents.delete("a", one)
        assert (await store.knowledge.documents.changes("a", 1)).whole
        assert not (await store.knowledge.documents.changes("a", 5)).whole


async def test_nothing_is_left_of_a_tenant(store: Store) -> None:
    await published(store)
    gone = await store.tenants.delete("a")
    assert {name for name in gone if name.startswith("knowledge_")} == {
        "knowledge_documents",
        "knowledge_chunks",
        "knowledge_manifests",
        "knowledge_versions",
    }
