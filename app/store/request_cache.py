"""What a request reads of its thread and writes to it: read at most once, and written when it ends."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langgraph.checkpoint.base import CheckpointTuple

Rows: TypeAlias = Sequence[tuple[str, Any]]
"""Writes of the driver, each with the collection that it is for."""


@dataclass(slots=True)
class RequestCache:
    """What was read of each thread, and what is to be written. `making` gives the rows: they are made by
    whoever writes them, since a large state takes its time.
    """

    read: dict[str, CheckpointTuple | None] = field(default_factory=dict)
    making: list[Callable[[], Rows]] = field(default_factory=list)

    def rows(self) -> list[tuple[str, Any]]:
        """All that is to be written, in its order."""
        return [row for make in self.making for row in make()]

    def written(self) -> None:
        """All of it is in the store."""
        self.making.clear()

    def forget(self) -> None:
        """Nothing of it counts: another run works on the thread."""
        self.read.clear()
        self.making.clear()


current: ContextVar[RequestCache | None] = ContextVar("current", default=None)


@contextmanager
def request_cache() -> Iterator[None]:
    """Within, a thread's newest checkpoint is read from the store at most once, and what is written to it
    waits for `StoreBatch.write` under the lease.

    For whoever holds the thread's lease: nobody else writes to it meanwhile.
    """
    token = current.set(RequestCache())
    try:
        yield
    finally:
        current.reset(token)


def forget_thread() -> None:
    """Whoever lost the lease reads anew, and writes nothing of what the run did."""
    use = current.get()
    if use is not None:
        use.forget()
