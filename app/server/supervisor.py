"""Supervises the worker processes of `tabwright serve`: starts, monitors and restarts them.

A worker's heartbeats in shared memory show that its event loop runs (`app.vitals`). If they stop for a
second, its stack is requested and logged; a worker that hangs longer is killed and replaced. A separate
process monitors this because C code that holds the interpreter lock, such as a single regular
expression match, stops all threads of a worker.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

import structlog

from app.vitals import Vitals, shared_memory

MOST_FRAMES = 30
_FRAME = '  File "'


def parse_frames(dump: str) -> list[str]:
    """The frames of a stack dump, innermost first, each like `app/chat/service.py:12 start`."""
    frames = []
    for line in [line for line in dump.splitlines() if line.startswith(_FRAME)][:MOST_FRAMES]:
        path, _, rest = line.removeprefix(_FRAME).partition('", line ')
        number, _, name = rest.partition(" in ")
        frames.append(f"{'/'.join(path.split('/')[-3:])}:{number} {name}")
    return frames


log = structlog.get_logger(__name__)

STARTUP_FAILED = 3  # exit codes, as in uvicorn's own command
ORPHANED = 4  # of a worker whose supervisor is gone
FORCED = 1  # of a supervisor that had to kill a worker at shutdown

STACK_SIGNAL = signal.SIGUSR1
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
BEAT_S = 0.1
CHECK_S = 0.1
STEADY_S = 30.0  # a worker that served this long did not fail because of its start
# Before restarting a worker that dies repeatedly.
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds until a blocked loop is logged, until its process is killed, and for workers to stop."""

    blocked_s: float
    hung_s: float
    stop_s: float


