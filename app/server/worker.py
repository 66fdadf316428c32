"""One worker process of `tabwright serve`, started by `app.server.supervisor`, with which it ends.

    python -m app.server.worker LISTENER VITALS STACKS

The arguments are file descriptors: the shared listening socket, the memory for heartbeats, and the pipe
for stack dumps.
"""

import asyncio
import faulthandler
import os
import signal
import socket
import sys
import threading
from types import FrameType

import structlog
import uvicorn

from app.logs import configure_logging
from app.server.connection import http_options
from app.server.supervisor import BEAT_S, ORPHANED, STACK_SIGNAL, STARTUP_FAILED
from app.settings import Settings
from app.vitals import Vitals, publish_work_to

log = structlog.get_logger(__name__)

FACTORY = "app.main:serve_app"
STREAMS_S = 3  # for streams to end, after the runs
CLOSING_S = 5.0  # for everything else: document jobs, usage rows, traces, the store


class WorkerServer(uvicorn.Server):
    """uvicorn's server with heartbeats and graceful shutdown.

    After a signal it reports itself as not ready and rejects new runs, but keeps serving for
    `notice_s`; then waits for running runs, at most `drain_s`; then shuts down like uvicorn.
    """

    def __init__(
        self, config: uvicorn.Config, vitals: Vitals, *, notice_s: float = 0.0, drain_s: float = 0.0
    ) -> None:
        super().__init__(config)
        self._vitals = vitals
        self._notice_s, self._drain_s = notice_s, drain_s
        self._is_stopping = False
        self._ending: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._send_heartbeat(asyncio.get_running_loop())
        await super().startup(sockets)
        if self.started:
            self._vitals.mark_serving()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the graceful shutdown. The signal is not re-raised: the exit code shows the outcome."""
        self._is_stopping = True
        self.should_exit = self.should_exit or not self.started

    async def on_tick(self, counter: int) -> bool:
        if self._is_stopping and self._ending is None:
            self._ending = asyncio.create_task(self._end())
        return await super().on_tick(counter)

    async def _end(self) -> None:
        """Turn readiness off, drain, then let uvicorn close the connections and the app."""
        shutdown = self.lifespan.state.get("shutdown")
        try:
            if shutdown is not None:
                shutdown.begin()
                await asyncio.sleep(self._notice_s)
                await shutdown.drain(self._drain_s)
        except Exception:
            log.exception("draining runs failed")
        finally:
            self.should_exit = True

    def _send_heartbeat(self, loop: asyncio.AbstractEventLoop) -> None:
        self._vitals.beat()
        loop.call_later(BEAT_S, self._send_heartbeat, loop)


def main(listener: int, vitals: int, stacks: int, *, factory: str = FACTORY) -> int:
    """Serve the app from `factory` until stopped; return the exit code."""
    threading.Thread(target=_exit_with_parent, name="parent-watch", daemon=True).start()
    # faulthandler's signal handler is in C, so it works while C code holds the interpreter lock.
    faulthandler.register(STACK_SIGNAL, file=stacks, all_threads=False)
    settings = Settings()
    configure_logging(settings.log_level, settings.log_format)
    memory = Vitals(vitals)
    publish_work_to(memory)
    notice_s = settings.stop_notice_s
    drain_s = max(0.0, settings.stop_within_s - notice_s - STREAMS_S - CLOSING_S)
    server = WorkerServer(
        uvicorn_config(factory, settings), memory, notice_s=notice_s, drain_s=drain_s
    )
    server.run(sockets=[socket.socket(fileno=listener)])
    return 0 if server.started else STARTUP_FAILED


def uvicorn_config(factory: str, settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        factory,
        factory=True,
        log_config=None,  # its loggers use our processors, see app.logs
        access_log=False,
        timeout_graceful_shutdown=STREAMS_S,
        **http_options(settings),
    )


def _exit_with_parent() -> None:
    """Exit at the end of standard input, a pipe held by the supervisor, which closes when that ends."""
    while os.read(0, 1024):
        pass
    os._exit(ORPHANED)


if __name__ == "__main__":
    # Ignore Ctrl-C in a terminal: the supervisor decides when to stop.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(main(*map(int, sys.argv[1:])))
