"""Middleware that limits the size of request bodies and the time they may take to arrive."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import problem_response
from app.errors import SlowBody, TabwrightError, TooLarge

MAX_BYTES = 2 * 1024 * 1024  # see CONTRACT, "413"


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLimit:
    """The maximum size in bytes. `slowest` is a minimum rate in bytes per second: each that many
    bytes received extend the deadline by a second. Only time spent waiting for the client counts.
    """

    most: int
    slowest: int | None = None


class BodyLimits:
    """Rejects bodies over `MAX_BYTES`, and those not received within `within_s` seconds of the first read.

    `body_limits` are exceptions by path.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        within_s: float,
        body_limits: Mapping[str, BodyLimit],
    ) -> None:
        self._app = app
        self._limits = body_limits
        self._within_s = within_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limits.get(scope["path"], BodyLimit(most=MAX_BYTES))
        body = _Body(scope, receive, limit, within_s=self._within_s)

        async def forward(message: Message) -> None:
            if body.error is None or body.is_answered:
                body.is_answered = True
                await send(message)

        try:
            await self._app(scope, body.receive, forward)
        except TabwrightError as error:
            if error is not body.error:
                raise
        if body.error is not None and not body.is_answered:
            response = problem_response(body.error, scope)
            response.headers["connection"] = "close"  # the rest of the body is not read
            await response(scope, receive, send)


class _Body:
    """The body of one request. `error` is the error it was rejected with. Once the response has
    been sent (`is_answered`), a body that would be rejected counts as a disconnect instead.
    """

    def __init__(
        self, scope: Scope, receive: Receive, limit: BodyLimit, *, within_s: float
    ) -> None:
        self._receive = receive
        self._most = limit.most
        self._slowest = limit.slowest
        self._within_s = within_s
        claimed = Headers(scope=scope).get("content-length", "")
        self._claimed = int(claimed[:20]) if claimed.isdecimal() else 0
        self._read = 0
        self._is_complete = False
        self.is_answered = False
        self._waited_s = 0.0
        self.error: TabwrightError | None = None

    async def receive(self) -> Message:
        """The next message. Raises the error with which the body is rejected."""
        if self._is_complete:
            return await self._receive()
        if self.error is not None:
            raise self.error
        if self._claimed > self._most:
            return self._reject(self._too_large())
        clock = asyncio.get_running_loop().time
        earned_s = self._read / self._slowest if self._slowest else 0.0
        started = clock()
        try:
            async with asyncio.timeout(self._within_s + earned_s - self._waited_s):
                message = await self._receive()
        except TimeoutError:
            more = f", plus a second per {self._slowest:,} bytes" if self._slowest else ""
            deadline = f"The request body must arrive within {self._within_s:g} s{more}."
            return self._reject(SlowBody(deadline))
        finally:
            self._waited_s += clock() - started
        self._read += len(message.get("body", b""))
        self._is_complete = message["type"] != "http.request" or not message.get("more_body", False)
        return self._reject(self._too_large()) if self._read > self._most else message

    def _too_large(self) -> TooLarge:
        return TooLarge(f"The request body exceeds {self._most:,} bytes.")

    def _reject(self, error: TabwrightError) -> Message:
        if self.is_answered:
            self._is_complete = True
            return {"type": "http.disconnect"}
        self.error = error
        raise error
