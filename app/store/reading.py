"""How one request uses its thread: read once, and written by one write at a time."""

import asyncio
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field

from langgraph.checkpoint.base import CheckpointTuple


@dataclass(frozen=True, slots=True)
class Use:
    """What was read of each thread, and whose turn it is to write."""

    read: dict[str, CheckpointTuple | None] = field(default_factory=dict)
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)


current: ContextVar[Use | None] = ContextVar("current", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Within, a thread's newest checkpoint is read from the store at most once until it is written.

    For whoever holds the thread's lease: nobody else writes to it meanwhile.
    """
    token = current.set(Use())
    try:
        yield
    finally:
        current.reset(token)


def turn_to_write() -> AbstractAsyncContextManager[object]:
    """One write of a request at a time: LangGraph sends a checkpoint and its writes side by side,
    and two at once may wait 10 ms for each other's log sync on the embedded server.
    """
    use = current.get()
    return use.writing if use else nullcontext()
