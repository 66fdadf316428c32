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
        slot_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(slot_future)
        self._grant_slots()
        try:
            await slot_future
        except BaseException:
            self._withdraw(tenant, slot_future)
            raise
        try:
            yield
        finally:
            self._release(tenant)

    def _grant_slots(self) -> None:
        """Hand out free slots; a tenant that gets one goes to the end of the queue."""
        while self._free > 0:
            tenant = next((one for one in self._waiting if self._running[one] < self._each), None)
            if tenant is None:
                return
            requests = self._waiting[tenant]
            slot_future = requests.popleft()
            self._waiting.move_to_end(tenant)
            if not requests:
                del self._waiting[tenant]
            if slot_future.done():  # cancelled while waiting
                continue
            self._free -= 1
            self._running[tenant] += 1
            slot_future.set_result(None)

    def _withdraw(self, tenant: str, slot_future: "asyncio.Future[None]") -> None:
        if slot_future.done() and not slot_future.cancelled():
            self._release(tenant)  # got a slot and was cancelled at the same time
        elif slot_future in (requests := self._waiting.get(tenant, deque())):
            requests.remove(slot_future)
            if not requests:
                del self._waiting[tenant]

    def _release(self, tenant: str) -> None:
        self._free += 1
        self._running[tenant] -= 1
        if not self._running[tenant]:
            del self._running[tenant]
        if tenant in self._waiting:  # other waiting tenants come before its next request
            self._waiting.move_to_end(tenant)
        self._grant_slots()
