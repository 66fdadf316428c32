"""Ownership of a run: the claim of its request in the ledger, and under it the lease of its thread.

Everything a run publishes is written under its lease in one message, see `StoreBatch.write`. So a run that
was stopped, paused or overtaken publishes nothing, however late it notices.
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

CLAIM_TTL_S = (
    6.0  # a dead process's claim is free after this; a live one renews it three times in it
)
RENEW_S = 2.0
PAUSE_TTL_S = 7 * 24 * 60 * 60.0  # as long as the thread is kept
KEY_REVOKED = "The API key of this request was revoked: nothing more is done."
WRITE_POLL_S = 0.01  # while the preempted run is writing its results

PREEMPTED_RUN_S = 5.0  # for a preempted run of this process to answer
RUNNING_TASKS = 100  # per tenant, see `Settings.running_tasks`
EXECUTING_WITHIN = timedelta(minutes=5)  # a runner returns sooner; a question waits this long
RUN_LEASE_S = 60.0  # the lease of a run ends sooner, that of a pause later

T = TypeVar("T")
StoreWrite: TypeAlias = Callable[[Store], Coroutine[Any, Any, None]]


@dataclass(slots=True, kw_only=True)
class RunLease:
    """What a run holds: the claim `claim` of the operation `key`, and the lease.

    `stopped`: the request was stopped before, so the run only reports that. Writes that concern the lease
    hold the `lock`.
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
    """Acquire the thread's lease under a new claim; None while another lease is alive."""
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
    """Renews, transfers and releases the leases of one process's runs."""

    def __init__(self, together: StoreBatch) -> None:
        self._together = together

    async def finish(self, run: RunLease, write: StoreWrite) -> None:
        """Write the run's results atomically and release the lease. Raises `RunLost`, with nothing written.

        A lease inherited from a pause stays with the person.
        """
        async with run.lock:  # a concurrent renewal would create the released lease again
            releases = run.lease.claim != PAUSER
            await self._together.write(write, under=run.lease, releases=releases)
            run.released = True

    async def abandon(self, run: RunLease) -> None:
        """Release claim and lease after an internal error, so that the request can be repeated."""
        tenant = run.lease.tenant

        async def abandon(store: Store) -> None:
            await store.operations.abandon(tenant, run.key, claim=run.claim)

        async def release(store: Store) -> None:
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
            forget_thread()  # release the claim even if the thread could not be written
            try:
                await self._together(release)
            except TabwrightError as error:
                log.warning("claim not given back", error=error.detail, taskId=run.lease.task_id)

    async def ensure_held(self, run: RunLease) -> None:
        """Raise `RunLost` if the lease was lost; for effects outside the store, which have no condition."""
        if not await self._together(lambda store: store.leases.renew(run.lease, ttl_s=CLAIM_TTL_S)):
            raise RunLost

    async def inherit(self, run: RunLease) -> bool:
        """Take over the lease of whoever preempted this run, to finish it; return whether that is a pause.

        Raises `RunLost` if another run has worked on the thread since.
        """
        lease = await self._together(lambda store: store.leases.inherit(run.lease))
        if lease is None:
            raise RunLost
        run.lease = lease
        return lease.claim == PAUSER

    async def preempt(
        self, tenant: str, task_id: str, *, by: str, then: StoreWrite | None = None
    ) -> LeaseTakeover:
        """Take the lease from the thread's run, in any process, and write `then`.

        After the return the run can no longer publish anything.
        """
        ttl_s = PAUSE_TTL_S if by == PAUSER else CLAIM_TTL_S

        async def take(store: Store) -> LeaseTakeover | None:
            cut = await store.leases.take_over(tenant, task_id, by=by, ttl_s=ttl_s)
            if cut is not None and cut.claim and by == STOPPER:
                await store.operations.stop(tenant, cut.key, claim=cut.claim)
            return cut

        while (cut := await self._together(take)) is None:  # noqa: ASYNC110  another process
            await asyncio.sleep(WRITE_POLL_S)
        if then is not None:
            try:
                await self._together.write(then, under=cut.lease)
            except RunLost:  # a new request of the task came first
                log.info("overtaken after a cut", taskId=task_id)
        return cut

    async def heartbeat(
        self,
        run: RunLease,
        who: Principal,
        *,
        lost: Callable[[], None],
        key_revoked: Callable[[], None],
    ) -> None:
        """Renew until cancelled or released. Calls `lost` when claim or lease were lost, and `key_revoked`
        when the request's API key is no longer valid.
        """
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                async with run.lock:
                    if run.released:
                        return
                    held = await self._together(lambda store: _renew(store, run, who))
                if held is None:  # called here, since runs are cancelled on the event loop
                    key_revoked()
                elif not held:
                    lost()
            except TabwrightError as error:
                log.warning("claim not renewed", error=error.detail, taskId=run.lease.task_id)


