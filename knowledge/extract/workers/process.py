"""One worker process, as the server sees it."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

import psutil
from pydantic import BaseModel, ValidationError

from app.bounds import bounds
from app.errors import Unavailable
from knowledge.extract.port import StoredFile
from knowledge.extract.sandbox.confinement import Layers
from knowledge.extract.sandbox.frames import BrokenFrame, read_frame, write_file, write_frame

ROOT = Path(__file__).parents[3]
WORKER = "knowledge.extract.sandbox.reader_process"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
"""All that a worker is told: where our code is, and that it has one thread."""
OF_THE_SYSTEM = ("LD_LIBRARY_PATH", "SYSTEMROOT")
"""What some Pythons do not start without, on Linux and on Windows."""
PROBED = 1 << 30  # bytes that one may allocate that reads nothing
NOT_STARTED = "The process that reads documents could not be started."


class _Ready(BaseModel):
    layers: Layers


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOrder:
    """A document to read, with its limits (see `ReaderLimits`)."""

    file: StoredFile
    size: int
    seconds: float
    output: int


class WorkerProcess:
    """A process that may allocate `memory` bytes and reads documents of one tenant alone. `start`, `ask` and
    `reap` block: they are called in a thread that lives as long as the process is to.
    """

    def __init__(self, memory: int, tenant: str = "") -> None:
        self.tenant = tenant
        self._memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._one_at_a_time = threading.Lock()
        self.layers: Layers | None = None
        """How it is confined, once it is started."""
        self.asked = 0
        self.begun: float | None = None
        """When it was given what it reads, by `time.monotonic`; None while it reads nothing."""

    @property
    def pid(self) -> int | None:
        """Of the process, once it is started."""
        return self._process.pid if self._process else None

    def start(self) -> Layers | None:
        """How it is confined, None when it was killed. `Unavailable` when it cannot be started."""
        with self._one_at_a_time:
            if not self._ended:
                self._start()
            return self.layers

    def ask(self, order: ReadOrder, most: int) -> bytes | None:
        """Its answer of `most` bytes at most; None when it died."""
        self.asked += 1
        with self._one_at_a_time:
            if self._ended or self._process is None:
                return None
            asking, answering = _pipes(self._process)
            self.begun = time.monotonic()
            try:
                write_frame(asking, _request(order))
                write_file(asking, order.file.path, order.size)
                return read_frame(answering, most)
            except (OSError, BrokenFrame):
                return None
            finally:
                self.begun = None

    def memory(self) -> int:
        """Bytes that the process keeps in memory; 0 when it is not there."""
        try:
            return psutil.Process(self.pid).memory_info().rss if self.pid else 0
        except psutil.Error:
            return 0

    def kill(self) -> None:
        """Have it end at once, whatever it does; one that is not started yet never will be."""
        self._ended = True
        process = self._process
        if process is None or process.poll() is not None:
            return
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:  # it leads a session of its own
                os.killpg(process.pid, signal.SIGKILL)

    def reap(self) -> int:
        """Wait for its end, after `kill`, and clear up; how it ended, as `Popen.returncode`."""
        code = 0
        with self._one_at_a_time:  # whoever still waits for its answer sees its end
            if self._process is not None:
                code = self._process.wait()
                for stream in _pipes(self._process):
                    with suppress(OSError):
                        stream.close()
        return code

    def _start(self) -> None:
        try:
            process = self._process = launch(WORKER, str(self._memory))
        except OSError:
            raise Unavailable(NOT_STARTED) from None
        if self._ended:
            self.kill()
        try:
            ready = read_frame(_pipes(process)[1], most=1_000)
            self.layers = _Ready.model_validate_json(ready or b"").layers
        except (OSError, BrokenFrame, ValidationError):
            if not self._ended:
                raise Unavailable(NOT_STARTED) from None


def probe_layers() -> Layers:
    """How readers are confined on this machine. Blocks; `Unavailable` when none can be started."""
    child = WorkerProcess(PROBED)
    try:
        return child.start() or Layers()
    finally:
        child.kill()
        child.reap()


def launch(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A module of ours as a process that knows nothing of the server: no environment, no folder, no open
    files but the two pipes.
    """
    inherited = {
        name: os.environ[name]  # noqa: TID251 - these are the system's, no settings
        for name in OF_THE_SYSTEM
        if name in os.environ  # noqa: TID251
    }
    return subprocess.Popen(
        [sys.executable, "-B", "-P", "-s", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # the libraries' messages quote documents
        cwd=ROOT.anchor,
        env=ENVIRONMENT | inherited,
        start_new_session=True,  # Ctrl-C is the server's; does nothing on Windows
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows alone
    )


def _request(order: ReadOrder) -> dict[str, Any]:
    return {
        "described": order.file.model_dump(mode="json", exclude={"path"}),
        "bytes": order.size,
        "seconds": order.seconds,
        "output": order.output,
        "bounds": asdict(bounds()),
    }


def _pipes(process: subprocess.Popen[bytes]) -> tuple[BinaryIO, BinaryIO]:
    asking, answering = process.stdin, process.stdout
    if asking is None or answering is None:  # never so: both were asked for
        raise OSError
    return asking, answering  # type: ignore[return-value]
