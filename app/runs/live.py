"""A run that goes on whether or not anyone is listening."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

Event = dict[str, Any]
TERMINAL = frozenset({"action", "interrupt", "done", "error", "response"})


class LiveRun:
    """The events of one request: kept from the first, so that a late listener gets them all; of a draft
    that changes, as it stands.
    """

    def __init__(self, body_hash: str) -> None:
        self.body_hash = body_hash
        self._events: dict[int, Event] = {}  # by their number, from 1 on
        self._last = 0
        self._drafts: dict[int, int] = {}  # the number of the event by that of the draft
        self._changed = asyncio.Condition()
        self._ended = asyncio.Event()
        self.failure: Exception | None = None
        self.timings: dict[str, float] = {}  # ms by part, for `Server-Timing`

    @property
    def has_events(self) -> bool:
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

    async def emit(self, event: Event, *, draft: int | None = None) -> None:
        """Add an event and wake the listeners. That of a `draft` takes the place of the one of the same
        number, and 0 of all of them.
        """
        async with self._changed:
            self._last += 1
            if draft is not None:
                for one in list(self._drafts) if draft == 0 else [draft]:
                    self._events.pop(self._drafts.pop(one, 0), None)
                self._drafts[draft] = self._last
            self._events[self._last] = event
            self._changed.notify_all()
        if event["type"] in TERMINAL:
            self._ended.set()

    async def events(self) -> AsyncIterator[Event]:
        """Every event from the first, until the terminal one."""
        seen = 0
        while True:
            async with self._changed:
                while seen >= self._last:
                    await self._changed.wait()
                fresh = [event for at, event in self._events.items() if at > seen]
                seen = self._last
            for event in fresh:
                yield event
                if event["type"] in TERMINAL:
                    return

    async def wait_for_result(self) -> Event:
        """The terminal event, or the error that the run ended with. Sleeps through all that come before."""
        await self._ended.wait()
        if self.failure is not None:
            raise self.failure
        return next(event for event in self._events.values() if event["type"] in TERMINAL)
