"""Simulate a process that dies between any two of its store calls.

From then on every store call fails, so that nothing the dead process still runs is written. Its claims and
leases stay as they are; `forget_the_dead` expires them.
"""

import copy
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from app.store.batch import StoreBatch
from app.store.open import Opened
from app.store.repositories import Store
from app.store.tasks.leases import Lease

SAVES = ("aget_tuple", "aput", "aput_writes")


class Died(Exception):
    """The process is dead."""


@dataclass
class Life:
    """The number of steps a process has left; None for no limit. A call is two steps: out and back."""

    left: int | None = None
    dead: bool = False

    def step(self) -> None:
        """Take a step, or raise `Died`."""
        if self.left is not None:
            self.left -= 1
            self.dead = self.dead or self.left < 0
        if self.dead:
            raise Died


class _Mortal:
    """A wrapper whose async methods fail once the process is dead."""

    def __init__(self, inner: object, life: Life) -> None:
        self._inner = inner
        self._life = life

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        return _mortal(getattr(self._inner, name), self._life)


def _mortal(
    method: Callable[..., Coroutine[Any, Any, Any]], life: Life
) -> Callable[..., Coroutine[Any, Any, Any]]:
    async def call(*args: Any, **kwargs: Any) -> Any:
        life.step()
        found = await method(*args, **kwargs)
        life.step()
        return found

    return call


def mortal(opened: Opened, life: Life) -> Opened:
    """The store as seen by a process that dies with `life`."""
    saver = copy.copy(opened.checkpointer)
    for name in SAVES:
        setattr(saver, name, _mortal(getattr(opened.checkpointer, name), life))
    return replace(
        opened,
        store=_store(opened.store, life),
        together=cast(StoreBatch, _Together(opened.together, life)),
        checkpointer=saver,
    )


def _store(store: Store, life: Life) -> Store:
    mortal = copy.copy(store)
    for name, repository in vars(store).items():
        if name != "space":  # which is not a store
            setattr(mortal, name, _Mortal(repository, life))
    return mortal


class _Together:
    def __init__(self, together: StoreBatch, life: Life) -> None:
        self._together = together
        self._life = life

    async def __call__(self, calls: Callable[[Store], Coroutine[Any, Any, Any]]) -> Any:
        return await self._together(lambda store: calls(_store(store, self._life)))

    async def write(
        self,
        calls: Callable[[Store], Coroutine[Any, Any, Any]],
        *,
        under: Lease | None = None,
        releases: bool = False,
    ) -> Any:
        """A batch is atomic: a process dies before or after it."""

        async def mortal_calls(store: Store) -> Any:
            return await calls(_store(store, self._life))

        found = await self._together.write(mortal_calls, under=under, releases=releases)
        self._life.step()
        return found


async def forget_the_dead(opened: Opened) -> None:
    """Expire the claims and leases of a dead process. Deaths are random, not caused by the work, so its
    attempts are not counted: a request that ended two processes would be refused the third time.
    """
    past = datetime.now(UTC) - timedelta(seconds=1)
    running = {"state": "running"}
    await opened.database["operations"].update_many(
        running, {"$set": {"claimedUntil": past, "attempts": 0}}
    )
    await opened.database["leases"].update_many({}, {"$set": {"until": past}})


async def let_questions_lapse(opened: Opened, task_id: str) -> None:
    """Age the pending questions by five minutes, by changing the stored dates."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    waits = {"taskId": task_id, "status": "pending"}
    await opened.database["hitl"].update_many(waits, {"$set": {"expiresAt": past}})
    asked = {"taskId": task_id, "status": "awaiting_user"}
    await opened.database["tasks"].update_many(asked, {"$set": {"waitsUntil": past}})
