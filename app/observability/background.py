"""Background tasks tied to a context."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import structlog

log = structlog.get_logger(__name__)


@asynccontextmanager
async def background_task(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run the work while the context is open, then cancel it. A failure is logged and does not affect
    the context.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(_told)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _told(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("what went on in the background has ended", exc_info=error)
