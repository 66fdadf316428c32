"""Levels, looked at every few seconds: what no event tells, and what other workers are scraped for."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import perf_counter

import structlog

from app.errors import TabwrightError
from app.observability.beside import beside
from app.observability.prometheus import Signals

log = structlog.get_logger(__name__)

EVERY_S = 10.0  # Prometheus asks every 15 s by our configuration


class Sampler:
    """Notes how many runs there are, how full the queues are, and how soon the store answers."""

    def __init__(
        self, signals: Signals, running: Callable[[], int], ping: Callable[[], Awaitable[None]]
    ) -> None:
        self._signals, self._running, self._ping = signals, running, ping

    async def sample(self) -> None:
        """Look once; takes as long as the store to answer, 2 s at most."""
        began = perf_counter()
        try:
            await self._ping()
            ping_s: float | None = perf_counter() - began
        except TabwrightError:
            ping_s = None
        self._signals.sampled(running=self._running(), ping_s=ping_s)


@asynccontextmanager
async def sampled(sampler: Sampler) -> AsyncIterator[None]:
    """Look again and again while the block runs."""

    async def look() -> None:
        while True:
            try:
                await sampler.sample()
            except Exception:
                log.exception("not sampled")
            await asyncio.sleep(EVERY_S)

    async with beside(look()):
        yield
