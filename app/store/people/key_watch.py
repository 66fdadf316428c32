"""Watches the API keys of work in progress, and stops that work when a key is closed.

Each request checks its key, so a closed key cannot start anything. Work in progress, such as a stream or a
run, is stopped from here: one query per poll for all keys in use, whichever process closed one.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import structlog

from app.domain.access import Principal
from app.errors import TabwrightError, Unauthenticated
from app.store.batch import StoreBatch

log = structlog.get_logger(__name__)

LOOK_S = 0.25
CLOSED = "This key was closed while the request was under way"
Closed = Callable[[], None]


class KeyWatch:
    """The keys in use by this process."""

    def __init__(self, together: StoreBatch) -> None:
        self._together = together
        self._uses: defaultdict[str, dict[object, Closed]] = defaultdict(dict)

    @contextmanager
    def listening(self, who: Principal, closed: Closed) -> Iterator[None]:
        """Within the context, `closed` is called at least once after the key was closed."""
        if not who.key_id:  # the server's own work
            yield
            return
        use = object()
        self._uses[who.key_id][use] = closed
        try:
            yield
        finally:
            del self._uses[who.key_id][use]
            if not self._uses[who.key_id]:
                del self._uses[who.key_id]

    @asynccontextmanager
    async def open(self, who: Principal) -> AsyncIterator[None]:
        """Within the context, the body is cancelled and `Unauthenticated` raised once the key is closed."""
        loop = asyncio.get_running_loop()
        limit = asyncio.timeout(None)
        try:
            async with limit:
                with self.listening(who, lambda: limit.reschedule(loop.time())):
                    yield
        except TimeoutError:
            if not limit.expired():
                raise
            raise Unauthenticated(CLOSED) from None

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Poll until the context ends."""
        looking = asyncio.create_task(self._look_on())
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking

    async def _look_on(self) -> None:
        """Check only keys that have been in use for longer than one poll; most requests are shorter."""
        before: set[str] = set()
        while True:
            await asyncio.sleep(LOOK_S)
            due, before = before & self._uses.keys(), set(self._uses)
            try:
                if due:
                    self._end(await self._together(lambda store, due=due: store.keys.closed(due)))  # type: ignore[misc]
            except TabwrightError as error:
                log.warning("keys not looked at", error=error.detail)

    def _end(self, key_ids: set[str]) -> None:
        for key_id in key_ids:
            for closed in tuple(self._uses.get(key_id, {}).values()):
                closed()
