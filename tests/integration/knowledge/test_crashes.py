"""A crash while a document is written leaves either the old or the new version, complete."""

from collections.abc import AsyncIterator, Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from app.errors import NotFound
from app.settings import Settings
from app.store.disk_space import DiskSpace
from app.store.knowledge import KnowledgeStore
from app.store.open import Opened
from app.store.repositories import Store
from knowledge.extract.workers.pool import WorkerPool
from knowledge.ingest.document_builder import DocumentSource, document_id_of
from knowledge.ingest.pipeline import Pipeline
from tests.knowledge import embedder

WRITES = {
    "insert_one",
    "update_one",
    "delete_one",
    "delete_many",
    "insert_many",
    "update_many",
    "bulk_write",
    "find_one_and_update",
}
SECTIONS = "".join(
    f"# Part {at}\n\n{'%s says one thing of many here. ' * 9}\n\n" for at in range(3)
)
KEY = "file:rules.md"
ID = document_id_of("a", "default", KEY)


def knowledge_store(database: Any) -> KnowledgeStore:
    return Store(database, DiskSpace(Settings(_env_file=None))).knowledge


class Died(Exception):
    pass


class Mortal:
    """A database that answers so many writes, then none; reads end with it."""

    def __init__(self, database: Any, writes: int) -> None:
        self.database, self.left = database, writes

    def __getitem__(self, name: str) -> Any:
        return _Rows(self, self.database[name])


class _Rows:
    def __init__(self, life: Mortal, rows: Any) -> None:
        self._life, self._rows = life, rows

    def __getattr__(self, name: str) -> Any:
        if self._life.left <= 0:
            raise Died
        if name not in WRITES:
            return getattr(self._rows, name)

        async def write(*args: Any, **kwargs: Any) -> Any:
            if self._life.left <= 0:
                raise Died
            self._life.left -= 1
            return await getattr(self._rows, name)(*args, **kwargs)

        return write


class Library:
    """One document, on a store that may die under it."""

    def __init__(self, database: Any, workers: WorkerPool, folder: Path) -> None:
        self.database, self._workers, self._folder = database, workers, folder
        self.store = knowledge_store(database)

    def pipeline(self, store: KnowledgeStore) -> Pipeline:
        return Pipeline(store, embedder(), self._workers, published=lambda _: None)

    async def write(self, word: str, writes: int | None = None) -> None:
        """Ingest the document that speaks of this word, with so many writes at most."""
        store = self.store
        if writes is not None:
            store = knowledge_store(Mortal(self.database, writes))
        path, body = self._folder / "rules.md", (SECTIONS % ((word,) * 27)).encode()
        path.write_bytes(body)
        source = DocumentSource(
            tenant="a",
            user="ann",
            key=KEY,
            set_name="default",
            name="rules.md",
            path=path,
            bytes=len(body),
            digest=sha256(body).hexdigest(),
            scope="organization",
        )
        await self.pipeline(store).ingest(source, lambda *_: None)

    async def delete(self, writes: int) -> None:
        store = knowledge_store(Mortal(self.database, writes))
        await store.documents.delete("a", ID)

    async def seen(self) -> set[str]:
        """The first words of all that can be found by whoever looks for the first time."""
        changes = await self.store.documents.changes("a", 0)
        manifests = await self.store.documents.manifests("a", changes.documents)
        ids = [entry.chunk_id for one in manifests.values() for entry in one.entries]
        chunks = await self.store.documents.chunks("a", ids)
        assert set(chunks) == set(ids), "a chunk that is listed is missing"
        return {chunk.text.split()[0] for chunk in chunks.values()}

    async def left(self) -> dict[str, int]:
        """Rows by collection."""
        names = ("documents", "chunks", "manifests", "locks")
        return {
            name: await self.database[f"knowledge_{name}"].count_documents({}) for name in names
        }


@pytest.fixture
async def library(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Library]:
    monkeypatch.setattr("knowledge.ingest.document_lock.LOCK_S", 0.1)  # of the dead
    monkeypatch.setattr("knowledge.ingest.pipeline.EMBEDDED", 2)  # several writes of chunks
    async with WorkerPool() as workers:
        yield Library(opened.database, workers, tmp_path)


async def dies(run: Callable[[int], Awaitable[None]], writes: int) -> bool:
    try:
        await run(writes)
    except Died:
        return True
    return False


async def test_an_edit_that_dies_anywhere_is_seen_whole_or_not_at_all(library: Library) -> None:
    died, words = True, ("old", "new")
    await library.write("old")
    whole = await library.left()
    seen, writes = [], 0
    while died:
        writes += 1
        old, new = words
        died = await dies(lambda most, word=new: library.write(word, most), writes)  # type: ignore[misc]
        seen.append(await library.seen())
        assert seen[-1] in ({old}, {new})
        await library.write(new)  # what goes on with it afterwards
        assert await library.seen() == {new}
        assert await library.left() == whole
        words = (new, old)
    assert writes > 6


async def test_a_first_one_that_dies_anywhere_leaves_nothing(library: Library) -> None:
    died, writes = True, 0
    while died:
        writes += 1
        died = await dies(lambda most: library.write("first", most), writes)
        assert await library.seen() in (set(), {"first"})
        await library.write("first")
        assert await library.seen() == {"first"}
        assert await library.left() == {"documents": 1, "chunks": 3, "manifests": 1, "locks": 0}
        await library.store.documents.delete("a", ID)


async def test_a_deletion_that_dies_anywhere_hides_all_or_nothing(library: Library) -> None:
    died, writes = True, 0
    while died:
        await library.write("there")
        before = await library.store.documents.changes("a", 0)
        writes += 1
        died = await dies(library.delete, writes)
        gone = await library.seen() == set()
        assert gone or writes == 1
        if not gone:
            await library.store.documents.delete("a", ID)
        elif died:
            with pytest.raises(NotFound):
                await library.store.documents.get("a", ID)
            told = await library.store.documents.changes("a", before.version)
            assert told.deleted == (ID,)
            await library.write("again")  # what comes in over it is whole
            assert await library.seen() == {"again"}
            await library.store.documents.delete("a", ID)
        assert await library.left() == {"documents": 0, "chunks": 0, "manifests": 0, "locks": 0}
