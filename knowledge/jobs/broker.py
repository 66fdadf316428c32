"""What carries jobs to those who work on them: taskiq.

It carries (tenant, job id) and nothing else. The store is what counts: a message that is lost, or comes
twice, costs some seconds and does no harm. So any broker will do, also one that promises little.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

import structlog

from app.errors import Invalid

if TYPE_CHECKING:
    from taskiq import AsyncBroker

log = structlog.get_logger(__name__)

QUEUE = "tabwright-knowledge"
MESSAGES = 8  # taken at once: the others are for other processes
TASK = "tabwright.knowledge"
REDIS = ("redis://", "rediss://", "unix://")

Work = Callable[[str, str], Awaitable[None]]
Send = Callable[[str, str], Awaitable[None]]


class _Sent(Protocol):
    def kiq(self, tenant: str, job_id: str) -> Awaitable[object]: ...


@asynccontextmanager
async def open_broker(setting: str | None, work: Work, *, works: bool) -> AsyncIterator[Send]:
    """A way to send jobs to whoever works on them, for as long as the context lasts; with `works` they
    come here too. `setting`: None for this process, an address of Redis, or `module:attribute` of any
    broker of taskiq. Raises `Invalid` for one that cannot be had.
    """
    async with AsyncExitStack() as stack:
        if setting is not None:
            yield await stack.enter_async_context(_carried(setting, work, works=works))
            return
        turn = asyncio.Lock()
        send: Send | None = None

        async def begun(tenant: str, job_id: str) -> None:
            """The first job opens it: a server that has none starts 0.5 s sooner."""
            nonlocal send
            async with turn:
                if send is None:
                    await asyncio.to_thread(import_module, "taskiq")
                    send = await stack.enter_async_context(_carried(None, work, works=works))
            await send(tenant, job_id)

        yield begun


@asynccontextmanager
async def _carried(setting: str | None, work: Work, *, works: bool) -> AsyncIterator[Send]:
    taskiq = await asyncio.to_thread(import_module, "taskiq.api")  # 0.5 s that only ingestion needs
    broker = create_broker(setting)

    async def worked(tenant: str, job_id: str) -> None:
        await work(tenant, job_id)

    task: _Sent = broker.register_task(worked, task_name=TASK, ack_type="when_received")
    broker.is_worker_process = works
    await broker.startup()
    listening: asyncio.Task[None] | None = None
    if works and setting is not None:
        listening = asyncio.create_task(taskiq.run_receiver_task(broker, max_async_tasks=MESSAGES))
    try:
        yield _sending(task)
    finally:
        if listening is not None:
            listening.cancel()
            with suppress(asyncio.CancelledError):
                await listening
        await broker.shutdown()


def create_broker(setting: str | None) -> "AsyncBroker":
    """The broker that a setting names."""
    if setting is None:
        from taskiq import InMemoryBroker  # noqa: PLC0415 - see above

        return InMemoryBroker()
    if setting.startswith(REDIS):
        return _redis(setting)
    module, _, attribute = setting.partition(":")
    try:
        broker: AsyncBroker = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Invalid(
            "TABWRIGHT_BROKER is neither an address of Redis nor the name of a broker of taskiq,"
            " as in package.module:broker"
        ) from error
    return broker


def _redis(address: str) -> "AsyncBroker":
    try:
        from taskiq_redis import ListQueueBroker  # noqa: PLC0415 - an extra, not always there
    except ImportError as error:
        raise Invalid(
            "TABWRIGHT_BROKER names Redis, and taskiq-redis is not installed: pip install"
            " 'tabwright[redis]'"
        ) from error
    broker: AsyncBroker = ListQueueBroker(address, queue_name=QUEUE)
    return broker


def _sending(task: _Sent) -> Send:
    async def send(tenant: str, job_id: str) -> None:
        try:
            await task.kiq(tenant, job_id)
        except Exception as error:  # noqa: BLE001 - see below
            # A broker that is away raises what its driver raises. The job is in the store: whoever looks
            # for work finds it there some seconds later.
            log.warning("knowledge_job_not_sent", reason=type(error).__name__)

    return send
