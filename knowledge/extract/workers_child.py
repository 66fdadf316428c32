"""One worker process, as the server sees it."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import psutil

from app.errors import Unavailable
from knowledge.extract.workers_frames import BrokenFrame, read_frame, write_frame

ROOT = Path(__file__).parents[2]
GIVEN = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT", "WINDIR", "LD_LIBRARY_PATH")
"""What a worker inherits: none of the server's keys."""
NOT_STARTED = "The process that reads documents could not be started."


class Child:
    """A process with a folder of its own. `ask` and `reap` block: they are called in a thread."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="tabwright-reader-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._one_at_a_time = threading.Lock()
        self.asked = 0
        self.begun: float | None = None
        """When it was given what it reads, by `time.monotonic`; its start does not count."""

    @property
    def pid(self) -> int | None:
        """Of the process, once it is started."""
        return self._process.pid if self._process else None

    def ask(self, request: dict[str, Any], most: int) -> bytes | None:
        """Its answer of `most` bytes at most; None when it died. Starts it where that is not done yet:
        `Unavailable` when it cannot be.
        """
        self.asked += 1
        self.begun = None
        with self._one_at_a_time:
            if self._ended:
                return None
            asking, answering = _pipes(self._process or self._start())
            self.begun = time.monotonic()
            try:
                write_frame(asking, request)
                return read_frame(answering, most)
            except (OSError, BrokenFrame):
                return None

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
            shutil.rmtree(self._folder, ignore_errors=True)
        return code

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = self._launched()
        except OSError:
            raise Unavailable(NOT_STARTED) from None
        self._process = process
        if self._ended:
            self.kill()
        try:
            ready = read_frame(_pipes(process)[1], most=100)
        except (OSError, BrokenFrame):
            ready = None
        if ready is None and not self._ended:
            raise Unavailable(NOT_STARTED)
        return process

    def _launched(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-B", "-P", "-m", "knowledge.extract.worker", str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the libraries' messages quote documents
            cwd=self._folder,
            env=_environment(self._folder),
            start_new_session=True,  # Ctrl-C is the server's; does nothing on Windows
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # Windows alone
        )


def _pipes(process: subprocess.Popen[bytes]) -> tuple[BinaryIO, BinaryIO]:
    asking, answering = process.stdin, process.stdout
    if asking is None or answering is None:  # never so: both were asked for
        raise OSError
    return asking, answering  # type: ignore[return-value]


def _environment(folder: Path) -> dict[str, str]:
    inherited = {
        name: os.environ[name]  # noqa: TID251 - these are the system's, no settings
        for name in GIVEN
        if name in os.environ  # noqa: TID251
    }
    own = {name: str(folder) for name in ("TMPDIR", "TEMP", "TMP", "HOME")}
    return inherited | own | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
