"""Starting the store's server, and asking whether it is of use."""

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
# Below the ports that systems hand out by themselves (Linux from 32768, macOS and Windows from 49152):
# while the server is restarted, nobody's connection takes its port by chance.
PORTS = range(20_000, 32_000)
PORT_TRIES = 50
GONE, DEAF = "its process is gone", "it does not answer"
PANIC = "WT_PANIC"  # WiredTiger serves nothing more, reads neither, until its process is restarted
_LISTENING = patterns.compile(r"listening on 127\.0\.0\.1:(\d+)")


class Probe:
    """Reads from one server again and again on one connection. A panicked server answers a ping, so that
    would prove nothing. A context manager.
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
        """Why the server is of no use, "" when it is."""
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
    """Why a server is of no use, "" when it is; see `Probe`."""
    if process_of(running) is None:
        return GONE
    with Probe(running) as probe:
        return probe.find_fault()


def start(choice: Choice, log: Path, port: int) -> Running:
    """Start the server and wait until it answers. `StoreUnavailable`, with its last words, if not.

    It gets its own session, so that Ctrl-C in the terminal does not end it before its users.
    """
    make_folder(choice.storage)
    child, reaper = launch(choice.command(port), log, choice.storage.parent)
    deadline = time.monotonic() + START_TIMEOUT_S
    while reaper.is_alive() and time.monotonic() < deadline:
        if choice.kind == "mongod" or _says_port(log, port):
            running = _written_down(choice, child.pid, port)
            # Looked at again after the answer: a launcher script becomes the server meanwhile.
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
    """Start a process that outlives this one, its output in `log`; and the thread that reaps it whenever
    it ends, since a zombie would look alive to other processes.
    """
    with log.open("wb") as sink:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            cwd=folder,
            # SIGXFSZ stays ignored, as Python has it: a limit of file sizes fails a write, then.
            restore_signals=False,
            start_new_session=True,  # does nothing on Windows
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows alone
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
    """Make a folder for this person alone; `StoreUnavailable` when something is in the way."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"The store needs a folder at {path}: {error.strerror}") from error


def find_port() -> int:
    """A port that nobody listens on."""
    for port in random.sample(PORTS, PORT_TRIES):
        if is_free(port):
            return port
    raise StoreUnavailable(f"No port from {PORTS.start} to {PORTS.stop - 1} is free for the store")


def is_free(port: int) -> bool:
    """Whether a server could listen there now."""
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
    """The end of what a server printed."""
    try:
        lines = log.read_text(errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return " ".join(lines[-3:]) or "it ended without a word"
