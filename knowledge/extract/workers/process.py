"""A worker process, as the server sees it."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

import psutil
from pydantic import ValidationError

from app.bounds import bounds
from app.errors import Unavailable
from knowledge.extract.port import StoredFile
from knowledge.extract.sandbox.confinement import Layers
from knowledge.extract.sandbox.frames import BrokenFrame, read_frame, write_file, write_frame

ROOT = Path(__file__).parents[3]
WORKER = "knowledge.extract.sandbox.reader_process"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
"""A worker's whole environment: the code's location, UTF-8 mode and single threading."""
INHERITED = ("LD_LIBRARY_PATH", "SYSTEMROOT")
"""Variables that some Pythons need to start, on Linux and Windows."""
PROBE_MEMORY = 1 << 30  # bytes that an idle worker may allocate
NOT_STARTED = "The process that reads documents could not be started."


class WorkerProcess:
    """A process that may allocate `memory` bytes and reads documents of one tenant. `start`,
    `ask` and `reap` block: call them in a thread that lives as long as the process.
    """

    def __init__(self, memory: int, tenant: str = "") -> None:
        self.tenant = tenant
        self._memory = memory
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._lock = threading.Lock()
        self.layers: Layers | None = None
        """The confinement of the process; None until it has started."""
        self.documents_read = 0
        self.begun: float | None = None
        """`time.monotonic` at which it got its current document; None when idle."""

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> Layers | None:
        """Start it and return its confinement; None if it was killed. Raises `Unavailable`."""
        with self._lock:
            if not self._ended:
                self._start()
            return self.layers

    def ask(
        self, file: StoredFile, size: int, seconds: float, output: int, most: int
    ) -> bytes | None:
        """Send the first `size` bytes of a file with the limits (see `ReaderLimits`), and return the
        answer of at most `most` bytes; None if the process died.
        """
        request = {
            "described": file.model_dump(mode="json", exclude={"path"}),
            "bytes": size,
            "seconds": seconds,
            "output": output,
            "bounds": asdict(bounds()),
        }
        self.documents_read += 1
        with self._lock:
            if self._ended or self._process is None:
                return None
            requests, answers = _pipes(self._process)
            self.begun = time.monotonic()
            try:
                write_frame(requests, request)
                write_file(requests, file.path, size)
                return read_frame(answers, most)
            except (OSError, BrokenFrame):
                return None
            finally:
                self.begun = None

    def memory(self) -> int:
        """Resident memory in bytes; 0 if it is not running."""
        try:
            return psutil.Process(self.pid).memory_info().rss if self.pid else 0
        except psutil.Error:
            return 0

    def kill(self) -> None:
        """Kill it immediately; if not yet started, it will never start."""
        self._ended = True
        process = self._process
        if process is None or process.poll() is not None:
            return
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                process.kill()
            else:  # it leads its own session
                os.killpg(process.pid, signal.SIGKILL)

    def reap(self) -> int:
        """Wait for it after `kill` and clean up; returns `Popen.returncode`."""
        code = 0
        with self._lock:  # a thread that waits for its answer sees the end of file
            if self._process is not None:
                code = self._process.wait()
                for stream in _pipes(self._process):
                    with suppress(OSError):
                        stream.close()
        return code

    def _start(self) -> None:
        try:
            process = self._process = start_module(WORKER, str(self._memory))
        except OSError:
            raise Unavailable(NOT_STARTED) from None
        if self._ended:
            self.kill()
        try:
            greeting = read_frame(_pipes(process)[1], most=1_000)
            self.layers = Layers.model_validate_json(greeting or b"")
        except (OSError, BrokenFrame, ValidationError):
            if not self._ended:
                raise Unavailable(NOT_STARTED) from None


def probe_layers() -> Layers:
    """Confinement of readers on this machine. Blocks. Raises `Unavailable` if none can be started."""
    child = WorkerProcess(PROBE_MEMORY)
    try:
        return child.start() or Layers()
    finally:
        child.kill()
        child.reap()


def start_module(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start our module isolated: minimal environment, no folder, no open files except two pipes."""
    inherited = {
        name: os.environ[name]  # noqa: TID251 - these are the system's, no settings
        for name in INHERITED
        if name in os.environ  # noqa: TID251
    }
    return subprocess.Popen(
        [sys.executable, "-B", "-P", "-s", "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # messages of libraries quote documents
        cwd=ROOT.anchor,
        env=ENVIRONMENT | inherited,
        start_new_session=True,  # Ctrl-C is for the server only; ignored on Windows
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows only
    )


def _pipes(process: subprocess.Popen[bytes]) -> tuple[BinaryIO, BinaryIO]:
    requests, answers = process.stdin, process.stdout
    if requests is None or answers is None:  # unreachable: both pipes were requested
        raise OSError
    return requests, answers  # type: ignore[return-value]
