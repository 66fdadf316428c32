"""One running server: starting it, knowing it again, asking whether it answers, stopping it."""

import json
import re
import socket
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from app.errors import StoreUnavailable
from app.store.server_choice import Choice

START_TIMEOUT_S = 60.0  # recovery after a kill: 0.6 s with 80,000 documents; this is for far more
STOP_TIMEOUT_S = 15.0
PING_TIMEOUT_MS = 3_000
SAME_START_S = 2.0  # a process's start time is derived from the boot time, which clock changes move
POLL_S = 0.01
_LISTENING = re.compile(rb"listening on 127\.0\.0\.1:(\d+)")


@dataclass(frozen=True, slots=True)
class Running:
    """A server as it is written down: `started` is the process's start in seconds since 1970."""

    kind: str
    pid: int
    port: int
    started: float
    program: str
    storage: str

    @property
    def uri(self) -> str:
        """Where clients connect."""
        return f"mongodb://127.0.0.1:{self.port}/?directConnection=true"


def read(path: Path) -> Running | None:
    """The server written down at `path`; None when there is none or the file is not ours."""
    try:
        return Running(**json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def write(path: Path, running: Running) -> None:
    """Write the server down, whole or not at all."""
    whole = path.with_suffix(".new")
    whole.write_text(json.dumps(asdict(running)))
    whole.replace(path)


def process_of(running: Running) -> psutil.Process | None:
    """Its live process, or None: a pid is used again, so start, program and folder must match."""
    try:
        process = psutil.Process(running.pid)
        same = (
            abs(process.create_time() - running.started) < SAME_START_S
            and _program(process) == running.program
            and running.storage in process.cmdline()
        )
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def answers(running: Running) -> bool:
    """Whether the written-down program is alive and answers a ping over the wire."""
    return process_of(running) is not None and _pings(running.uri)


def start(choice: Choice, log: Path, port: int) -> Running:
    """Start the server and wait until it answers. `StoreUnavailable`, with its last words, if not.

    It gets its own session, so that Ctrl-C in the terminal does not end it before its users.
    """
    make_folder(choice.storage)
    port = port or (_free_port() if choice.kind == "mongod" else 0)
    with log.open("wb") as sink:
        child = subprocess.Popen(
            choice.command(port),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            cwd=choice.storage.parent,
            start_new_session=True,  # does nothing on Windows
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows alone
        )
    # Reaps the child whenever it ends: a zombie would look alive to other processes.
    reaper = threading.Thread(target=child.wait, name="store-reaper", daemon=True)
    reaper.start()
    deadline = time.monotonic() + START_TIMEOUT_S
    while reaper.is_alive() and time.monotonic() < deadline:
        if found := port or _printed_port(log):
            running = _written_down(choice, child.pid, found)
            # Looked at again after the answer: a launcher script becomes the server meanwhile.
            if (
                running is not None
                and answers(running)
                and running == _written_down(choice, child.pid, found)
            ):
                return running
        time.sleep(POLL_S)
    if reaper.is_alive():
        child.kill()
    raise StoreUnavailable(f"The store could not be started: {_last_words(log)}")


def running_on(choice: Choice) -> Running | None:
    """A live server on this folder that nobody wrote down (its starter was killed), if it answers."""
    for process in psutil.process_iter():
        try:
            if str(choice.storage) not in process.cmdline():
                continue
            ports = [
                at.laddr.port for at in process.net_connections("tcp") if at.status == "LISTEN"
            ]
        except psutil.Error:
            continue
        for port in ports:
            running = _written_down(choice, process.pid, port)
            if running is not None and answers(running):
                return running
    return None


def stop(running: Running) -> None:
    """Stop it cleanly, by force after `STOP_TIMEOUT_S`; nothing happens if it is gone."""
    process = process_of(running)
    if process is None:
        return
    with suppress(psutil.NoSuchProcess):
        process.terminate()
        if not _ends(running, STOP_TIMEOUT_S):
            process.kill()
            _ends(running, STOP_TIMEOUT_S)


def _ends(running: Running, within_s: float) -> bool:
    """Wait for its end; psutil's own wait takes a zombie that nobody reaps for alive."""
    deadline = time.monotonic() + within_s
    while process_of(running) is not None:
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True


def _written_down(choice: Choice, pid: int, port: int) -> Running | None:
    try:
        process = psutil.Process(pid)
        started, program = process.create_time(), _program(process)
    except psutil.Error:
        return None
    return Running(choice.kind, pid, port, started, program, str(choice.storage))


def _program(process: psutil.Process) -> str:
    """The program's file name; an upgrade while it runs leaves a mark behind the name on Linux."""
    return Path(process.exe()).name.removesuffix(" (deleted)")


def _pings(uri: str) -> bool:
    client: MongoClient[dict[str, object]] = MongoClient(
        uri,
        serverSelectionTimeoutMS=PING_TIMEOUT_MS,
        connectTimeoutMS=PING_TIMEOUT_MS,
        socketTimeoutMS=PING_TIMEOUT_MS,
    )
    try:
        client.admin.command("ping")
    except PyMongoError:
        return False
    finally:
        client.close()
    return True


def make_folder(path: Path) -> None:
    """Make a folder for this person alone; `StoreUnavailable` when something is in the way."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"The store needs a folder at {path}: {error.strerror}") from error


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _printed_port(log: Path) -> int:
    found = _LISTENING.search(log.read_bytes())
    return int(found.group(1)) if found else 0


def _last_words(log: Path) -> str:
    lines = log.read_text(errors="replace").strip().splitlines()
    return " ".join(lines[-3:]) or "it ended without a word"
