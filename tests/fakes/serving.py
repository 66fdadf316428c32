"""A small server on a thread of its own: for any event loop, and for other processes."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

START_S = 60.0  # only ends a hang
WAITED_FOR_S = 60.0  # a fake that hangs does so until it is told otherwise


class _Server(uvicorn.Server):
    """Stops at once, where uvicorn looks ten times a second and then waits a tenth more."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.loop: asyncio.AbstractEventLoop | None = None
        self._stopped = asyncio.Event()
        self.up = threading.Event()

    async def main_loop(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.up.set()
        await self._stopped.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        if self.server_state.tasks:
            await asyncio.wait(self.server_state.tasks, timeout=1)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)
        for listening in sockets or []:
            listening.close()

    def stop(self) -> None:
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self._stopped.set)


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """The address of `app` on a free loopback port, until it is left."""
    listening = socket.create_server(("127.0.0.1", 0))
    # asyncio sets it only on sockets whose protocol is named: without it each answer takes 44 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = _Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
    serve = server.serve(sockets=[listening])
    thread = threading.Thread(target=asyncio.run, args=(serve,), daemon=True)
    thread.start()
    if not server.up.wait(START_S):
        raise RuntimeError("the fake did not start")
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.stop()
        thread.join(START_S)
