"""Ingestion jobs: documents appear whole, and jobs end properly and survive crashes."""

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from app.domain.access import Principal
from app.domain.knowledge import JOB_ENDED, Chunk, IngestRequest
from app.errors import Invalid, NotFound, TooLarge, TooManyJobs
from app.settings import Settings
from app.store.repositories import Store
from knowledge.composition import Options
from knowledge.service import Service, ServiceLimits
from tests.knowledge import ANN, ended, ingested, opened_knowledge, pieces
from tests.unit.knowledge.crawl.crawl_site import Pages
from tests.unit.knowledge.extract.pdf_files import slow_file

LEAVE = "# Leave\n\nParental leave is sixteen weeks at full pay.\n"
MANY = "".join(
    f"# Rule {at}\n\nRule {at} says that form {at} goes to desk {at * 7}.\n\n" for at in range(900)
)
EAGER = Options(sweep_s=0.1, lease_s=1.0)
IDLE = Options(works=False)
AT_ONCE = 5  # pages of one crawl


async def answer(knowledge: Service, question: str) -> list[str]:
    found = await knowledge.get_rag_chunks("", question, "a")
    return [one.text for one in found.found]


async def test_a_file_is_found_by_what_it_says_and_gone_when_deleted(store: Store) -> None:
    async with opened_knowledge(store) as knowledge:
        assert await answer(knowledge, "How long is parental leave?") == []
        job = await ingested(knowledge, LEAVE)
        assert (job.status, job.errors, job.progress.chunks) == ("completed", (), 1)
        assert job.progress.bytes == job.progress.bytes_total == len(LEAVE)
        (document,) = await knowledge.documents("a")
        assert job.documents == (document.document_id,)
        assert "sixteen weeks" in (await answer(knowledge, "How long is parental leave?"))[0]
        await knowledge.delete("a", document.document_id)
        assert await answer(knowledge, "How long is parental leave?") == []
        with pytest.raises(NotFound):
            await knowledge.parts("a", document.document_id)
    with pytest.raises(NotFound):  # the bytes went with the job
        _ = [one async for one in store.knowledge.files.read("a", job.job_id)]


async def test_the_same_file_costs_nothing_and_an_edit_only_what_is_new(store: Store) -> None:
    async with opened_knowledge(store) as knowledge:
        await ingested(knowledge, "# A\n\nOne thing is red.\n\n# B\n\nThe other one is blue.\n")
        (first,) = await knowledge.documents("a")
        before = {one.chunk.chunk_id for one in await knowledge.parts("a", first.document_id)}
        again = await ingested(
            knowledge, "# A\n\nOne thing is red.\n\n# B\n\nThe other one is blue.\n"
        )
        assert (again.progress.unchanged, again.documents) == (1, (first.document_id,))
        await ingested(knowledge, "# A\n\nOne thing is red.\n\n# B\n\nThe other one is green.\n")
        (second,) = await knowledge.documents("a")
        after = {one.chunk.chunk_id for one in await knowledge.parts("a", second.document_id)}
        assert (second.document_id, second.created_at) == (first.document_id, first.created_at)
        assert len(after) == len(before)
        assert await store.knowledge.documents.find_models("a", list(before - after)) == {}


async def test_the_same_file_twice_at_once_is_one_document(store: Store) -> None:
    async with opened_knowledge(store) as one, opened_knowledge(store) as other:
        jobs = await asyncio.gather(*(ingested(each, MANY) for each in (one, other, one)))
        assert [job.status for job in jobs] == ["completed"] * 3
        assert sorted(job.progress.unchanged for job in jobs) == [0, 1, 1]
        (document,) = await one.documents("a")
        assert len(await one.parts("a", document.document_id)) == document.chunks


async def test_what_cannot_be_read_says_why(store: Store) -> None:
    async with opened_knowledge(store) as knowledge:
        job = await ingested(knowledge, "", name="empty.pdf")
        assert (job.status, job.progress.failed) == ("failed", 1)
        (failure,) = job.errors
        assert (failure.source, failure.code, job.reason) == (
            "empty.pdf",
            "DOCUMENT_EMPTY",
            failure.reason,
        )
        assert await knowledge.documents("a") == []


async def test_what_is_no_request_is_refused_and_leaves_nothing(store: Store) -> None:
    few = Options(works=False, limits=ServiceLimits(upload_bytes=10, queued=1))
    file = IngestRequest(kind="file", name="a.md")
    async with opened_knowledge(store, few) as knowledge:
        with pytest.raises(TooLarge):
            await knowledge.submit(ANN, file, pieces(b"123456", b"123456"))
        with pytest.raises(Invalid):
            await knowledge.submit(ANN, file)
        assert await knowledge.jobs(ANN) == []
        waiting = await knowledge.submit(ANN, file, pieces(b"1"))
        with pytest.raises(TooManyJobs):
            await knowledge.submit(ANN, file, pieces(b"1"))
        await knowledge.submit(Principal(tenant="b", user="bob"), file, pieces(b"1"))
        assert (await knowledge.cancel(ANN, waiting.job_id)).status == "cancelled"
        await knowledge.submit(ANN, file, pieces(b"1"))
    with pytest.raises(NotFound):
        _ = [one async for one in store.knowledge.files.read("a", waiting.job_id)]


