"""Per-request cache of a thread: reads it at most once, and defers writes to the end of the request."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from langgraph.checkpoint.base import CheckpointTuple

Rows: TypeAlias = Sequence[tuple[str, Any]]
"""The driver's write operations, each with its collection."""


@dataclass(slots=True)
class RequestCache:
    """What was read of each thread, and what is to be written.

    `making` produces the rows; they are built by the writer, since a large state takes time.
    """

    read: dict[str, CheckpointTuple | None] = field(default_factory=dict)
    making: list[Callable[[], Rows]] = field(default_factory=list)

    def rows(self) -> list[tuple[str, Any]]:
        """All pending writes, in order."""
        return [row for make in self.making for row in make()]

    def written(self) -> None:
        """Mark everything as written."""
        self.making.clear()

    def forget(self) -> None:
        """Discard everything, since another run owns the thread."""
        self.read.clear()
        self.making.clear()


current: ContextVar[RequestCache | None] = ContextVar("current", default=None)


@contextmanager
def request_cache() -> Iterator[None]:
    """Within the context, a thread's newest checkpoint is read from the store at most once, and writes to
    it wait for `StoreBatch.write` under the lease.

    For the holder of the thread's lease, since nobody else writes to the thread meanwhile.
    """
    token = current.set(RequestCache())
    try:
        yield
    finally:
        current.reset(token)


def forget_thread() -> None:
    """After losing the lease, discard what was read and what the run would have written."""
    use = current.get()
    if use is not None:
        use.forget()
