"""Servers on loopback ports: in the event loop of a test, or on a thread, for other loops and processes."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

START_S = 60.0  # only ends a hang
WAITED_FOR_S = 60.0  # a fake that hangs does so until it is told otherwise


class _Server(uvicorn.Server):
    """Stops at once, where uvicorn looks ten times a second and then waits a tenth more."""

    def __init__(self, app: ASGIApp, options: dict[str, Any]) -> None:
        quiet = {"log_config": None, "log_level": "warning", "ws": "none"}
        super().__init__(uvicorn.Config(app, **quiet | options))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopped = asyncio.Event()
        self.up = threading.Event()

    async def main_loop(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.up.set()
        await self._stopped.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        if tasks := set(self.server_state.tasks):
            _, left = await asyncio.wait(tasks, timeout=self.config.timeout_graceful_shutdown)
            for task in left:
                task.cancel()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        for listening in sockets or []:
            listening.close()
        await self.lifespan.shutdown()

    def stop(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopped.set)


def listen(host: str = "127.0.0.1", port: int = 0) -> socket.socket:
    """A socket that listens, by default on a free port."""
    listening = socket.create_server((host, port))
    # asyncio sets it only on sockets whose protocol is named: without it each answer takes 44 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def url_of(listening: socket.socket) -> str:
    return f"http://127.0.0.1:{listening.getsockname()[1]}"


@asynccontextmanager
async def serve_in_loop(
    app: ASGIApp, *sockets: socket.socket, **options: Any
) -> AsyncIterator[str]:
    """The address of `app`, served in this event loop until it is left: on these sockets, or on a free port.
    `options` are uvicorn's.
    """
    listening = sockets or (listen(),)
    server = _Server(app, options)
    task = asyncio.create_task(server.serve(sockets=list(listening)))
    while not (server.started or task.done()):
        await asyncio.sleep(0.01)
    if not server.started:
        task.result()
        raise RuntimeError("the server did not start")
    try:
        yield url_of(listening[0])
    finally:
        server.stop()
        await task


@contextmanager
def served(app: ASGIApp, **options: Any) -> Iterator[str]:
    """The address of `app`, served on a thread until it is left. `options` are uvicorn's."""
    listening = listen()
    server = _Server(app, {"lifespan": "off", "timeout_graceful_shutdown": 1} | options)

    async def serve() -> None:
        try:
            await server.serve(sockets=[listening])
        finally:
            server.up.set()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    if not (server.up.wait(START_S) and server.started):
        raise RuntimeError("the server did not start")
    try:
        yield url_of(listening)
    finally:
        server.stop()
        thread.join(START_S)
