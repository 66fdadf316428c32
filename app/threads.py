"""Work on long texts, off the event loop: others are answered meanwhile, and it has a deadline."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import structlog

from app.errors import TextTooSlow

log = structlog.get_logger(__name__)

T = TypeVar("T")
# What is allowed takes 3 s; on a machine that is busy with other things several times that.
DEADLINE_S = 30.0
THREADS = 4
_pool = ThreadPoolExecutor(THREADS, "long-text")


async def run_off_loop(work: Callable[[], T], within_s: float = DEADLINE_S) -> T:
    """What the work returns, done in a thread with this context. `TextTooSlow` where that takes longer: it is
    waited for no more, and cannot be ended, so nothing that could go on for ever belongs here.
    """
    context = contextvars.copy_context()
    running = asyncio.get_running_loop().run_in_executor(_pool, context.run, work)
    try:
        return await asyncio.wait_for(running, within_s)
    except TimeoutError:
        log.warning("long text given up", withinS=within_s)
        raise TextTooSlow(f"Working on the text takes over {within_s:g} s") from None


async def run_long(work: Callable[[], T], size: int, most: int) -> T:
    """The same off the loop where the text is longer than `most`, here otherwise: a thread is no use for
    what takes under 20 ms.
    """
    return work() if size <= most else await run_off_loop(work)
