"""What a request holds is let go of once, and by nothing held again."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, cast

import pytest

from app.domain.access import Principal
from app.runs import lease
from app.runs.lease import LeaseManager, RunLease
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.tasks.leases import Lease


class Slow:
    """A store that takes its time, and tells what it was asked in which order."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.renewing, self.go_on = asyncio.Event(), asyncio.Event()

    async def __call__(self, calls: Callable[[Store], Coroutine[Any, Any, Any]]) -> Any:
        self.renewing.set()
        await self.go_on.wait()
        return await calls(cast(Store, self))

    async def write(
        self, calls: Callable[[Store], Coroutine[Any, Any, Any]], *, under: Lease, releases: bool
    ) -> Any:
        await calls(cast(Store, self))
        self.asked.append("released" if releases else "kept")

    def __getattr__(self, repository: str) -> Any:
        async def asked(name: str) -> bool:
            self.asked.append(f"{repository}.{name}")
            return True

        class Named:
            def __getattr__(self, name: str) -> Any:
                return lambda *_, **__: asked(name)

        return Named()


async def test_a_renewal_under_way_ends_before_the_task_is_let_go_of_and_none_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lease, "RENEW_S", 0)
    store = Slow()
    held = LeaseManager(cast(StoreBatch, store))
    run = RunLease(key="request:r", claim="c", lease=Lease("a", "t", "c", 1))
    keeping = asyncio.create_task(
        held.heartbeat(
            run, Principal(tenant="a", user="u"), lost=lambda: None, key_revoked=lambda: None
        )
    )
    await store.renewing.wait()

    async def write(store: Store) -> None:
        await store.operations.complete("a", "request:r", {}, claim="c")

    ending = asyncio.create_task(held.finish(run, write))
    for _ in range(5):
        await asyncio.sleep(0)
    assert store.asked == []
    store.go_on.set()
    await asyncio.gather(ending, keeping)
    assert store.asked[-2:] == ["operations.complete", "released"]
    assert "leases.renew" in store.asked
