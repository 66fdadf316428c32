"""Reading a thread once: finding where it stands and entering it need the same checkpoint."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from langgraph.checkpoint.base import CheckpointTuple

Kept = dict[str, CheckpointTuple | None]
kept: ContextVar[Kept | None] = ContextVar("kept", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Within, a thread's newest checkpoint is read from the store at most once until it is written.

    For whoever holds the thread's lease: nobody else writes to it meanwhile.
    """
    token = kept.set({})
    try:
        yield
    finally:
        kept.reset(token)
