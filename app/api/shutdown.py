"""Orderly shutdown: not ready, no new runs, drain the running ones."""

import asyncio
from typing import Protocol

from app.errors import ServerStopping


class Drained(Protocol):
    """A service with runs in flight."""

    def stop_accepting(self) -> None:
        """Reject new runs."""
        ...

    async def close(self, *, within_s: float) -> None:
        """Wait for the runs in flight, and abort those that take longer."""
        ...


class Shutdown:
    """Started by the process that serves, see `app.server.worker`."""

    def __init__(self, *services: Drained) -> None:
        self._services = services
        self._started = False

    def check(self) -> None:
        """Raises `ServerStopping` once the shutdown has started."""
        if self._started:
            raise ServerStopping

    def begin(self) -> None:
        """Become not ready and reject new runs; other requests are still served."""
        self._started = True
        for service in self._services:
            service.stop_accepting()

    async def drain(self, within_s: float) -> None:
        """Wait for the runs in flight, and abort those that take longer."""
        await asyncio.gather(*(service.close(within_s=within_s) for service in self._services))
