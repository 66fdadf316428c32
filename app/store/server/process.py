"""Chooses the database server (`mongod` on PATH, else the embedded one), starts it and checks its health."""

import random
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

import psutil
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from app.errors import StoreUnavailable
from app.settings import Settings
from app.store.server.record import POLL_S, Running
from app.text import patterns

START_TIMEOUT_S = 60.0  # recovery after a kill: 0.6 s with 80,000 documents; this is for far more
PING_TIMEOUT_MS = 3_000

# Below the ephemeral port ranges (Linux from 32768, macOS and Windows from 49152), so that no
# connection takes the port while the server restarts.
PORTS = range(20_000, 32_000)

PORT_TRIES = 50
GONE, DEAF = "its process is gone", "it does not answer"
PANIC = "WT_PANIC"  # WiredTiger then serves nothing, not even reads, until restarted
_LISTENING = patterns.compile(r"listening on 127\.0\.0\.1:(\d+)")

EMBEDDED_PACKAGE = "SecantusDB"
EMBEDDED_PROGRAM = "secantusd-rs"


@dataclass(frozen=True, slots=True)
class Choice:
    """A server that this process may start: the program and its data folder (absolute)."""

    kind: Literal["mongod", "embedded"]
    program: Path
    storage: Path

    def command(self, port: int) -> list[str]:
        """The command line. With port 0 the embedded server picks one and prints it."""
        if self.kind == "mongod":
            options = ["--bind_ip", "127.0.0.1", "--dbpath", str(self.storage)]
            return [str(self.program), *options, "--port", str(port)]
        # Without --sync-on-commit a kill loses acknowledged writes; without --log-file-max the log
        # takes 2 GB (both measured).
        options = ["--host", "127.0.0.1", "--port", str(port), "--storage-path", str(self.storage)]
        limits = ["--cache-size", "256M", "--log-file-max", "128MB", "--sync-on-commit"]
        return [str(self.program), *options, *limits]


def choose(settings: Settings) -> Choice:
    """The server to start when no URI is set. Raises `StoreUnavailable` if this machine has none."""
    home = settings.data_dir.resolve()
    if mongod := shutil.which("mongod"):
        return Choice("mongod", Path(mongod), home / "mongo")
    return Choice("embedded", _embedded_program(), home / "embedded")


def describe_store(settings: Settings) -> str:
    """Describe the store and its location in one line. Never shows credentials."""
    if settings.mongodb_uri is not None:
        host = urlsplit(settings.mongodb_uri.get_secret_value()).netloc.rpartition("@")[2]
        return f"MongoDB at {host} (TABWRIGHT_MONGODB_URI)"
    choice = choose(settings)
    if choice.kind == "mongod":
        return f"mongod on PATH ({choice.program}), data in {choice.storage}"
    version = distribution(EMBEDDED_PACKAGE).version
    return f"embedded server ({EMBEDDED_PROGRAM} {version}), data in {choice.storage}"


def _embedded_program() -> Path:
    """The native server in the installed wheel; the package itself is never imported."""
    name = EMBEDDED_PROGRAM + (".exe" if sys.platform == "win32" else "")
    with suppress(PackageNotFoundError):
        files = distribution(EMBEDDED_PACKAGE).files or ()
        candidates = [Path(str(file.locate())) for file in files if file.name == name]
        # Repaired Linux wheels have the program in `*.scripts` and a Python launcher in `bin`.
        candidates.sort(key=lambda path: not path.parent.name.endswith(".scripts"))
        for path in candidates:
            with suppress(OSError), path.open("rb") as file:
                if file.read(2) != b"#!":
                    return path.resolve()
    raise StoreUnavailable(
        "No store can be started: there is no `mongod` on PATH and no embedded server for "
        "this machine. Set TABWRIGHT_MONGODB_URI to a MongoDB 7 or 8."
    )


class Probe:
    """Repeatedly reads from one server on one connection.

    A panicked server still answers a ping, so a ping proves nothing. A context manager.
    """

    def __init__(self, running: Running) -> None:
        self._running = running
        self._client: MongoClient[dict[str, object]] = MongoClient(
            running.uri,
            serverSelectionTimeoutMS=PING_TIMEOUT_MS,
            connectTimeoutMS=PING_TIMEOUT_MS,
            socketTimeoutMS=PING_TIMEOUT_MS,
        )

    def find_fault(self) -> str:
        """Why the server is unusable; "" if it works."""
        if self._running.process() is None:
            return GONE
        try:
            self._client["tabwright"]["readiness"].find_one({})
        except PyMongoError as error:
            return PANIC if PANIC in str(error) else DEAF
        return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()


def find_fault(running: Running) -> str:
    """Why a server is unusable; "" if it works. See `Probe`."""
    with Probe(running) as probe:
        return probe.find_fault()


def start_server(choice: Choice, log: Path, port: int) -> Running:
    """Start the server and wait until it answers. Raises `StoreUnavailable` with its last output otherwise.

    It gets its own session, so that Ctrl-C in the terminal does not stop it before its users.
    """
    make_folder(choice.storage)
    child, reaper = spawn_detached(choice.command(port), log, choice.storage.parent)
    deadline = time.monotonic() + START_TIMEOUT_S
    while reaper.is_alive() and time.monotonic() < deadline:
        if choice.kind == "mongod" or _reports_port(log, port):
            running = _record_of(choice, child.pid, port)
            # Checked again after the answer: a launcher script has become the server by then.
            if (
                running is not None
                and not find_fault(running)
                and running == _record_of(choice, child.pid, port)
            ):
                return running
        time.sleep(POLL_S)
    if reaper.is_alive():
        child.kill()
    raise StoreUnavailable(f"The store could not be started: {last_output(log)}")


def spawn_detached(
    command: list[str], log: Path, folder: Path
) -> tuple["subprocess.Popen[bytes]", threading.Thread]:
    """Start a process that outlives this one, with its output in `log`, and a thread that reaps it, since
    other processes would take a zombie for alive.
    """
    with log.open("wb") as sink:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            cwd=folder,
            # SIGXFSZ stays ignored, as in Python, so that a file size limit fails a write.
            restore_signals=False,
            start_new_session=True,  # no effect on Windows
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows only
        )
    reaper = threading.Thread(target=child.wait, name="store-reaper", daemon=True)
    reaper.start()
    return child, reaper


def _record_of(choice: Choice, pid: int, port: int) -> Running | None:
    with suppress(psutil.Error):
        return Running.of(psutil.Process(pid), choice.kind, port, str(choice.storage))
    return None


def make_folder(path: Path) -> None:
    """Make a private folder; raises `StoreUnavailable` if something is in the way."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"The store needs a folder at {path}: {error.strerror}") from error


def find_port() -> int:
    for port in random.sample(PORTS, PORT_TRIES):
        if is_free(port):
            return port
    raise StoreUnavailable(f"No port from {PORTS.start} to {PORTS.stop - 1} is free for the store")


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen()
        except OSError:
            return False
    return True


def _reports_port(log: Path, port: int) -> bool:
    match = _LISTENING.search(log.read_text("utf-8", "replace"))
    return match is not None and int(match.group(1)) == port


def last_output(log: Path) -> str:
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return " ".join(lines[-3:]) or "it printed nothing"
