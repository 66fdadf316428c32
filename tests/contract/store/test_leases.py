"""Who may work on a thread: one at a time, told apart by a number that only grows."""

import asyncio
from datetime import datetime
from typing import Any

import pytest

from app.errors import RunLost
from app.store import batch as hops
from app.store.open import Opened
from app.store.repositories import Store
from app.store.tasks.leases import PAUSER, STOPPER, Lease
from tests.contract.store.test_store import task


async def take(store: Store, claim: str, **over: Any) -> Lease | None:
    fields: dict[str, Any] = {"tenant": "a", "task_id": "t", "ttl_s": 60} | over
    return await store.leases.acquire(
        fields.pop("tenant"), fields.pop("task_id"), claim=claim, **fields
    )


async def held(store: Store, claim: str, **over: Any) -> Lease:
    lease = await take(store, claim, **over)
    assert lease is not None
    return lease


async def begun(store: Store, key: str) -> datetime:
    """The store's time when an operation began, later than all that was done before."""
    await asyncio.sleep(0.002)  # the store tells milliseconds apart
    made = await store.operations.begin("a", key, fingerprint="f", task_id="t", ttl_s=60)
    await asyncio.sleep(0.002)
    return made.since


class TestTaking:
    async def test_one_holds_it_until_released(self, store: Store) -> None:
        first = await held(store, "c1")
        assert await take(store, "c2") is None
        assert await take(store, "c1") == first  # told again what it has
        await store.leases.release(Lease("a", "t", "c2", first.fence))
        assert await take(store, "c2") is None
        await store.leases.release(first)
        second = await held(store, "c2")
        await store.leases.release(first)
        assert await store.leases.find_holder("a", "t") == "c2"
        assert second.fence == first.fence + 1

    async def test_it_is_kept_up_until_given_back_and_no_longer(self, store: Store) -> None:
        leases, first = store.leases, await held(store, "c1", ttl_s=-1)
        assert await leases.find_holder("a", "t") is None
        assert await leases.renew(first, ttl_s=60)
        assert await take(store, "c2") is None
        await leases.release(first)
        assert not await leases.renew(first, ttl_s=60)
        second = await held(store, "c2", ttl_s=-1)
        assert not await leases.renew(first, ttl_s=60)
        third = await held(store, "c3")
        assert not await leases.renew(second, ttl_s=60)
        assert [first.fence, second.fence, third.fence] == [1, 2, 3]
        assert not await leases.renew(Lease("a", "none", "c1", 1), ttl_s=60)

    async def test_who_takes_an_operation_over_has_its_lease(self, store: Store) -> None:
        mine = await held(store, "c1", key="request:r")
        assert await take(store, "c2", key="request:other") is None
        await store.leases.guard(mine)
        assert await take(store, "c2", key="request:r") is None
        await store.leases.settle(mine)
        await held(store, "c2", key="request:r")
        assert not await store.leases.renew(mine, ttl_s=60)
        await store.leases.take_over("a", "t", by=PAUSER, ttl_s=60)
        assert await take(store, "c3", key="request:r") is None

    async def test_twenty_at_once_are_one_holder(self, store: Store) -> None:
        for before in (None, 0.0):  # free, and run out
            if before is not None:
                await take(store, "gone", ttl_s=before)
            got = await asyncio.gather(*(take(store, f"c{n}") for n in range(20)))
            (mine,) = (lease for lease in got if lease is not None)
            await store.leases.release(mine)

    async def test_tenants_have_their_own(self, store: Store) -> None:
        mine = await held(store, "c1")
        await held(store, "c2", tenant="b")
        await store.leases.release(Lease("b", "t", "c1", mine.fence))
        assert await take(store, "c2") is None

    async def test_the_store_says_what_time_it_is(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A process whose clock is ahead takes no lease that is alive, and no claim."""
        await held(store, "c1", ttl_s=6)
        begun = {"fingerprint": "f", "task_id": "t", "ttl_s": 6}
        await store.operations.begin("a", "k", **begun)

        class Ahead:
            def __getattr__(self, name: str) -> Any:
                raise AssertionError(f"this process's clock was read: {name}")

        monkeypatch.setattr("app.store.tasks.operations.datetime", Ahead(), raising=False)
        monkeypatch.setattr("app.store.tasks.leases.datetime", Ahead())
        assert await take(store, "c2") is None
        assert (await store.operations.begin("a", "k", **begun)).state == "running"


class TestCutting:
    async def test_a_run_is_stopped_and_may_leave_its_thread_in_order(self, store: Store) -> None:
        mine = await held(store, "c1", key="request:r")
        cut = await store.leases.take_over("a", "t", by=STOPPER, ttl_s=60)
        assert cut is not None
        assert (cut.claim, cut.key) == ("c1", "request:r")
        assert cut.lease.fence == mine.fence + 1
        assert not await store.leases.renew(mine, ttl_s=60)
        assert await take(store, "c2") is None
        assert await store.leases.inherit(mine) == cut.lease
        assert await store.leases.inherit(Lease("a", "t", "another", mine.fence)) is None
        await store.leases.release(cut.lease)
        await held(store, "c2")
        assert await store.leases.inherit(mine) is None

    async def test_so_is_one_that_slept_past_its_lease(self, store: Store) -> None:
        mine = await held(store, "c1", key="request:r", ttl_s=-1)
        cut = await store.leases.take_over("a", "t", by=STOPPER, ttl_s=60)
        assert cut is not None
        assert (cut.claim, cut.key) == ("c1", "request:r")
        assert await store.leases.inherit(mine) == cut.lease
        await held(store, "c2")

    async def test_whoever_began_before_a_stop_is_told_and_whoever_did_after_it_is_not(
        self, store: Store
    ) -> None:
        """Whether or not somebody had the lease, and whatever was stopped or paused since."""
        before = await begun(store, "before")
        for holds in (False, True):
            if holds:
                await held(store, "c1", key="request:another")
            await store.leases.take_over("a", "t", by=STOPPER, ttl_s=60)
            await store.leases.take_over(
                "a", "t", by=STOPPER, ttl_s=60
            )  # by now it is the stopper's
            between = await begun(store, f"between {holds}")
            await store.leases.take_over("a", "t", by=PAUSER, ttl_s=-1)
            late = await held(store, f"c2 {holds}", key="request:r", since=before, ttl_s=-1)
            assert late.stopped
            new = await held(store, f"c3 {holds}", key="request:r", since=between)
            assert not new.stopped
            await store.leases.release(new)

    async def test_a_hand_back_ends_no_pause_that_came_after_it(self, store: Store) -> None:
        before = await begun(store, "before")
        await store.leases.take_over("a", "t", by=PAUSER, ttl_s=60)
        assert await take(store, "c1", hands_back=True, since=before) is None
        after = await begun(store, "after")
        assert (await held(store, "c1", hands_back=True, since=after)).resumed

    async def test_what_nobody_works_on_is_free_at_once(self, store: Store) -> None:
        for _ in range(2):
            cut = await store.leases.take_over("a", "t", by=STOPPER, ttl_s=60)
            assert cut is not None
            assert not cut.claim
        assert (await held(store, "c1")).fence == 3

    async def test_a_pause_is_ended_by_a_hand_back_or_a_stop_alone(self, store: Store) -> None:
        mine = await held(store, "c1")
        cut = await store.leases.take_over("a", "t", by=PAUSER, ttl_s=60)
        assert cut is not None
        assert await store.leases.find_pause("a", "t") == cut.lease
        again = await store.leases.take_over("a", "t", by=PAUSER, ttl_s=60)
        assert again is not None
        assert again.lease == cut.lease
        assert await take(store, "c2") is None
        back = await held(store, "c2", hands_back=True)
        assert back.resumed
        assert await store.leases.inherit(mine) is None
        assert await store.leases.find_pause("a", "t") is None
        await store.leases.take_over("a", "t", by=PAUSER, ttl_s=60)
        await store.leases.take_over("a", "t", by=STOPPER, ttl_s=60)
        assert await store.leases.find_pause("a", "t") is None
        assert not (await held(store, "c3")).resumed

    async def test_a_pause_that_ran_out_or_was_ended_holds_nobody_up(self, store: Store) -> None:
        mine = await held(store, "c1")
        cut = await store.leases.take_over("a", "t", by=PAUSER, ttl_s=0)
        assert cut is not None
        assert await store.leases.find_pause("a", "t") is None
        await store.leases.release(cut.lease)
        assert await store.leases.inherit(mine) is None
        assert await take(store, "c2")

    async def test_it_waits_while_a_run_writes_what_it_leaves(self, store: Store) -> None:
        mine = await held(store, "c1")
        await store.leases.guard(mine)
        assert await store.leases.take_over("a", "t", by=STOPPER, ttl_s=60) is None
        await store.leases.settle(mine)
        assert await store.leases.take_over("a", "t", by=STOPPER, ttl_s=60)


@pytest.mark.parametrize("way", ["message", "transaction", "singly"])
class TestWritingUnderIt:
    @pytest.fixture(autouse=True)
    def sent_so(self, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
        async def takes(_: object) -> str:
            return way

        monkeypatch.setattr(hops.StoreBatch, "_detect_way", takes)

    async def test_all_is_written_by_who_has_it(self, opened: Opened) -> None:
        mine = await held(opened.store, "c1")
        await opened.together.write(lambda s: s.tasks.save(task(status="executing")), under=mine)
        assert (await opened.store.tasks.get("a", "t1")).status == "executing"
        assert await opened.store.leases.find_holder("a", "t") == "c1"
        done = task(status="completed")
        await opened.together.write(lambda s: s.tasks.save(done), under=mine, releases=True)
        assert (await opened.store.tasks.get("a", "t1")).status == "completed"
        assert await opened.store.leases.find_holder("a", "t") is None

    async def test_a_stop_that_is_recorded_late_holds_up_nobody(self, opened: Opened) -> None:
        """The stopped run may have left before the stop itself is written."""
        mine = await held(opened.store, "c1")
        cut = await opened.store.leases.take_over("a", "t", by=STOPPER, ttl_s=60)
        left = await opened.store.leases.inherit(mine)
        assert cut is not None
        assert left is not None
        await opened.together.write(
            lambda s: s.tasks.save(task(status="executing")), under=left, releases=True
        )
        stopped = task(status="interrupted")
        await opened.together.write(lambda s: s.tasks.save(stopped), under=cut.lease)
        assert (await opened.store.tasks.get("a", "t1")).status == "interrupted"
        assert await take(opened.store, "c2")

    async def test_nothing_is_written_by_who_lost_it(self, opened: Opened) -> None:
        store, mine = opened.store, await held(opened.store, "c1", ttl_s=-1)
        await store.tasks.save(task(status="interrupted"))
        for lost in ("cut", "taken", "gone"):
            if lost == "cut":
                await store.leases.take_over("a", "t", by=STOPPER, ttl_s=-1)
            if lost == "taken":
                await held(store, "c2")
            if lost == "gone":
                await opened.database["leases"].delete_many({})
            with pytest.raises(RunLost):
                await opened.together.write(
                    lambda s: s.tasks.save(task(status="executing")), under=mine
                )
            assert (await store.tasks.get("a", "t1")).status == "interrupted"
