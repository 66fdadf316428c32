"""Who owns a run: the claim of its request in the ledger, and under that claim the lease of its thread.

Whatever a run publishes is written under its lease in one message: see `StoreBatch.write`. So a run that
was stopped, paused or overtaken leaves nothing, however late it finds out.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias, TypeVar

import structlog

from app.domain.access import Principal
from app.errors import RunLost, TabwrightError, TooManyTasks
from app.store.batch import StoreBatch, forget_thread
from app.store.people.keys import KeyWatch
from app.store.repositories import Store
from app.store.tasks.leases import PAUSER, STOPPER, Lease, LeaseTakeover
from app.store.tasks.operations import OperationStart

log = structlog.get_logger(__name__)

CLAIM_TTL_S = 6.0  # a dead process's claim is free after this; a live one renews it thrice in it
RENEW_S = 2.0
PAUSED_FOR_S = 7 * 24 * 60 * 60.0  # as long as the thread is kept
KEY_REVOKED = "The API key of this request was revoked: nothing more is done."
WRITE_POLL_S = 0.01  # between two looks at a lease whose run is just writing what it leaves

WAIT_S = 5.0  # for a run that was cut off to leave its thread in order
RUNNING_TASKS = 100  # of one tenant at once, see `Settings.running_tasks`
EXECUTING_WITHIN = timedelta(minutes=5)  # a runner comes back sooner; a question waits so long
RUNS_S = 60.0  # a run's lease ends sooner, a pause's later

T = TypeVar("T")
StoreWrite: TypeAlias = Callable[[Store], Coroutine[Any, Any, None]]


@dataclass(slots=True, kw_only=True)
class RunLease:
    """What a run holds: the claim `claim` of the operation `key`, and the lease. `stopped`: its request was
    stopped before, and it is only to say so. Who holds the `lock` may write of it.
    """

    key: str
    claim: str
    lease: Lease
    stopped: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    released: bool = False


async def acquire_lease(
    store: Store,
    begun: OperationStart,
    tenant: str,
    key: str,
    *,
    user: str = "",
    hands_back: bool = False,
) -> RunLease | None:
    """The lease of the thread, for a claim that was just made; None while another's is alive."""
    lease = await store.leases.acquire(
        tenant,
        begun.task_id,
        claim=begun.claim,
        ttl_s=CLAIM_TTL_S,
        key=key,
        since=begun.since,
        user=user,
        hands_back=hands_back,
    )
    if lease is None:
        return None
    return RunLease(key=key, claim=begun.claim, lease=lease, stopped=begun.stopped or lease.stopped)


class LeaseManager:
    """Keeps, takes away and gives back what runs hold, for one process."""

    def __init__(self, together: StoreBatch) -> None:
        self._together = together

    async def finish(self, run: RunLease, write: StoreWrite) -> None:
        """Write what the run leaves, all of it or nothing, and let go. Raises `RunLost` for nothing.

        Who leaves a thread in order that the person holds does not let go of it for them.
        """
        async with run.lock:  # a renewal under way would make anew what is let go of here
            releases = run.lease.claim != PAUSER
            await self._together.write(write, under=run.lease, releases=releases)
            run.released = True

    async def abandon(self, run: RunLease) -> None:
        """After a failure of ours: a repeat of the request may run anew, from where this one stood."""
        tenant = run.lease.tenant

        async def abandon(store: Store) -> None:
            await store.operations.abandon(tenant, run.key, claim=run.claim)

        async def let_go(store: Store) -> None:
            await abandon(store)
            await store.leases.release(run.lease)

        async with run.lock:
            run.released = True
            try:
                await self._together.write(abandon, under=run.lease, releases=True)
            except TabwrightError as error:
                log.warning("run not kept", error=error.detail, taskId=run.lease.task_id)
            else:
                return
            forget_thread()  # what could not be written is no reason to keep the claim
            try:
                await self._together(let_go)
            except TabwrightError as error:
                log.warning("claim not given back", error=error.detail, taskId=run.lease.task_id)

    async def ensure_held(self, run: RunLease) -> None:
        """Raises `RunLost` where the lease was taken away: for what is done outside the store, which no
        condition can hold back.
        """
        lease = run.lease
        held = await self._together(lambda store: store.leases.renew(lease, ttl_s=CLAIM_TTL_S))
        if not held:
            raise RunLost

    async def inherit(self, run: RunLease) -> bool:
        """Go on under the lease of whoever cut this run off, to leave its thread in order; whether that is a
        pause. Raises `RunLost` where another run has worked on the thread since.
        """
        lease = await self._together(lambda store: store.leases.inherit(run.lease))
        if lease is None:
            raise RunLost
        run.lease = lease
        return lease.claim == PAUSER

    async def preempt(
        self, tenant: str, task_id: str, *, by: str, then: StoreWrite | None = None
    ) -> LeaseTakeover:
        """Take the thread from the run that works on it, in whatever process, with what is to be written
        `then`. From its return nothing that the run does counts.
        """
        ttl_s = PAUSED_FOR_S if by == PAUSER else CLAIM_TTL_S

        async def take(store: Store) -> LeaseTakeover | None:
            cut = await store.leases.cut(tenant, task_id, by=by, ttl_s=ttl_s)
            if cut is not None and cut.claim and by == STOPPER:
                await store.operations.stop(tenant, cut.key, claim=cut.claim)
            return cut

        while (cut := await self._together(take)) is None:  # noqa: ASYNC110  another process
            await asyncio.sleep(WRITE_POLL_S)
        if then is not None:
            try:
                idle = by == STOPPER and not cut.claim  # nobody is to leave the thread in order
                await self._together.write(then, under=cut.lease, releases=idle)
            except RunLost:  # somebody sent the task again at once
                log.info("overtaken after a cut", taskId=task_id)
        return cut

    async def heartbeat(
        self,
        run: RunLease,
        who: Principal,
        *,
        lost: Callable[[], None],
        locked_out: Callable[[], None],
    ) -> None:
        """Renew until cancelled or let go of. `lost` is told when the claim or the lease was taken away,
        `locked_out` when the key that this was asked with opens no more.
        """
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                async with run.lock:
                    if run.released:
                        return
                    held = await self._together(lambda store: _renew(store, run, who))
                if held is None:  # said here, since a run is cut off by the event loop's own thread
                    locked_out()
                elif not held:
                    lost()
            except TabwrightError as error:
                log.warning("claim not renewed", error=error.detail, taskId=run.lease.task_id)


