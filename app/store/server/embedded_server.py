"""Runs the database server if this machine must provide it.

The first process that needs the server starts it under a lock and records it in the data folder; others
adopt it if it answers and replace it if not. Each holder has a thread that restarts the server if it dies,
panics (after a full disk it never answers again) or hangs: on the same port, so that all holders' clients
reconnect by themselves. The last holder stops it; if all were killed, its keeper does.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog
from filelock import FileLock, Timeout

from app.errors import StoreUnavailable
from app.settings import Settings
from app.store.server import process
from app.store.server.process import Choice, Probe, choose
from app.store.server.record import KEEPER, LOCK, NAME, USERS, Running, Users, find_servers

LOCK_TIMEOUT_S = 90.0  # longer than a start may take, since starting happens under the lock
WATCH_S = 0.25

CHECK_EVERY, KEEPER_EVERY = 4, 20  # polls between health checks of the server, of its keeper

DEAF_S = 30.0  # maximum time without any answer; a busy machine is slow
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0  # between restarts, doubled each time
STEADY_S = 60.0  # after this long without a restart, the next one is immediate
UNUSED_S = 15.0  # lifetime after its users were killed, since a new start takes a few seconds
PORT_TRIES = 3
ROOT = Path(__file__).resolve().parents[3]
URI_VARIABLE = "TABWRIGHT_MONGODB_URI"
WORKERS_VARIABLE, ALONE_VARIABLE = "TABWRIGHT_WORKERS", "TABWRIGHT_ALONE"

log = structlog.get_logger(__name__)


@contextmanager
def hold_server(settings: Settings) -> Iterator[str]:
    """Yield the URI of a running server and keep it running. Blocking: call it off the event loop.

    Raises `StoreUnavailable` if none can be started. A URI in the settings is used as is, unless it is that
    of our own server, inherited from a parent process: then this process counts as a user.
    """
    given = settings.mongodb_uri and settings.mongodb_uri.get_secret_value()
    if given and not is_ours(settings):
        yield given
        return
    with Server(choose(settings), _record(settings)).hold() as uri:
        yield uri


def is_ours(settings: Settings) -> bool:
    """Whether the store is one that we start: no URI is set, or it was inherited from a parent process."""
    if settings.mongodb_uri is None:
        return True
    recorded = Running.read(_record(settings))
    return recorded is not None and recorded.uri == settings.mongodb_uri.get_secret_value()


def _record(settings: Settings) -> Path:
    return settings.data_dir.resolve() / NAME


@contextmanager
def share_server(settings: Settings) -> Iterator[str]:
    """Like `hold_server`, and puts the URI into the environment of child processes, with the number of
    processes that share it. With a configured URI, other servers may share the store.
    """
    alone = settings.mongodb_uri is None and settings.workers == 1
    with hold_server(settings) as uri:
        variables = {URI_VARIABLE: uri, WORKERS_VARIABLE: str(settings.workers)}
        variables[ALONE_VARIABLE] = str(alone)
        environment = os.environ  # noqa: TID251 - written for child processes
        previous = {name: environment.get(name) for name in variables}
        environment.update(variables)
        try:
            yield uri
        finally:
            for name, value in previous.items():
                environment.pop(name, None)
                if value is not None:
                    environment[name] = value


class Server:
    """One holder's view of the shared server."""

    def __init__(self, choice: Choice, record: Path) -> None:
        self._choice = choice
        self._record = record
        self._home = home = record.parent
        process.make_folder(home)
        self._lock = FileLock(home / LOCK, timeout=LOCK_TIMEOUT_S)
        self._log = home / "store.log"
        process.make_folder(home / USERS)
        self._users = Users(home / USERS)
        self._leaving = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="store-watch", daemon=True)
        self._running: Running

    @contextmanager
    def hold(self) -> Iterator[str]:
        """Start or adopt the server, and yield its URI. The last user stops it."""
        with self._locked():
            self._running = self._ensure_server()
            user_file = self._users.enter()
        self._watcher.start()
        try:
            yield self._running.uri
        finally:
            self._leaving.set()
            self._watcher.join()
            with self._locked():
                user_file.unlink(missing_ok=True)
                if not self._users.any() and (running := Running.read(self._record)):
                    running.stop()
                    self._record.unlink(missing_ok=True)

    def _ensure_server(self) -> Running:
        """Ensure a responding server and its keeper. Requires the lock."""
        self._ensure_keeper()
        recorded = Running.read(self._record)
        if recorded is not None:
            if not process.find_fault(recorded):
                return recorded
            recorded.stop()  # ours, and unresponsive
        running = self._find_stray() or self._start(recorded)
        try:
            running.write(self._record)
        except OSError as error:
            running.stop()
            raise StoreUnavailable(f"{self._record} cannot be written: {error.strerror}") from error
        return running

    def _find_stray(self) -> Running | None:
        """An unrecorded server on this folder that answers, left by a killed starter.

        One that does not answer would block the folder and is stopped.
        """
        choice = self._choice
        for server in find_servers(choice.kind, choice.program.name, str(choice.storage)):
            if server.port and not process.find_fault(server):
                return server
            server.stop()
        return None

    def _start(self, previous: Running | None) -> Running:
        """Start a process; on the port of the previous one if other holders still use that address."""
        if previous is not None and self._users.any():
            return process.start_server(self._choice, self._log, previous.port)
        for _ in range(PORT_TRIES):
            port = process.find_port()
            try:
                return process.start_server(self._choice, self._log, port)
            except StoreUnavailable:
                if process.is_free(port):  # that was not the cause
                    raise
        raise StoreUnavailable("Other programs took every port that the store tried to use")

    def _ensure_keeper(self) -> None:
        """Start a keeper if none is running. Requires the lock."""
        alive = FileLock(self._home / KEEPER, timeout=0)
        try:
            with alive:
                pass
        except Timeout:
            return
        choice = self._choice
        process.spawn_detached(
            [
                *(sys.executable, "-m", "app.store.server.keeper", str(self._home), choice.kind),
                *(choice.program.name, choice.storage.name, str(UNUSED_S)),
            ],
            self._home / "store.keeper.log",
            ROOT,
        )

    def _watch(self) -> None:
        """Restart the server when it fails, with growing pauses."""
        restarts = Restarts()
        while not self._leaving.is_set():
            cause = self._await_fault(self._running)
            if not cause or self._leaving.wait(restarts.pause_s()):
                return
            try:
                with self._locked():
                    self._running = self._restart(cause)
            except StoreUnavailable as error:
                log.warning("store_restart_failed", cause=cause, reason=error.detail)

    def _restart(self, cause: str) -> Running:
        """Replace a failed server, unless another holder already has. Requires the lock."""
        output = process.last_output(self._log)
        previous = Running.read(self._record)
        running = self._ensure_server()
        if running != previous:
            log.warning(
                "store_restarted", cause=cause, output=output, pid=running.pid, port=running.port
            )
        return running

    def _await_fault(self, running: Running) -> str:
        """Wait until the server fails, and return the cause; "" once the holder leaves."""
        polls, answered_at = 0, time.monotonic()
        with Probe(running) as probe:
            while not self._leaving.wait(WATCH_S):
                polls += 1
                if running.process() is None:
                    return process.GONE
                if polls % KEEPER_EVERY == 0:
                    self._check_keeper()
                if polls % CHECK_EVERY:
                    continue
                fault = probe.find_fault()
                if not fault:
                    answered_at = time.monotonic()
                elif fault != process.DEAF or time.monotonic() - answered_at > DEAF_S:
                    return fault
        return ""

    def _check_keeper(self) -> None:
        try:
            with self._locked():
                self._ensure_keeper()
        except StoreUnavailable as error:
            log.warning("store_keeper_not_started", reason=error.detail)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except Timeout as error:
            raise StoreUnavailable(
                f"{self._lock.lock_file} is held by a process that hangs"
            ) from error
        except OSError as error:
            raise StoreUnavailable(f"{error.filename}: {error.strerror}") from error


class Restarts:
    """The pauses between restarts of an unstable server."""

    def __init__(self) -> None:
        self._count = 0
        self._last = -STEADY_S

    def pause_s(self) -> float:
        """The pause before the next restart, which is counted."""
        now = time.monotonic()
        if now - self._last > STEADY_S:
            self._count = 0
        pause = FIRST_PAUSE_S * 2.0 ** (self._count - 1) if self._count else 0.0
        self._count += 1
        self._last = now + min(pause, LONGEST_PAUSE_S)
        return min(pause, LONGEST_PAUSE_S)
