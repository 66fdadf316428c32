"""The index while documents change, and the lookup of words."""

import numpy as np
import pytest

from app.domain.access import Policy
from app.llm.embedder import normalize_rows
from knowledge.ingest.reembedder import reembed_chunks
from knowledge.port import Query
from knowledge.retrieve.index_loader import CacheLimits
from knowledge.retrieve.retriever import Retriever
from knowledge.retrieve.segment import Vectors
from knowledge.retrieve.stems import Stems, search_words
from tests.unit.knowledge.retrieve.memory_store import TENANT, Documents, add, embedder, store

ANY = Policy(tenant=TENANT)
PLACES = ("Lisbon", "Oslo", "Vienna", "Cairo", "Lima", "Quito", "Seoul", "Accra", "Minsk", "Riga")


async def asked(retriever, text, tenant=TENANT):
    return (await retriever.resolve(tenant, Query(text=text), ANY)).found


async def test_each_document_is_found_however_many_came_and_went():
    documents = Documents()
    retriever = Retriever(store(documents), embedder())
    for round_ in range(3):
        for place in PLACES:
            says = f"The office in {place} opens at {round_ + 6} in the morning."
            add(documents, place, [says, f"{place} has a canteen."], hours=round_)
            retriever.mark_stale(TENANT)
            await retriever.refresh(TENANT)
    for place in PLACES:
        (first, *_) = await asked(retriever, f"When does the office in {place} open?")
        assert f"{place} opens at 8" in first.text
    index = await retriever._tenants.get(TENANT)
    assert index.chunks == 2 * len(PLACES)
    assert sum(segment.size for segment in index.segments) <= 2 * index.chunks
    await retriever.close()


async def test_others_changes_are_looked_for_once_in_a_while_and_texts_are_read_at_the_end():
    documents = Documents()
    add(documents, "Notes", ["The archive is in the cellar."])
    retriever = Retriever(store(documents), embedder(), CacheLimits(poll_s=3600))
    for _ in range(5):
        assert await asked(retriever, "Where is the archive?")
    assert documents.reads.count("version") <= 1
    assert documents.reads.count("vectors") == 1
    seeing = Retriever(store(documents), embedder(), CacheLimits(poll_s=0))
    hours = "Opening hours of the library: nine to five."
    assert hours not in [one.text for one in await asked(seeing, "opening hours of the library")]
    add(documents, "Library", [hours])
    assert hours in [one.text for one in await asked(seeing, "opening hours of the library")]


async def test_the_tenant_that_asked_longest_ago_is_let_go():
    documents = Documents()
    for tenant in ("a", "b", "c"):
        add(documents, "Notes", [f"The archive of {tenant} is in the cellar."], tenant=tenant)
    retriever = Retriever(store(documents), embedder(), CacheLimits(index_bytes=1, poll_s=3600))
    for tenant in ("a", "b", "a", "c", "c"):
        assert await asked(retriever, "Where is the archive?", tenant)
    assert documents.reads.count("vectors") == 4
    assert list(retriever._tenants._entries) == ["c"]


async def test_chunks_that_stand_together_are_one_passage_without_saying_things_twice():
    documents = Documents()
    first = "Expenses are claimed by form. The form for expenses is signed by the head of the team."
    second = (
        "The form for expenses is signed by the head of the team. Expenses are paid on Fridays."
    )
    add(documents, "Expenses", [first, second])
    revision = documents.kept[next(iter(documents.kept))]
    placed = list(revision.entries)
    placed[1] = placed[1].model_copy(update={"start": placed[0].end - 56})
    key = next(iter(documents.kept))
    documents.kept[key] = revision.model_copy(update={"entries": tuple(placed)})
    (found,) = await asked(Retriever(store(documents), embedder()), "form for expenses")
    assert found.text == first + " Expenses are paid on Fridays."
    assert len(found.chunk_ids) == 2


async def test_vectors_of_another_model_are_made_anew_a_few_at_a_time():
    documents = Documents()
    add(
        documents, "Devices", [f"Printer {at} stands in room {at}." for at in range(230)], model="x"
    )

    async def other_models(tenant, model, *, limit):
        found = [one for one in documents.stored.values() if one.model != model]
        return [one.model_copy(update={"vector": b""}) for one in found[:limit]]

    async def put_chunks(chunks):
        documents.stored |= {(one.tenant, one.chunk_id): one for one in chunks}

    documents.other_models, documents.put_chunks = other_models, put_chunks
    heard: list[int] = []
    made = await reembed_chunks(documents, embedder(), TENANT, heard.append)
    assert made == 230
    assert heard == [100, 100, 30]
    assert {one.model for one in documents.stored.values()} == {"wordllama-256"}
    assert await reembed_chunks(documents, embedder(), TENANT, heard.append) == 0


@pytest.mark.parametrize(
    ("asked_for", "text", "language"),
    [
        ("configuring connections", "Configure the connection", "en"),
        ("die Häuser", "Das Haus am See", "de"),
        ("домами", "Большой дом", "ru"),
        ("הספרים", "ספר חדש", "he"),
        ("東京大学", "私は東京大学の学生です", "ja"),
        ("pool size", "Set `pool_size` to 5", "en"),
        ("max retries", "maxRetries = 5", "en"),
    ],
)
def test_words_meet_whatever_their_endings(asked_for, text, language):
    stems = Stems()
    assert set(stems.terms(asked_for, language)) & set(stems.terms(text, language))


def test_a_long_run_of_signs_is_no_word():
    assert list(search_words("key " + "a1" * 200)) == ["key"]


def test_vectors_of_many_numbers_are_compared_by_the_first_and_in_full():
    random = np.random.default_rng(8)
    rows = normalize_rows(random.standard_normal((50, 768)).astype(np.float32))
    vectors = Vectors.of([*rows, None], 768)
    assert vectors.bytes / 51 < 1_900
    assert int(np.argmax(vectors.coarse_cosines(rows[7]))) == 7
    exact = vectors.exact_cosines(rows[7], np.arange(51))
    assert np.allclose(exact[:50], rows @ rows[7], atol=0.01)
    assert exact[50] == 0
