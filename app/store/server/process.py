"""Starts the database server and checks its health."""

import random
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import Self

import psutil
from pymongo import MongoClient
from pymongo.errors import PyMongoError

from app.errors import StoreUnavailable
from app.store.server.choice import Choice
from app.store.server.record import POLL_S, Running, process_of, program_of
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
        if process_of(self._running) is None:
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
    if process_of(running) is None:
        return GONE
    with Probe(running) as probe:
        return probe.find_fault()


def start(choice: Choice, log: Path, port: int) -> Running:
    """Start the server and wait until it answers. Raises `StoreUnavailable` with its last output otherwise.

    It gets its own session, so that Ctrl-C in the terminal does not stop it before its users.
    """
    make_folder(choice.storage)
    child, reaper = launch(choice.command(port), log, choice.storage.parent)
    deadline = time.monotonic() + START_TIMEOUT_S
    while reaper.is_alive() and time.monotonic() < deadline:
        if choice.kind == "mongod" or _says_port(log, port):
            running = _written_down(choice, child.pid, port)
            # Checked again after the answer: a launcher script has become the server by then.
            if (
                running is not None
                and not find_fault(running)
                and running == _written_down(choice, child.pid, port)
            ):
                return running
        time.sleep(POLL_S)
    if reaper.is_alive():
        child.kill()
    raise StoreUnavailable(f"The store could not be started: {last_words(log)}")


def launch(
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


def _written_down(choice: Choice, pid: int, port: int) -> Running | None:
    try:
        process = psutil.Process(pid)
        started, program = process.create_time(), program_of(process)
    except psutil.Error:
        return None
    return Running(choice.kind, pid, port, started, program, str(choice.storage))


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
    """Whether a server could listen on the port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen()
        except OSError:
            return False
    return True


def _says_port(log: Path, port: int) -> bool:
    found = _LISTENING.search(log.read_text("utf-8", "replace"))
    return found is not None and int(found.group(1)) == port


def last_words(log: Path) -> str:
    """The end of a server's output."""
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return " ".join(lines[-3:]) or "it ended without a word"
