"""What a request holds is let go of once, and by nothing held again."""

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.agent import renewing
from app.agent.calls import InteractCall
from app.agent.claims import Claim, Claims
from app.agent.kept import Kept
from app.domain.task import Principal
from app.store.port import Store, Together


class Slow:
    """A store that takes its time, and tells what it was asked in which order."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.renewing, self.go_on = asyncio.Event(), asyncio.Event()

    async def __call__(self, calls: Callable[[Store], Coroutine[Any, Any, Any]]) -> Any:
        self.renewing.set()
        await self.go_on.wait()
        return await calls(cast(Store, self))

    async def writing(self, calls: Callable[[Store], Coroutine[Any, Any, Any]]) -> Any:
        return await calls(cast(Store, self))

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
    monkeypatch.setattr(renewing, "RENEW_S", 0)
    store = Slow()
    held = Claims(cast(Together, store))
    call = SimpleNamespace(principal=Principal(tenant="a", user="u"), request_id="r")
    claim = Claim(
        call=cast(InteractCall, call), key="request:r", task_id="t", session_id="s",
        task=None, fresh=True, started=0.0,
    )  # fmt: skip
    keeping = asyncio.create_task(
        held.keep_alive(claim, lost=lambda: None, locked_out=lambda: None)
    )
    await store.renewing.wait()
    ending = asyncio.create_task(held.complete(claim, Kept(event={}, partial=False), None))
    for _ in range(5):
        await asyncio.sleep(0)
    assert store.asked == []
    store.go_on.set()
    await asyncio.gather(ending, keeping)
    assert store.asked[-2:] == ["operations.complete", "leases.release"]
    assert "leases.renew" in store.asked
