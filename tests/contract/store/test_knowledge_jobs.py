"""What every store must do for requests to ingest, and for what they need on the way."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from app.domain.knowledge import MOST_LISTED, IngestFailure, IngestRequest, Job, Progress
from app.errors import NotFound
from app.store.knowledge import LockResult, Visit
from app.store.repositories import Store
from tests.contract.store.test_store import NOW

LATER = NOW + timedelta(seconds=30)


def job(job_id: str = "j1", **over: object) -> Job:
    fields: dict[str, object] = {
        "job_id": job_id,
        "tenant": "a",
        "user": "ann",
        "request": IngestRequest(kind="link", url="https://a.test/", strategy="spider"),
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Job.model_validate(fields | over)


async def claimed(store: Store, owner: str = "o1", now: datetime = NOW) -> Job | None:
    until = now + timedelta(seconds=30)
    return await store.knowledge.jobs.claim("a", "j1", owner=owner, now=now, until=until)


class TestJobs:
    async def test_one_comes_back_equal(self, store: Store) -> None:
        await store.knowledge.jobs.add(job())
        assert await store.knowledge.jobs.get("a", "j1") == job()

    async def test_tries_count_until_it_made_something_or_was_given_back(
        self, store: Store
    ) -> None:
        jobs, at = store.knowledge.jobs, NOW
        await jobs.add(job())
        tries = []
        for count in range(5):
            one = await claimed(store, f"o{count}", at)
            assert one is not None
            tries.append(one.tries)
            at += timedelta(seconds=30)
            if count == 2:
                made = {"documents": ("d1",), "tries": 1}
                await jobs.advance(one, owner="o2", until=at, progress=Progress(), **made)
            if count == 3:
                await jobs.advance(one, owner="o3", until=at, progress=Progress(), tries=0)
        assert tries == [1, 2, 3, 2, 1]

    async def test_one_of_many_has_it_until_the_lease_lapses(self, store: Store) -> None:
        await store.knowledge.jobs.add(job())
        got = await asyncio.gather(*(claimed(store, f"o{at}") for at in range(5)))
        (mine,) = [one for one in got if one is not None]
        assert (mine.status, mine.attempts, mine.leased_until) == ("running", 1, LATER)
        assert await claimed(store, "late", LATER - timedelta(seconds=1)) is None
        other = await claimed(store, "late", LATER)
        assert other is not None
        assert (other.attempts, other.started_at) == (2, NOW)
        assert (
            await store.knowledge.jobs.advance(
                mine, owner=mine.owner, until=LATER, progress=Progress(documents=9)
            )
            is None
        )
        assert (
            await store.knowledge.jobs.finish(
                mine, owner=mine.owner, status="failed", reason="x", now=LATER
            )
            is None
        )
        assert (await store.knowledge.jobs.get("a", "j1")).progress == Progress()

    async def test_what_it_made_is_added_up(self, store: Store) -> None:
        await store.knowledge.jobs.add(job())
        mine = await claimed(store)
        assert mine is not None
        failure = IngestFailure(
            source="x", code="DOCUMENT_EMPTY", reason="There is $nothing in it."
        )
        for at in range(3):
            found = await store.knowledge.jobs.advance(
                mine,
                owner="o1",
                until=LATER,
                progress=Progress(documents=at, current="$x"),
                documents=[f"d{at}", "d0"],
                errors=[failure] * 40,
            )
            assert found is not None
            mine = found
        assert mine.documents == ("d0", "d1", "d2")
        assert mine.errors == (failure,) * MOST_LISTED
        assert mine.progress == Progress(documents=2, current="$x")

    async def test_an_ended_one_stays_as_it_is(self, store: Store) -> None:
        jobs = store.knowledge.jobs
        await jobs.add(job())
        mine = await claimed(store)
        assert mine is not None
        ended = await jobs.finish(mine, owner="o1", status="failed", reason="Why", now=LATER)
        assert ended is not None
        assert (ended.status, ended.reason, ended.ended_at, ended.leased_until) == (
            "failed",
            "Why",
            LATER,
            None,
        )
        assert await claimed(store, "o2", LATER + timedelta(days=1)) is None
        assert await jobs.cancel("a", "j1", now=LATER) == ended
        assert await jobs.list_due(now=LATER + timedelta(days=1), limit=9) == []

    async def test_one_that_nobody_works_on_is_cancelled_at_once(self, store: Store) -> None:
        jobs = store.knowledge.jobs
        await jobs.add(job())
        gone = await jobs.cancel("a", "j1", now=NOW)
        assert (gone.status, gone.ended_at) == ("cancelled", NOW)
        assert await claimed(store) is None

    async def test_whoever_works_on_one_is_told_that_it_is_cancelled(self, store: Store) -> None:
        jobs = store.knowledge.jobs
        await jobs.add(job())
        mine = await claimed(store)
        assert mine is not None
        asked = await jobs.cancel("a", "j1", now=NOW)
        assert (asked.status, asked.cancelling) == ("running", True)
        told = await jobs.advance(mine, owner="o1", until=LATER, progress=Progress())
        assert told is not None
        assert told.cancelling

    async def test_those_that_nobody_works_on_are_found_oldest_first(self, store: Store) -> None:
        jobs = store.knowledge.jobs
        await jobs.add(job("new", created_at=NOW + timedelta(seconds=5)))
        await jobs.add(job("j1"))
        await jobs.add(job("other", tenant="b", created_at=NOW + timedelta(seconds=2)))
        assert await jobs.list_due(now=NOW + timedelta(seconds=5), limit=9) == [
            ("a", "j1"),
            ("b", "other"),
            ("a", "new"),
        ]
        await claimed(store)
        assert ("a", "j1") not in await jobs.list_due(now=LATER - timedelta(seconds=1), limit=9)
        assert ("a", "j1") in await jobs.list_due(now=LATER, limit=9)

    async def test_they_are_listed_and_counted(self, store: Store) -> None:
        jobs = store.knowledge.jobs
        await jobs.add(job("j1"))
        await jobs.add(job("j2", user="bob", created_at=LATER))
        await claimed(store)
        listed = [
            await jobs.listed("a", limit=5),
            await jobs.listed("a", user="ann", limit=5),
            await jobs.listed("a", status="queued", limit=5),
            await jobs.listed("a", user="ann", status="queued", limit=5),
        ]
        assert [[one.job_id for one in page] for page in listed] == [
            ["j2", "j1"],
            ["j1"],
            ["j2"],
            [],
        ]
        assert await jobs.count_queued("a", limit=5) == 1

    async def test_another_tenant_sees_and_changes_nothing(self, store: Store) -> None:
        jobs = store.knowledge.jobs
        await jobs.add(job())
        with pytest.raises(NotFound):
            await jobs.get("b", "j1")
        with pytest.raises(NotFound):
            await jobs.cancel("b", "j1", now=NOW)
        assert await jobs.claim("b", "j1", owner="o", now=NOW, until=LATER) is None
        assert await jobs.listed("b", limit=5) == []
        assert await jobs.get("a", "j1") == job()


class TestFrontiers:
    async def test_addresses_wait_in_the_order_they_were_found(self, store: Store) -> None:
        frontiers = store.knowledge.frontiers
        visits = [Visit(url=f"https://a.test/{at}", depth=at) for at in range(4)]
        assert await frontiers.add("a", "j1", visits[:3]) == 3
        assert await frontiers.add("a", "j1", visits[2:]) == 1
        assert await frontiers.next("a", "j1", limit=9) == visits
        await frontiers.settle("a", "j1", visits[0].url, "done")
        assert await frontiers.next("a", "j1", limit=2) == visits[1:3]
        assert await frontiers.counts("a", "j1") == {"waiting": 3, "done": 1}
        assert await frontiers.counts("b", "j1") == {}
        assert await frontiers.next("b", "j1", limit=9) == []
        await frontiers.clear("b", "j1")
        await frontiers.clear("a", "j2")
        assert await frontiers.counts("a", "j1") == {"waiting": 3, "done": 1}
        await frontiers.clear("a", "j1")
        assert await frontiers.counts("a", "j1") == {}

    async def test_a_long_address_is_one(self, store: Store) -> None:
        long = Visit(url="https://a.test/" + "x" * 4_000)
        assert await store.knowledge.frontiers.add("a", "j1", [long, long]) == 1
        assert await store.knowledge.frontiers.next("a", "j1", limit=5) == [long]


async def given(*pieces: bytes, breaks: bool = False) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece
    if breaks:
        raise ConnectionError


async def read(store: Store, tenant: str = "a") -> bytes:
    return b"".join([piece async for piece in store.knowledge.files.read(tenant, "f1")])


class TestFiles:
    @pytest.mark.parametrize("sizes", [(), (1,), (999_999, 2), (3_500_000,)])
    async def test_bytes_come_back(self, store: Store, sizes: tuple[int, ...]) -> None:
        pieces = [bytes([at]) * size for at, size in enumerate(sizes)]
        assert await store.knowledge.files.put("a", "f1", given(*pieces)) == sum(sizes)
        assert await read(store) == b"".join(pieces)

    async def test_what_broke_off_is_not_there(self, store: Store) -> None:
        with pytest.raises(ConnectionError):
            await store.knowledge.files.put("a", "f1", given(b"x" * 2_000_000, breaks=True))
        with pytest.raises(NotFound):
            await read(store)

    async def test_only_its_tenant_reads_and_deletes_it(self, store: Store) -> None:
        await store.knowledge.files.put("a", "f1", given(b"x"))
        await store.knowledge.files.delete("b", "f1")
        with pytest.raises(NotFound):
            await read(store, "b")
        assert await read(store) == b"x"
        await store.knowledge.files.delete("a", "f1")
        with pytest.raises(NotFound):
            await read(store)


class TestLocks:
    async def test_one_has_it_until_it_is_given_back(self, store: Store) -> None:
        locks = store.knowledge.locks
        got = await asyncio.gather(
            *(locks.acquire("a", "d", owner=f"o{at}", now=NOW, until=LATER) for at in range(5))
        )
        assert sorted(got) == [False] * 4 + [True]
        mine = f"o{got.index(True)}"
        assert await locks.acquire("a", "d", owner=mine, now=NOW, until=LATER)
        assert await locks.acquire("b", "d", owner="x", now=NOW, until=LATER)
        await locks.release("a", "d", owner="x")
        assert not await locks.acquire("a", "d", owner="x", now=NOW, until=LATER)
        await locks.release("a", "d", owner=mine)
        taken = await locks.acquire("a", "d", owner="y", now=NOW, until=LATER)
        assert taken is LockResult.FRESH

    async def test_one_that_lapsed_is_another_s_and_is_told_of(self, store: Store) -> None:
        locks = store.knowledge.locks
        await locks.acquire("a", "d", owner="dead", now=NOW, until=LATER)
        assert await locks.list_expired(now=NOW, limit=5) == []
        assert await locks.list_expired(now=LATER, limit=5) == [("a", "d")]
        later = LATER + timedelta(seconds=30)
        taken = await locks.acquire("a", "d", owner="o", now=LATER, until=later)
        assert taken is LockResult.LEFT
        assert not await locks.acquire("a", "d", owner="dead", now=LATER, until=later)