async def test_a_user_sees_and_cancels_their_own(store: Store) -> None:
    bob = Principal(tenant="a", user="bob")
    async with opened_knowledge(store, IDLE) as knowledge:
        job = await knowledge.submit(ANN, IngestRequest(kind="text"), pieces(b"x"))
        for call in (knowledge.job, knowledge.cancel):
            with pytest.raises(NotFound):
                await call(bob, job.job_id)
        assert await knowledge.jobs(bob) == []
        boss = Principal(tenant="a", user="eve", scopes=("operator",))
        assert await knowledge.jobs(boss) == [job]


async def test_one_that_is_cancelled_stops_and_leaves_nothing_half(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.ingest.pipeline.EMBEDDED", 1)
    documents = store.knowledge.documents
    put = documents.put_chunks

    async def stuck(chunks: Sequence[Chunk]) -> None:
        await put(chunks)
        await asyncio.Event().wait()

    monkeypatch.setattr(documents, "put_chunks", stuck)  # after the first of many
    async with opened_knowledge(store) as knowledge:
        file = IngestRequest(kind="file", name="many.md")
        job = await knowledge.submit(ANN, file, pieces(MANY.encode()))
        async for now in knowledge.watch(ANN, job.job_id):
            if now.progress.chunks:
                await knowledge.cancel(ANN, job.job_id)
        assert (await knowledge.job(ANN, job.job_id)).status == "cancelled"
        assert await knowledge.documents("a") == []
        assert not await store.knowledge.documents.other_models("a", "", limit=1)


async def test_one_that_a_closed_process_began_goes_on_in_the_next(store: Store) -> None:
    async with opened_knowledge(store, IDLE) as knowledge:
        job = await knowledge.submit(ANN, IngestRequest(kind="text"), pieces(LEAVE.encode()))
    async with opened_knowledge(store, EAGER) as knowledge:
        assert (await ended(knowledge, ANN, job)).status == "completed"
        assert await answer(knowledge, "How long is parental leave?")


class Gated(Pages):
    """A site that answers five pages, and the others once its gate is open."""

    def __init__(self, count: int) -> None:
        links = "".join(f'<a href="/{at}">{at}</a>' for at in range(count))
        texts = {f"/{at}": f"<p>Room {at} has desk {at * 3} in it.</p>" for at in range(count)}
        super().__init__({"/": links, **texts})
        self.gate = asyncio.Event()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self.requests) > 5:
            with suppress(asyncio.CancelledError):
                await self.gate.wait()
        await super().answer(reader, writer)


async def test_a_killed_crawl_goes_on_elsewhere_from_where_it_was(
    store: Store, settings: Settings, tmp_path: Path
) -> None:
    site = Gated(12)
    assert settings.mongodb_uri is not None
    environment = os.environ | {
        "TABWRIGHT_MONGODB_URI": settings.mongodb_uri.get_secret_value(),
        "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
        "TABWRIGHT_DATA_DIR": str(tmp_path),
    }
    async with site.served():
        command = (sys.executable, "-m", "tests.integration.knowledge.crawl_child", site.url)
        child = await asyncio.create_subprocess_exec(*command, env=environment)
        try:
            async with opened_knowledge(store, IDLE) as looking:  # one that works may take the job
                while not (found := await looking.jobs(ANN)) or found[0].progress.documents < 3:
                    assert child.returncode is None
                    await asyncio.sleep(0.02)
        finally:
            child.kill()
            await child.wait()
            site.gate.set()
        half = found[0]
        assert (half.status, half.attempts) == ("running", 1)
        async with opened_knowledge(store, EAGER, reaches=site.url) as knowledge:
            job = await ended(knowledge, ANN, half)
            assert (job.status, job.attempts, job.progress.failed) == ("completed", 2, 0)
            assert len(await knowledge.documents("a")) == 13
            # What was kept at the very moment of the kill may not have been counted.
            assert 13 - AT_ONCE <= job.progress.documents <= 13
            again = [path for path in set(site.paths) - {"/robots.txt"} if site.asked(path) > 1]
            assert len(again) <= AT_ONCE  # those that were in flight


async def test_whoever_watches_is_told_of_the_end_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("knowledge.service.POLL_S", 60.0)
    async with opened_knowledge(store) as knowledge, asyncio.timeout(30.0):
        asked = IngestRequest(kind="file", name="notes.md")
        job = await knowledge.submit(ANN, asked, pieces(b"# Notes\n\nThe office opens at nine."))
        told = [one.status async for one in knowledge.watch(ANN, job.job_id)]
    assert told[-1] == "completed"


async def test_files_that_hold_the_readers_hold_up_no_other_tenant(
    store: Store, tmp_path: Path
) -> None:
    slow = slow_file(tmp_path / "slow.pdf").read_bytes()
    async with opened_knowledge(store) as knowledge:
        asked = [IngestRequest(kind="file", name=f"{at}.pdf", set_name=str(at)) for at in range(12)]
        jobs = [await knowledge.submit(ANN, one, pieces(slow)) for one in asked]
        while (await knowledge.job(ANN, jobs[0].job_id)).status == "queued":
            await asyncio.sleep(0.01)
        job = await ingested(knowledge, LEAVE, Principal(tenant="b", user="bob"))
        assert job.status == "completed"
        now = [await knowledge.job(ANN, one.job_id) for one in jobs]
        assert not {one.status for one in now} & JOB_ENDED
