"""The orderly end of a process that serves: readiness off, no new runs, those in flight first."""

import asyncio
from typing import Protocol

from app.errors import ServerStopping


class Drained(Protocol):
    """What has runs in flight."""

    def refuse(self) -> None:
        """Let no new ones begin."""
        ...

    async def close(self, *, within_s: float) -> None:
        """Let those in flight end, and cut off what does not within that time."""
        ...


class Shutdown:
    """Whether the process is about to end. Told so by what runs it, see `app.server.worker`."""

    def __init__(self, *services: Drained) -> None:
        self._services = services
        self._begun = False

    def check(self) -> None:
        """Raises `ServerStopping` once the end has begun."""
        if self._begun:
            raise ServerStopping

    def begin(self) -> None:
        """Not ready any more; new runs are refused, everything else is still answered."""
        self._begun = True
        for service in self._services:
            service.refuse()

    async def drain(self, within_s: float) -> None:
        """Wait for the runs in flight, and cut off what does not end within that time."""
        await asyncio.gather(*(service.close(within_s=within_s) for service in self._services))
