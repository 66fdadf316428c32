"""Records of the running server and its users in the data folder."""

import json
import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import psutil

NAME, LOCK, USERS, KEEPER = "store.json", "store.lock", "store.users", "store.keeper.lock"
USER_SUFFIX = ".user"  # other files in the folder are not ours to remove
STOP_TIMEOUT_S = 15.0
SAME_START_S = 2.0  # process start times derive from the boot time, which clock changes move
POLL_S = 0.01


@dataclass(frozen=True, slots=True)
class Running:
    """A recorded server. `started` is the process's start in seconds since 1970."""

    kind: str
    pid: int
    port: int
    started: float
    program: str
    storage: str

    @property
    def uri(self) -> str:
        return f"mongodb://127.0.0.1:{self.port}/?directConnection=true"

    @classmethod
    def of(cls, process: psutil.Process, kind: str, port: int, storage: str) -> Self:
        """The record of a live process. Raises `psutil.Error`."""
        started = process.create_time()
        return cls(kind, process.pid, port, started, _program_of(process), storage)

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The server recorded at `path`; None if there is none or the file is not ours."""
        try:
            return cls(**json.loads(path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    def write(self, path: Path) -> None:
        """Write the record atomically."""
        new_file = path.with_suffix(".new")
        new_file.write_text(json.dumps(asdict(self)))
        new_file.replace(path)

    def process(self) -> psutil.Process | None:
        """Its live process, or None. Pids are reused, so start time, program and folder must match."""
        with suppress(psutil.Error):
            process = psutil.Process(self.pid)
            if (
                _is_alive(process, self.started)
                and _program_of(process) == self.program
                and self.storage in process.cmdline()
            ):
                return process
        return None

    def stop(self) -> None:
        """Stop it cleanly, or by force after `STOP_TIMEOUT_S`; a stopped one is ignored."""
        process = self.process()
        if process is None:
            return
        with suppress(psutil.NoSuchProcess):
            process.terminate()
            if not self._ends(STOP_TIMEOUT_S):
                process.kill()
                self._ends(STOP_TIMEOUT_S)

    def _ends(self, within_s: float) -> bool:
        """Wait for its exit; psutil's own wait takes an unreaped zombie for alive."""
        deadline = time.monotonic() + within_s
        while self.process() is not None:
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_S)
        return True


def find_servers(kind: str, program: str, storage: str) -> list[Running]:
    """Live servers with this data folder, recorded or not. `port` is 0 while they do not listen."""
    servers = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if storage in process.cmdline() and _program_of(process) == program:
                sockets = process.net_connections("tcp")
                ports = [it.laddr.port for it in sockets if it.status == "LISTEN"]
                servers.append(Running.of(process, kind, max(ports, default=0), storage))
    return servers


def _program_of(process: psutil.Process) -> str:
    """The program's file name; on Linux, an upgrade while it runs appends a mark to the name."""
    return Path(process.exe()).name.removesuffix(" (deleted)")


def _is_alive(process: psutil.Process, started: float) -> bool:
    """Whether it is the process started then, and no zombie."""
    is_same = abs(process.create_time() - started) < SAME_START_S
    return is_same and process.status() != psutil.STATUS_ZOMBIE


class Users:
    """The user files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def enter(self) -> Path:
        """Register this process as a user; its end, or the removal of the file, unregisters it."""
        me = psutil.Process()
        user_file = self._folder / f"{me.pid}-{secrets.token_hex(4)}{USER_SUFFIX}"
        user_file.write_text(repr(me.create_time()))
        return user_file

    def any(self) -> bool:
        """Whether the server has a living user; files of dead processes are removed."""
        is_used = False
        for file in self._folder.glob(f"*{USER_SUFFIX}"):
            if _is_user_alive(file):
                is_used = True
            else:
                file.unlink(missing_ok=True)
        return is_used


def _is_user_alive(file: Path) -> bool:
    try:
        process = psutil.Process(int(file.name.partition("-")[0]))
        return _is_alive(process, float(file.read_text()))
    except (psutil.Error, ValueError, OSError):
        return False