async def _renew(store: Store, run: RunLease, who: Principal) -> bool | None:
    """Whether claim and lease were renewed; None, with nothing renewed, if the key was revoked."""
    if who.key_id and not await store.keys.is_valid(who.tenant, who.key_id):
        return None
    if not await store.leases.renew(run.lease, ttl_s=CLAIM_TTL_S):
        return False
    return await store.operations.renew(who.tenant, run.key, claim=run.claim, ttl_s=CLAIM_TTL_S)


class RunHandle:
    """One run from its claim to its answer. Only `run` can be cancelled; entering the thread and recording
    the run always complete.
    """

    def __init__(self) -> None:
        self.stopped = False
        self.key_revoked = False
        self.ended = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None
        self._is_finished = False

    def stop(self) -> None:
        """Cancel the work, now or when it starts; no effect after its end."""
        if self._is_finished:
            return
        self.stopped = True
        if self._task is not None:
            self._task.cancel()

    def revoke_key(self) -> None:
        """Stop because the API key was revoked; its holder gets no result."""
        self.key_revoked = True
        self.stop()

    async def run(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The work's result; None if it was stopped."""
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
    """This process's runs, by tenant and task."""

    def __init__(self, leases: LeaseManager, keys: KeyWatch | None = None) -> None:
        self._leases = leases
        self._keys = keys
        self._by_task: dict[tuple[str, str], RunHandle] = {}

    @asynccontextmanager
    async def hold(self, who: Principal, run_lease: RunLease) -> AsyncIterator[RunHandle]:
        """Renew the lease during the run, and stop the run if the lease is lost.

        After an error the lease is abandoned, so that the request can be repeated.
        """
        key = (who.tenant, run_lease.lease.task_id)
        handle = self._by_task[key] = RunHandle()  # the only one, by the task's lease
        if run_lease.stopped:
            handle.stop()
        uses = self._keys.on_close(who, handle.revoke_key) if self._keys else nullcontext()
        heartbeat = asyncio.create_task(
            self._leases.heartbeat(run_lease, who, lost=handle.stop, key_revoked=handle.revoke_key)
        )
        try:
            with uses:
                yield handle
        except RunLost:
            raise  # nothing to abandon
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
        """See `LeaseManager.preempt`. A run of this process is stopped, and its answer awaited briefly."""
        cut = await self._leases.preempt(tenant, task_id, by=by, then=then)
        if handle := self._by_task.get((tenant, task_id)):
            handle.stop()
            with suppress(TimeoutError):
                async with asyncio.timeout(PREEMPTED_RUN_S):
                    await handle.ended.wait()
        return cut


async def require_capacity(store: Store, tenant: str, task_id: str, *, most: int) -> None:
    """Raise `StorageFull` without disk space, and `TooManyTasks` if the tenant has `most` other tasks.

    Tasks with a running request (including conversation turns) and tasks that execute in a browser count.
    """
    store.space.require()
    since = datetime.now(UTC) - EXECUTING_WITHIN
    running = await store.leases.list_runs(tenant, within_s=RUN_LEASE_S, limit=most + 1)
    running |= await store.tasks.list_executing(tenant, since=since, limit=most + 1)
    if len(running - {task_id}) < most:
        return
    raise TooManyTasks(f"{most} tasks of this tenant are under way; wait for one to end")