async def _renew(store: Store, run: RunLease, who: Principal) -> bool | None:
    """Whether it is still held; None where the key opens no more: nothing is renewed, the run ends now."""
    if who.key_id and not await store.keys.is_valid(who.tenant, who.key_id):
        return None
    if not await store.leases.renew(run.lease, ttl_s=CLAIM_TTL_S):
        return False
    return await store.operations.renew(who.tenant, run.key, claim=run.claim, ttl_s=CLAIM_TTL_S)


class RunHandle:
    """One run from its claim to its answer. Only what it does in `run` can be cut off: before and
    after it reads and writes what must be whole.
    """

    def __init__(self) -> None:
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
        key = (who.tenant, run_lease.lease.task_id)
        handle = self._by_task[key] = RunHandle()  # the lease of the task keeps it the only one
        if run_lease.stopped:
            handle.stop()
        uses = self._keys.on_close(who, handle.revoke_key) if self._keys else nullcontext()
        heartbeat = asyncio.create_task(
            self._leases.heartbeat(run_lease, who, lost=handle.stop, locked_out=handle.revoke_key)
        )
        try:
            with uses:
                yield handle
        except RunLost:
            raise  # nothing is left to abandon
        except BaseException:
            await self._leases.abandon(run_lease)
            raise
        finally:
            heartbeat.cancel()
            handle.ended.set()
            if self._by_task.get(key) is handle:
                del self._by_task[key]

    async def preempt(
        self, tenant: str, task_id: str, *, by: str, then: StoreWrite | None = None
    ) -> LeaseTakeover:
        """Take the task from its run, here or elsewhere, see `LeaseManager.preempt`; one of this process is
        cut off, and its answer is awaited for a while.
        """
        cut = await self._leases.preempt(tenant, task_id, by=by, then=then)
        if handle := self._by_task.get((tenant, task_id)):
            handle.stop()
            with suppress(TimeoutError):
                async with asyncio.timeout(WAIT_S):
                    await handle.ended.wait()
        return cut


async def require_capacity(store: Store, tenant: str, task_id: str, *, most: int) -> None:
    """Raises `StorageFull` without room for what a run writes, and `TooManyTasks` where the tenant has
    `most` tasks under way beside the new one: those whose run is at work now, turns of conversations among
    them, and those that execute in a browser.
    """
    store.space.require()
    since = datetime.now(UTC) - EXECUTING_WITHIN
    running = await store.leases.alive(tenant, within_s=RUNS_S, limit=most + 1)
    running |= await store.tasks.executing(tenant, since=since, limit=most + 1)
    if len(running - {task_id}) < most:
        return
    raise TooManyTasks(f"{most} tasks of this tenant are under way; wait for one to end")
