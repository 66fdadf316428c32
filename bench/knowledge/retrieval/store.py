"""A store with any number of chunks of real text, written directly rather than ingested."""

import hashlib
import itertools
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from app.settings import Settings
from app.store.mongo.rows import Database, Row, to_row
from app.store.open import open_all
from bench.knowledge.retrieval.corpus import ChunkedDocument

WRITTEN = 2_000  # rows per batch, about 5 MB


async def fill_store(
    settings: Settings, made: Sequence[ChunkedDocument], sizes: Sequence[int]
) -> None:
    """A store with a tenant of each size, named by `tenant_of`; existing ones are kept."""
    async with open_all(settings) as opened:
        for size in sizes:
            if not await opened.store.knowledge.documents.version(tenant_of(size)):
                await _fill(opened.database, list(_of_size(made, size)), tenant_of(size))


def tenant_of(size: int) -> str:
    """The tenant with that many chunks."""
    return f"bench-{size}"


async def _fill(database: Database, made: Sequence[ChunkedDocument], tenant: str) -> None:
    """Write the rows of a publication in large batches: publishing one by one takes minutes."""
    now = datetime.now(UTC)
    rows: dict[str, Iterator[Row]] = {
        "knowledge_chunks": (to_row(chunk) for one in made for chunk in one.chunks),
        "knowledge_manifests": (to_row(one.manifest) | {"piece": 0, "pieces": 1} for one in made),
        "knowledge_documents": (
            to_row(one.document) | {"changed": 1, "writtenAt": now} for one in made
        ),
        "knowledge_versions": iter([{"version": 1}]),
    }
    for name, them in rows.items():
        while some := list(itertools.islice(them, WRITTEN)):
            of = [row | {"tenantId": tenant} for row in some]
            await database[name].insert_many(of, ordered=False)


def _of_size(made: Sequence[ChunkedDocument], size: int) -> Iterator[ChunkedDocument]:
    """Repeat the manuals; each copy has a fifth of its words replaced, so that it is no duplicate."""
    made = list({one.document.document_id: one for one in made}.values())  # two pages share a name
    random_ = random.Random(8)
    words = sorted({word for one in made for chunk in one.chunks for word in chunk.text.split()})
    count = 0
    for copy in itertools.count():
        for one in made:
            if count >= size:
                return
            yield one if not copy else _changed(one, copy, words, random_)
            count += len(one.chunks)


def _changed(
    one: ChunkedDocument, copy: int, words: Sequence[str], random_: random.Random
) -> ChunkedDocument:
    def other(text: str) -> str:
        return " ".join(
            random_.choice(words) if random_.random() < 0.2 else word for word in text.split()
        )

    document_id = _renamed(one.document.document_id, copy)
    renamed = {chunk.chunk_id: _renamed(chunk.chunk_id, copy) for chunk in one.chunks}
    chunks = tuple(
        chunk.model_copy(
            update={
                "chunk_id": renamed[chunk.chunk_id],
                "document_id": document_id,
                "text": other(chunk.text),
            }
        )
        for chunk in one.chunks
    )
    entries = tuple(
        entry.model_copy(update={"chunk_id": renamed[entry.chunk_id]})
        for entry in one.manifest.entries
    )
    return ChunkedDocument(
        one.document.model_copy(
            update={
                "document_id": document_id,
                "title": f"{one.document.title}, edition {copy + 1}",
            }
        ),
        chunks,
        one.manifest.model_copy(update={"document_id": document_id, "entries": entries}),
    )


def _renamed(name: str, copy: int) -> str:
    return hashlib.sha256(f"{copy} {name}".encode()).hexdigest()[:24]
