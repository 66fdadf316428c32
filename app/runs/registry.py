"""The runs of this process: those that can be cancelled, and those that nobody has to listen to."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import Any, TypeVar

from app.domain.access import Principal
from app.errors import RunLost, ServerStopping
from app.runs.lease import LeaseManager, RunLease
from app.store.people.key_watch import KeyWatch

T = TypeVar("T")
WAIT_S = 5.0  # for a run that was cut off to leave its thread in order


class RunHandle:
    """One run from its claim to its answer. Only what it does in `over` can be cut off: before and
    after it reads and writes what must be whole.
    """

    def __init__(self, key: tuple[str, str]) -> None:
        self.key = key
        self.key_uses = ExitStack()  # of the key that it was asked with
        self.stopped = False
        self.key_revoked = False
        self.ended = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self._is_finished = False

    def stop(self) -> None:
        """Cut it off, now or as soon as it can be; nothing happens to one that is over."""
        if self._is_finished:
            return
        self.stopped = True
        if self._task is not None:
            self._task.cancel()

    def revoke_key(self) -> None:
        """Cut it off: the key it was asked with opens no more. Nothing is told to who has it."""
        self.key_revoked = True
        self.stop()

    async def run(self, work: Coroutine[Any, Any, T]) -> T | None:
        """What the work returns; None when it was cut off."""
        task: asyncio.Task[T] = asyncio.create_task(work)
        self._task = task
        if self.stopped:
            task.cancel()
        try:
            return await task
        except asyncio.CancelledError:
            if not self.stopped or not task.cancelled():
                raise
            return None
        finally:
            self._is_finished = True


class RunRegistry:
    """The runs under way, by tenant and task."""

    def __init__(self, leases: LeaseManager, keys: KeyWatch | None = None) -> None:
        self._leases = leases
        self._keys = keys
        self._by_task: dict[tuple[str, str], RunHandle] = {}

    @asynccontextmanager
    async def hold(self, who: Principal, run_lease: RunLease) -> AsyncIterator[RunHandle]:
        """Keep the lease alive while the run lasts; it is stopped once the lease is lost. An error abandons
        the lease, so that a repeat of the request runs anew.
        """
        handle = self.start(who, run_lease.lease.task_id)
        if run_lease.stopped:
            handle.stop()
        heartbeat = asyncio.create_task(
            self._leases.heartbeat(run_lease, who, lost=handle.stop, locked_out=handle.revoke_key)
        )
        try:
            yield handle
        except RunLost:
            raise  # nothing is left to abandon
        except BaseException:
            await self._leases.abandon(run_lease)
            raise
        finally:
            heartbeat.cancel()
            self.finish(handle)

    def start(self, who: Principal, task_id: str) -> RunHandle:
        """A flight for this task, which ends with the key; the task's lease keeps it the only one."""
        key = (who.tenant, task_id)
        flight = self._by_task[key] = RunHandle(key)
        if self._keys is not None:
            flight.key_uses.enter_context(self._keys.listening(who, flight.revoke_key))
        return flight

    def finish(self, flight: RunHandle) -> None:
        """It has answered."""
        flight.key_uses.close()
        flight.ended.set()
        if self._by_task.get(flight.key) is flight:
            del self._by_task[flight.key]

    async def stop(self, tenant: str, task_id: str) -> bool:
        """Cut the task's run off and wait a while for its answer; False when there is none."""
        flight = self._by_task.get((tenant, task_id))
        if flight is None:
            return False
        flight.stop()
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                await flight.ended.wait()
        return True


GIVING_BACK_S = 3.0  # for runs that were cut off to give their claims back


class BackgroundRuns:
    """Those under way. Once `refuse` was called, no more begin."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._refuses = False

    def __len__(self) -> int:
        return len(self._tasks)

    def require_accepting(self) -> None:
        """Let another begin. Raises `ServerStopping` once no more do."""
        if self._refuses:
            raise ServerStopping

    def start(self, run: Coroutine[Any, Any, None]) -> None:
        """Run it from now on."""
        task = asyncio.create_task(run)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop_accepting(self) -> None:
        """Let no more begin."""
        self._refuses = True

    async def drain(self, within_s: float) -> None:
        """Let what runs come to its end, then cut it off: it gives its claim back, and the same request
        goes on from where it was stored.
        """
        self.stop_accepting()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within_s)
        if left := tuple(self._tasks):
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=GIVING_BACK_S)
