"""Runs long text processing off the event loop, with a deadline."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

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
        log.warning("long text given up", withinS=within_s)
        raise TextTooSlow(f"Working on the text takes over {within_s:g} s") from None


async def run_long(work: Callable[[], T], size: int, most: int) -> T:
    """Run off the loop if the text is longer than `most`, else here: a thread does not pay off below 20
    ms.
    """
    return work() if size <= most else await run_off_loop(work)
