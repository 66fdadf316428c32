"""Records of the running server and its users in the data folder."""

import json
import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

NAME, LOCK, USERS, KEEPER = "store.json", "store.lock", "store.users", "store.keeper.lock"
STOP_TIMEOUT_S = 15.0
SAME_START_S = 2.0  # process start times derive from the boot time, which clock changes move
POLL_S = 0.01
SUFFIX = ".user"  # other files in the folder are not ours to remove


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
        """The URI for clients."""
        return f"mongodb://127.0.0.1:{self.port}/?directConnection=true"


def read(path: Path) -> Running | None:
    """The server recorded at `path`; None if there is none or the file is not ours."""
    try:
        return Running(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def write(path: Path, running: Running) -> None:
    """Write the record atomically."""
    whole = path.with_suffix(".new")
    whole.write_text(json.dumps(asdict(running)))
    whole.replace(path)


def process_of(running: Running) -> psutil.Process | None:
    """Its live process, or None. Pids are reused, so start time, program and folder must match."""
    try:
        process = psutil.Process(running.pid)
        same = (
            abs(process.create_time() - running.started) < SAME_START_S
            and program_of(process) == running.program
            and running.storage in process.cmdline()
        )
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def program_of(process: psutil.Process) -> str:
    """The program's file name; on Linux, an upgrade while it runs appends a mark to the name."""
    return Path(process.exe()).name.removesuffix(" (deleted)")


def find_servers(kind: str, program: str, storage: str) -> list[Running]:
    """Live servers with this data folder, recorded or not. `port` is 0 while they do not listen."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if storage in process.cmdline() and program_of(process) == program:
                at = [
                    it.laddr.port for it in process.net_connections("tcp") if it.status == "LISTEN"
                ]
                found.append(
                    Running(
                        kind,
                        process.pid,
                        max(at, default=0),
                        process.create_time(),
                        program,
                        storage,
                    )
                )
    return found


def stop(running: Running) -> None:
    """Stop it cleanly, or by force after `STOP_TIMEOUT_S`; a stopped one is ignored."""
    process = process_of(running)
    if process is None:
        return
    with suppress(psutil.NoSuchProcess):
        process.terminate()
        if not _ends(running, STOP_TIMEOUT_S):
            process.kill()
            _ends(running, STOP_TIMEOUT_S)


def _ends(running: Running, within_s: float) -> bool:
    """Wait for its exit; psutil's own wait takes an unreaped zombie for alive."""
    deadline = time.monotonic() + within_s
    while process_of(running) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True


class Users:
    """The user files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def enter(self) -> Path:
        """Register this process as a user; returns the path for `leave`."""
        me = psutil.Process()
        mine = self._folder / f"{me.pid}-{secrets.token_hex(4)}{SUFFIX}"
        mine.write_text(repr(me.create_time()))
        return mine

    def leave(self, mine: Path) -> None:
        """Unregister."""
        mine.unlink(missing_ok=True)

    def any(self) -> bool:
        """Whether the server has a living user; files of dead processes are removed."""
        files = list(self._folder.glob(f"*{SUFFIX}"))
        living = [file for file in files if _lives(file)]
        for file in set(files) - set(living):
            file.unlink(missing_ok=True)
        return bool(living)


def _lives(file: Path) -> bool:
    try:
        process = psutil.Process(int(file.name.partition("-")[0]))
        started = float(file.read_text())
        return (
            abs(process.create_time() - started) < SAME_START_S
            and process.status() != psutil.STATUS_ZOMBIE
        )
    except (psutil.Error, ValueError, OSError):
        return False
