"""Calls that come while another is at the store are made together by the next.

On the embedded server each write is a sync of its log, 2 to 10 ms, and writers at once wait for each
other's: as many documents as are under way share one.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

MOST = 16  # at once


class GroupCommit(Generic[T, R]):
    """`write` is given some, at most `MOST`, and says of each what came of it: a result, or an error that
    is raised to whoever brought it. What it raises itself is raised to all of them.
    """

    def __init__(self, write: Callable[[list[T]], Awaitable[Sequence[R | Exception]]]) -> None:
        self._write = write
        self._waiting: list[tuple[T, asyncio.Future[R]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def __call__(self, item: T) -> R:
        """What came of it. One that is cancelled while it is written ends when that has ended, so that
        nothing is written behind the back of whoever clears up.
        """
        told: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        brought = (item, told)
        self._waiting.append(brought)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_all())
        try:
            return await asyncio.shield(told)
        except asyncio.CancelledError:
            at = next((n for n, one in enumerate(self._waiting) if one is brought), None)
            if at is not None:
                del self._waiting[at]
            elif not told.done():
                await asyncio.wait((told,))
            if told.done() and not told.cancelled():
                told.exception()  # nobody is there any more to be told
            raise

    async def _write_all(self) -> None:
        try:
            while self._waiting:
                some, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                for (_, told), result in zip(some, await self._results(some), strict=True):
                    if isinstance(result, Exception):
                        told.set_exception(result)
                    else:
                        told.set_result(result)
        finally:
            self._writing = None

    async def _results(self, some: list[tuple[T, asyncio.Future[R]]]) -> Sequence[R | Exception]:
        try:
            return await self._write([item for item, _ in some])
        except Exception as error:  # noqa: BLE001 - it is theirs
            return [error] * len(some)
        except asyncio.CancelledError:
            for _, told in some:
                told.cancel()
            raise
