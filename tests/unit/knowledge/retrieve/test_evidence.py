"""The features of a passage."""

from knowledge.retrieve.candidates import Candidate, find_candidates
from knowledge.retrieve.retriever import Retriever
from tests.unit.knowledge.retrieve.memory_store import TENANT, Documents, add, embedder, store

QUESTION = "Where is the spare key of the archive?"
KEY = "The spare key hangs behind the door."
ARCHIVE = "The archive has a spare key; who takes it signs for it."
FILLER = "Letters that nobody asked for are sent back by the next post. " * 6


async def evidence(*documents_of_parts):
    """Of each chunk by its text: the candidate and what speaks for it."""
    documents = Documents()
    for at, parts in enumerate(documents_of_parts):
        add(documents, f"Book {at}", list(parts))
    retriever = Retriever(store(documents), embedder())
    index = await retriever._tenants.get(TENANT)
    vector = retriever._vector(QUESTION)
    found = find_candidates(index, QUESTION, vector, lambda facet: True, stems=retriever._stems)
    known: list[tuple[Candidate, object, object]] = [
        (one, documents.stored[(TENANT, one.chunk_id)], index.document(one.place[0]))
        for one in found.found
    ]
    rows = retriever._judge.evidence(QUESTION, found.words, known)
    await retriever.close()
    return {
        (document.title, chunk.text): row
        for (_, chunk, document), row in zip(known, rows, strict=True)
    }


async def test_what_stands_beside_a_passage_speaks_for_it_within_its_document_alone():
    found = await evidence((KEY, ARCHIVE), (KEY + " Ask there.",), (ARCHIVE + " Ask there.",))
    assert found[("Book 0", KEY)].beside > 0
    assert found[("Book 1", KEY + " Ask there.")].beside == 0


async def test_words_in_one_stretch_say_more_than_the_same_ones_far_apart():
    apart = f"The spare one is blue. {FILLER} Each key has a number. {FILLER} The archive is dry."
    found = await evidence((ARCHIVE,), (apart,))
    near, far = found[("Book 0", ARCHIVE)], found[("Book 1", apart)]
    assert near.coverage == far.coverage == near.window
    assert far.window < near.window
