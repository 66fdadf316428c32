"""Event streams, downloads and the choice of media types."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import orjson
from fastapi import Request
from pydantic import BaseModel
from sse_starlette import EventSourceResponse

from app.api.models import json_schema
from app.runs import LiveRun

SSE = "text/event-stream"
PING_S = 10  # see CONTRACT: a comment line every 10 s
HEADERS = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}


def event_stream(events: AsyncIterator[dict[str, str]]) -> EventSourceResponse:
    return EventSourceResponse(events, ping=PING_S, sep="\n", headers=HEADERS)


async def run_events(live: LiveRun) -> AsyncIterator[dict[str, str]]:
    async for event in live.events():
        yield {"data": orjson.dumps(event).decode()}


def stream_docs(event: type[BaseModel]) -> dict[int | str, dict[str, Any]]:
    """`responses` of a route that streams events of that shape."""
    return {
        200: {
            "description": "A stream of `data:` events with a comment line every 10 s",
            "content": {SSE: {"schema": json_schema(event)}},
        }
    }


def preferred_media_type(request: Request, offers: Sequence[str]) -> str:
    """The offer with the highest weight in `Accept`; the first one if several tie."""
    weights = {}
    for part in request.headers.get("accept", "").split(","):
        name, *params = (piece.strip().casefold() for piece in part.split(";"))
        weights[name] = _weight(params)

    def weight(offer: str) -> float:
        kind = offer.partition("/")[0]
        return weights.get(offer, weights.get(f"{kind}/*", weights.get("*/*", 0.0)))

    return max(offers, key=weight)


def _weight(params: Sequence[str]) -> float:
    for name, _, value in (param.partition("=") for param in params):
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0


def attachment_headers(file_name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{file_name}"'}
