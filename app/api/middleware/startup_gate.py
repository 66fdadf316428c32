"""Middleware that answers 503 while a slow start continues, and retries a start that fails."""

import asyncio

import structlog
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import problem_response
from app.errors import Starting
from app.store.index_build import building

log = structlog.get_logger(__name__)

# Before a late start failure is retried; doubled each time.
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0


class LifespanRun:
    """One run of the app's lifespan, driven from here."""

    def __init__(self, app: ASGIApp, scope: Scope) -> None:
        self._commands: asyncio.Queue[Message] = asyncio.Queue()
        self._replies: asyncio.Queue[Message] = asyncio.Queue()
        self._commands.put_nowait({"type": "lifespan.startup"})
        self._task = asyncio.ensure_future(app(scope, self._commands.get, self._replies.put))

    async def start(self) -> Message:
        """Start the app and return its final message."""
        reply = asyncio.create_task(self._replies.get())
        await asyncio.wait({reply, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if reply.done():
            return reply.result()
        reply.cancel()
        error = self._task.exception()  # the app has no lifespan, or it crashed
        return {"type": "lifespan.startup.failed", "message": repr(error)}

    async def stop(self) -> Message:
        self._commands.put_nowait({"type": "lifespan.shutdown"})
        return await self._replies.get()

    async def cancel(self) -> None:
        self._task.cancel()
        await asyncio.wait({self._task})

    async def join(self) -> None:
        await asyncio.wait({self._task})
        if not self._task.cancelled():
            self._task.exception()


class StartupGate:
    """The outermost middleware.

    A start that takes longer than `wait_s` continues while requests get 503, and is retried if it
    then fails. A start that fails earlier ends the process with its error.
    """

    def __init__(self, app: ASGIApp, wait_s: float) -> None:
        self._app = app
        self._wait_s = wait_s
        self._is_starting = False
        self._building: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._run_lifespan(scope, receive, send)
        elif self._is_starting:
            await self._starting_response(scope)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _starting_response(self, scope: Scope) -> JSONResponse:
        if scope["path"] == "/healthz":
            return JSONResponse({"status": "ok"})
        detail = Starting.title
        if self._building:
            detail += f"; indexes: building ({', '.join(sorted(self._building))})"
        return problem_response(Starting(detail), scope)

    async def _run_lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        building.set(self._building)
        startup = LifespanRun(self._app, scope)
        starting = asyncio.create_task(startup.start())
        await asyncio.wait({starting}, timeout=self._wait_s)
        if starting.done():
            await send(starting.result())
            if starting.result()["type"] == "lifespan.startup.failed":
                await startup.join()
                return
            await receive()
            await send(await startup.stop())
            return
        self._is_starting = True
        log.warning("start_takes_long", building=sorted(self._building))
        await send({"type": "lifespan.startup.complete"})
        retrying = asyncio.create_task(self._retry_start(startup, starting, scope))
        await receive()
        if not retrying.done():
            retrying.cancel()
            await asyncio.wait({retrying})
            await send({"type": "lifespan.shutdown.complete"})
            return
        await send(await retrying.result().stop())

    async def _retry_start(
        self, startup: LifespanRun, starting: "asyncio.Task[Message]", scope: Scope
    ) -> LifespanRun:
        pause = FIRST_PAUSE_S
        try:
            while (await starting)["type"] != "lifespan.startup.complete":
                await startup.join()
                log.warning(
                    "start_failed", cause=starting.result().get("message"), again_in_s=pause
                )
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
                startup = LifespanRun(self._app, scope)
                starting = asyncio.create_task(startup.start())
        except asyncio.CancelledError:
            starting.cancel()
            await startup.cancel()
            raise
        self._is_starting = False
        log.info("start_done")
        return startup
