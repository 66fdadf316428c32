"""Work in the background: long text processing in threads, and tasks tied to a context."""

import asyncio
import contextvars
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import structlog

from app.errors import TextTooSlow

log = structlog.get_logger(__name__)

T = TypeVar("T")
# The longest allowed text takes 3 s; several times that on a busy machine.
DEADLINE_S = 30.0
THREADS = 4
_pool = ThreadPoolExecutor(THREADS, "long-text")


async def run_off_loop(work: Callable[[], T], within_s: float = DEADLINE_S) -> T:
    """Run the work in a thread with the current context. Raises `TextTooSlow` at the deadline; the
    thread cannot be stopped, so never pass work that may not terminate.
    """
    context = contextvars.copy_context()
    running = asyncio.get_running_loop().run_in_executor(_pool, context.run, work)
    try:
        return await asyncio.wait_for(running, within_s)
    except TimeoutError:
        log.warning("text processing timed out", withinS=within_s)
        raise TextTooSlow(f"Working on the text takes over {within_s:g} s") from None


async def run_long(work: Callable[[], T], size: int, most: int) -> T:
    """Run off the loop if `size` exceeds `most`, else here: a thread pays off from 20 ms on."""
    return work() if size <= most else await run_off_loop(work)


@asynccontextmanager
async def background_task(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run the work while the context is open, then cancel it. A failure is logged and does not affect
    the context.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(_log_failure)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("background task failed", exc_info=error)
