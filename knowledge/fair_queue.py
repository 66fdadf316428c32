"""Limits concurrency with fair shares: tenants get slots in turn."""

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairQueue:
    """`at_once` slots in all, `each` per tenant. Requests of one tenant are served in order."""

    def __init__(self, at_once: int, each: int) -> None:
        self._free = at_once
        self._each = each
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def has_room(self, tenant: str) -> bool:
        """Whether a request of the tenant would get a slot at once."""
        return self._free > 0 and self._running[tenant] < self._each

    @asynccontextmanager
    async def slot(self, tenant: str) -> AsyncIterator[None]:
        """Wait for a slot, and hold it within the context."""
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(called)
        self._call()
        try:
            await called
        except BaseException:
            self._give_up(tenant, called)
            raise
        try:
            yield
        finally:
            self._leave(tenant)

    def _call(self) -> None:
        """Hand out free slots; a tenant that gets one goes to the end of the queue."""
        while self._free > 0:
            tenant = next((one for one in self._waiting if self._running[one] < self._each), None)
            if tenant is None:
                return
            line = self._waiting[tenant]
            called = line.popleft()
            self._waiting.move_to_end(tenant)
            if not line:
                del self._waiting[tenant]
            if called.done():  # cancelled while waiting
                continue
            self._free -= 1
            self._running[tenant] += 1
            called.set_result(None)

    def _give_up(self, tenant: str, called: "asyncio.Future[None]") -> None:
        if called.done() and not called.cancelled():
            self._leave(tenant)  # got a slot and was cancelled at the same time
            return
        line = self._waiting.get(tenant)
        if line is not None and called in line:
            line.remove(called)
            if not line:
                del self._waiting[tenant]

    def _leave(self, tenant: str) -> None:
        self._free += 1
        self._running[tenant] -= 1
        if not self._running[tenant]:
            del self._running[tenant]
        if tenant in self._waiting:  # other waiting tenants come before its next request
            self._waiting.move_to_end(tenant)
        self._call()
