"""Dispatches jobs to workers through taskiq.

A message is only (tenant, job id); the store is authoritative. A lost or duplicate message costs
a few seconds and does no harm, so any broker will do.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

import structlog

from app.errors import Invalid
from app.threads import background_task

if TYPE_CHECKING:
    from taskiq import AsyncBroker

log = structlog.get_logger(__name__)

QUEUE = "tabwright-knowledge"
MESSAGES = 8  # prefetched at once; the rest are left to other processes
TASK = "tabwright.knowledge"
REDIS = ("redis://", "rediss://", "unix://")

Work = Callable[[str, str], Awaitable[None]]
Send = Callable[[str, str], Awaitable[None]]


class _TaskiqTask(Protocol):
    def kiq(self, tenant: str, job_id: str) -> Awaitable[object]: ...


@asynccontextmanager
async def open_broker(setting: str | None, work: Work, *, works: bool) -> AsyncIterator[Send]:
    """Open a broker; yields a function that sends jobs, and with `works` also receives them here.

    `setting`: None for this process only, a Redis URL, or `module:attribute` of a taskiq broker.
    Raises `Invalid` if it cannot be loaded.
    """
    async with AsyncExitStack() as stack:
        if setting is not None:
            yield await stack.enter_async_context(_open_taskiq(setting, work, works=works))
            return
        lock = asyncio.Lock()
        send: Send | None = None

        async def send_lazily(tenant: str, job_id: str) -> None:
            """Open the broker with the first job, so that a server without jobs starts 0.5 s sooner."""
            nonlocal send
            async with lock:
                if send is None:
                    await asyncio.to_thread(import_module, "taskiq")
                    send = await stack.enter_async_context(_open_taskiq(None, work, works=works))
            await send(tenant, job_id)

        yield send_lazily


@asynccontextmanager
async def _open_taskiq(setting: str | None, work: Work, *, works: bool) -> AsyncIterator[Send]:
    taskiq = await asyncio.to_thread(import_module, "taskiq.api")  # takes 0.5 s
    broker = create_broker(setting)

    async def run_job(tenant: str, job_id: str) -> None:
        await work(tenant, job_id)

    task: _TaskiqTask = broker.register_task(run_job, task_name=TASK, ack_type="when_received")
    broker.is_worker_process = works
    await broker.startup()

    async def send(tenant: str, job_id: str) -> None:
        try:
            await task.kiq(tenant, job_id)
        except Exception as error:  # noqa: BLE001 - see below
            # An unavailable broker raises its driver's errors. The job is in the store, where a
            # sweeper finds it some seconds later.
            log.warning("knowledge_job_not_sent", reason=type(error).__name__)

    async with AsyncExitStack() as stack:
        stack.push_async_callback(broker.shutdown)
        if works and setting is not None:
            receiver = taskiq.run_receiver_task(broker, max_async_tasks=MESSAGES)
            await stack.enter_async_context(background_task(receiver))
        yield send


def create_broker(setting: str | None) -> "AsyncBroker":
    if setting is None:
        from taskiq import InMemoryBroker  # noqa: PLC0415 - see above

        return InMemoryBroker()
    if setting.startswith(REDIS):
        return _create_redis_broker(setting)
    module, _, attribute = setting.partition(":")
    try:
        broker: AsyncBroker = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise Invalid(
            "TABWRIGHT_BROKER is neither a Redis URL nor the name of a taskiq broker, such as"
            " package.module:broker"
        ) from error
    return broker


def _create_redis_broker(url: str) -> "AsyncBroker":
    try:
        from taskiq_redis import ListQueueBroker  # noqa: PLC0415 - an optional extra
    except ImportError as error:
        raise Invalid(
            "TABWRIGHT_BROKER needs taskiq-redis, which is not installed: pip install"
            " 'tabwright[redis]'"
        ) from error
    broker: AsyncBroker = ListQueueBroker(url, queue_name=QUEUE)
    return broker
