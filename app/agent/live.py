"""A run that goes on whether or not anyone is listening."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from app.agent.status import status_event

Event = dict[str, Any]
TERMINAL = frozenset({"action", "interrupt", "done", "error", "response"})


class LiveRun:
    """The events of one request: kept from the first, so that a late listener gets them all."""

    def __init__(self, body_hash: str) -> None:
        self.body_hash = body_hash
        self._events: list[Event] = []
        self._changed = asyncio.Condition()
        self._ended = asyncio.Event()
        self.failure: Exception | None = None
        self.timings: dict[str, float] = {}  # ms by part, for `Server-Timing`

    @property
    def begun(self) -> bool:
        """Whether anything was said yet."""
        return bool(self._events)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add what the block takes to a part's time."""
        started = perf_counter()
        try:
            yield
        finally:
            spent = (perf_counter() - started) * 1000
            self.timings[part] = self.timings.get(part, 0.0) + spent

    async def emit(self, event: Event) -> None:
        """Add an event and wake the listeners."""
        async with self._changed:
            self._events.append(event)
            self._changed.notify_all()
        if event["type"] in TERMINAL:
            self._ended.set()

    async def told(self, node: str, patch: Mapping[str, Any]) -> None:
        """Say that a node ended."""
        await self.emit(status_event(node, patch))

    async def follow(self) -> AsyncIterator[Event]:
        """Every event from the first, until the terminal one."""
        position = 0
        while True:
            async with self._changed:
                while position >= len(self._events):
                    await self._changed.wait()
                fresh = self._events[position:]
            for event in fresh:
                yield event
                if event["type"] in TERMINAL:
                    return
            position += len(fresh)

    async def finished(self) -> Event:
        """The terminal event, or the error that the run ended with. Sleeps through all that come before."""
        await self._ended.wait()
        if self.failure is not None:
            raise self.failure
        return next(event for event in self._events if event["type"] in TERMINAL)
