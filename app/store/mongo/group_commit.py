"""Group commit: calls that arrive during a write are combined into the next one.

On the embedded server each write is a log sync of 2 to 10 ms, and concurrent writers wait for each other;
combined writes share one sync.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

MOST = 16  # per write


class GroupCommit(Generic[T, R]):
    """`write` receives up to `MOST` items and returns one result per item, or an error to raise to that
    item's caller. An error that it raises itself goes to all callers.
    """

    def __init__(self, write: Callable[[list[T]], Awaitable[Sequence[R | Exception]]]) -> None:
        self._write = write
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def __call__(self, item: T) -> R:
        """Write the item and return its result.

        If cancelled during the write, wait for the write to end first, so that nothing is written after the
        caller has cleaned up.
        """
        future: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        entry = (item, future)
        self._waiting.append(entry)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            at = next((n for n, one in enumerate(self._waiting) if one is entry), None)
            if at is not None:
                del self._waiting[at]
            elif not future.done():
                await asyncio.wait((future,))
            if future.done() and not future.cancelled():
                future.exception()  # retrieved, so that asyncio does not log it
            raise

    async def _write_all(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                for (_, future), result in zip(batch, await self._results(batch), strict=True):
                    if isinstance(result, Exception):
                        future.set_exception(result)
                    else:
                        future.set_result(result)
        finally:
            self._writing = None

    async def _results(self, batch: list[tuple[T, asyncio.Future[R]]]) -> Sequence[R | Exception]:
        try:
            return await self._write([item for item, _ in batch])
        except Exception as error:  # noqa: BLE001 - raised to the callers
            return [error] * len(batch)
        except asyncio.CancelledError:
            for _, future in batch:
                future.cancel()
            raise