@dataclass(slots=True)
class Worker:
    """A running worker. `blocked_s` is how long its loop has been seen blocked."""

    process: "subprocess.Popen[bytes]"
    vitals: Vitals
    stacks: int
    began: float = field(default_factory=time.monotonic)
    served_at: float | None = None
    beats: int = 0
    blocked_s: float = 0.0
    stack_requested: bool = False
    logged: bool = False
    hung: bool = False

    def observe(self, elapsed_s: float) -> None:
        """Compare the heartbeats with those of the last check."""
        beats = self.vitals.beats
        if self.served_at is None and self.vitals.serves:
            self.served_at = time.monotonic()
        if beats == self.beats and beats:
            self.blocked_s += elapsed_s
        else:
            self.beats, self.blocked_s, self.stack_requested, self.logged = beats, 0.0, False, False

    def request_stack(self) -> None:
        """Request a stack dump; the handler is in C, so it works whatever the interpreter does."""
        self.read_stack()
        self.process.send_signal(STACK_SIGNAL)
        self.stack_requested = True

    def read_stack(self) -> list[str]:
        try:
            return parse_frames(os.read(self.stacks, 1 << 16).decode("utf-8", "replace"))
        except BlockingIOError:
            return []

    def close(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()
        os.close(self.stacks)


@dataclass(slots=True)
class Slot:
    """A place for a worker. `early` counts consecutive deaths soon after a start."""

    worker: Worker | None = None
    due: float = 0.0
    early: int = 0


class Supervisor:
    """Runs `workers` processes on one listening socket until a signal stops it."""

    def __init__(
        self,
        listener: socket.socket,
        *,
        workers: int,
        patience: Patience,
        module: str = "app.server.worker",
    ) -> None:
        self._listener = listener
        self._module = module
        self._slots = [Slot() for _ in range(workers)]
        self._patience = patience
        self._signals: list[int] = []
        self._has_served = False

    def run(self) -> int:
        # Inherited by workers, which may be signalled before they install, or after they remove, their
        # handler.
        signal.signal(STACK_SIGNAL, signal.SIG_IGN)
        with self._collect_signals():
            checked = time.monotonic()
            while not self._signals:
                now = time.monotonic()
                # Time in which this process itself was suspended, with the machine for example, is not
                # a block.
                elapsed = min(now - checked, 2 * CHECK_S)
                checked = now
                for slot in self._slots:
                    if not self._check_slot(slot, elapsed):
                        self._stop_workers()
                        return STARTUP_FAILED
                time.sleep(CHECK_S)
            log.info("stopping", signal=signal.Signals(self._signals[0]).name)
            return self._stop_workers()

    def _check_slot(self, slot: Slot, elapsed_s: float) -> bool:
        """Keep one worker running; False if restarting it is pointless."""
        worker = slot.worker
        if worker is None:
            if time.monotonic() >= slot.due:
                slot.worker = self._start_worker()
            return True
        code = worker.process.poll()
        worker.observe(elapsed_s)
        self._has_served = self._has_served or worker.served_at is not None
        if code is None:
            self._handle_block(worker)
            return True
        slot.worker = None
        return self._handle_exit(slot, worker, code)

    def _handle_block(self, worker: Worker) -> None:
        """Log a block once; kill a worker that hangs."""
        patience = self._patience
        if worker.stack_requested and not worker.logged:
            worker.logged = True
            log.warning(
                "event loop blocked",
                pid=worker.process.pid,
                blockedS=round(worker.blocked_s, 1),
                stack=worker.read_stack(),
                work=worker.vitals.work,
            )
        if worker.blocked_s >= patience.blocked_s and not worker.stack_requested:
            worker.request_stack()
        if worker.blocked_s >= patience.hung_s and not worker.hung:
            worker.hung = True
            worker.process.kill()

    def _handle_exit(self, slot: Slot, worker: Worker, code: int) -> bool:
        """Log why the worker ended, and schedule the restart; False if the start itself fails."""
        now = time.monotonic()
        served_s = 0.0 if worker.served_at is None else now - worker.served_at
        slot.early = 0 if served_s >= STEADY_S else slot.early + 1
        is_failing = worker.served_at is None or slot.early > 1
        wait = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (slot.early - 1)) if is_failing else 0.0
        is_hopeless = (
            not self._has_served and code > 0
        )  # a deliberate exit; a kill may be transient
        log.error(
            "worker ended",
            pid=worker.process.pid,
            cause=_describe_exit(worker, code),
            servedS=round(served_s, 1),
            work=worker.vitals.work,
            **({} if is_hopeless else {"restartInS": wait}),
        )
        worker.close()
        slot.due = now + wait
        return not is_hopeless

    def _start_worker(self) -> Worker:
        """Start a process. It inherits the environment, which has the store's address."""
        with shared_memory() as memory:
            stacks, writable = os.pipe()
            os.set_blocking(stacks, False)
            # A full pipe truncates a stack rather than block the worker.
            os.set_blocking(writable, False)
            descriptors = (self._listener.fileno(), memory, writable)
            process = subprocess.Popen(
                [sys.executable, "-m", self._module, *map(str, descriptors)],
                stdin=subprocess.PIPE,  # see `_exit_with_parent` in worker.py
                pass_fds=descriptors,
                process_group=0,  # so that Ctrl-C in a terminal reaches the supervisor only
            )
            os.close(writable)
            worker = Worker(process, Vitals(memory), stacks)
        log.info("worker started", pid=process.pid)
        return worker

    def _stop_workers(self) -> int:
        """Stop all workers gracefully; kill those that exceed the limit, or all at a second signal."""
        workers = [slot.worker for slot in self._slots if slot.worker is not None]
        for worker in workers:
            worker.process.terminate()
        received = len(self._signals)
        deadline = time.monotonic() + self._patience.stop_s
        while any(worker.process.poll() is None for worker in workers):
            if time.monotonic() > deadline or len(self._signals) > received:
                break
            time.sleep(CHECK_S / 2)
        forced = [worker for worker in workers if worker.process.poll() is None]
        for worker in forced:
            log.error("worker killed", pid=worker.process.pid, work=worker.vitals.work)
            worker.process.kill()
        for worker in workers:
            worker.process.wait()
            worker.close()
        return FORCED if forced else 0

    @contextmanager
    def _collect_signals(self) -> Iterator[None]:
        """Collect signals, which the main loop handles between its checks of the workers."""

        def collect(number: int, _: FrameType | None) -> None:
            self._signals.append(number)

        previous = {number: signal.signal(number, collect) for number in STOP_SIGNALS}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)


def _describe_exit(worker: Worker, code: int) -> str:
    if worker.hung:
        return f"killed: its event loop was blocked for {worker.blocked_s:.0f} s"
    if code < 0:
        return f"signal {signal.Signals(-code).name}"
    return "the start failed" if code == STARTUP_FAILED else f"exit code {code}"
