"""Streaming: which models support it, and parsing of partial replies."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from pydantic_core import from_json

from app.llm.port import PartialCallback
from app.llm.providers.transport import Answer, Call

REFUSING = frozenset({404, 405, 501})
PACE_S = 0.05  # between two updates: faster ones cannot be seen
LONGEST_TOLD = 16_000  # characters; longer replies are not forwarded in part


class StreamSupport:
    """Which models stream: all, until one rejects it."""

    def __init__(self) -> None:
        self._whole: set[str] = set()

    def should_stream(self, call: Call) -> bool:
        """Whether to request a stream."""
        return call.on_partial is not None and call.model not in self._whole

    def learn(self, call: Call, status: int, message: str) -> bool:
        """Learn from a rejected stream; return whether to retry the call without streaming."""
        refused = status in REFUSING or (status in {400, 422} and "stream" in message.lower())
        if not (refused and self.should_stream(call)):
            return False
        self._whole.add(call.model)
        return True


def is_event_stream(response: httpx2.Response) -> bool:
    """Whether the body is an event stream; servers without streaming send a whole response."""
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "text/event-stream"


class PartialAnswer:
    """The latest partial answer of one call; `was_forwarded` says whether any was sent on."""

    def __init__(self) -> None:
        self.answer: Answer | None = None
        self.was_forwarded = False
        self._fresh = asyncio.Event()

    def take(self, answer: Answer) -> None:
        """Store the answer so far."""
        self.answer = answer.as_partial
        self._fresh.set()

    async def forward(self, heard: PartialCallback) -> None:
        """Forward the latest partial answer at a readable pace until the call ends."""
        while True:
            await self._fresh.wait()
            self._fresh.clear()
            fields = _fields(self.answer.text) if self.answer else {}
            if fields:
                self.was_forwarded = True
                await heard(fields)
                await asyncio.sleep(PACE_S)


@asynccontextmanager
async def forward_partials(heard: PartialCallback | None) -> AsyncIterator[PartialAnswer]:
    """Run a call and forward its partial answers. Errors raised by `heard` are re-raised after the
    call.
    """
    held = PartialAnswer()
    if heard is None:
        yield held
        return
    telling = asyncio.create_task(held.forward(heard))
    try:
        yield held
    finally:
        telling.cancel()
        await asyncio.wait([telling])
        if not telling.cancelled() and (error := telling.exception()) is not None:
            raise error


def _fields(text: str) -> Mapping[str, Any]:
    """The fields of the JSON object that begins in the text; empty if it cannot be parsed yet."""
    start = text.find("{")
    if start < 0 or len(text) > LONGEST_TOLD:
        return {}
    try:
        found = from_json(text[start:], allow_partial="trailing-strings")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
