"""Orderly shutdown: readiness off, no new runs, then drain the running ones."""

import asyncio
from typing import Any

from app.errors import ServerStopping
from app.runs import RunService


class Shutdown:
    """Orderly shutdown: not ready, no new runs, drain the running ones. See `app.server.worker`."""

    def __init__(self, *services: RunService[Any, Any]) -> None:
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
