"""Runs of this process that go on whether or not anyone listens, until the process ends."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from app.errors import ServerStopping

GIVING_BACK_S = 3.0  # for runs that were cut off to give their claims back


class DetachedRuns:
    """Those under way. Once `refuse` was called, no more begin."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._refuses = False

    def __len__(self) -> int:
        return len(self._tasks)

    def admit(self) -> None:
        """Let another begin. Raises `ServerStopping` once no more do."""
        if self._refuses:
            raise ServerStopping

    def begin(self, run: Coroutine[Any, Any, None]) -> None:
        """Run it from now on."""
        task = asyncio.create_task(run)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def refuse(self) -> None:
        """Let no more begin."""
        self._refuses = True

    async def end(self, within_s: float) -> None:
        """Let what runs come to its end, then cut it off: it gives its claim back, and the same request
        goes on from where it was stored.
        """
        self.refuse()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within_s)
        if left := tuple(self._tasks):
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=GIVING_BACK_S)
