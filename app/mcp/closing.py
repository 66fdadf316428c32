"""Requests whose session is closed under them: by its client, or since the server ends.

The SDK then tells the log of a fault, leaves its answer half said, or begins a second one.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import anyio
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CLOSED = (anyio.ClosedResourceError, anyio.BrokenResourceError)
LOUD = "mcp.server.streamable_http"
GONE = {
    "jsonrpc": "2.0",
    "id": None,
    "error": {"code": -32600, "message": "Session not found"},
}  # as the SDK answers to an id that it does not know


class Whole:
    """The app, whose answers are ended, and begun once."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        begun = ended = again = False

        async def told(message: Message) -> None:
            nonlocal begun, ended, again
            again = again or ended or (begun and message["type"] == "http.response.start")
            if again:
                return
            begun = True
            await send(message)
            body = message["type"] == "http.response.body"
            ended = body and not message.get("more_body", False)

        with suppress(*CLOSED):
            await self._app(scope, receive, told)
        if not begun:
            await JSONResponse(GONE, status_code=404)(scope, receive, send)
        elif not ended:
            await send({"type": "http.response.body", "body": b""})


@contextmanager
def quiet() -> Iterator[None]:
    """Meanwhile the log is not told that a session was closed."""
    logger = logging.getLogger(LOUD)
    logger.addFilter(_is_news)
    try:
        yield
    finally:
        logger.removeFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, BaseExceptionGroup):
        return error.split(CLOSED)[1] is not None
    return not isinstance(error, CLOSED)
