"""The life of the store's server when this machine must provide it.

The first process that needs it starts it under a lock and writes it down in the data folder; every
other one adopts it if it answers and replaces it if it does not. While it is held, a thread of each
holder starts it again when it dies, at the same port, so that clients reconnect by themselves. The
last holder to leave stops it.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import structlog
from filelock import FileLock, Timeout

from app.errors import StoreUnavailable
from app.settings import Settings
from app.store import server_process
from app.store.server_choice import Choice, choose
from app.store.server_process import Running
from app.store.server_users import Users

LOCK_TIMEOUT_S = 90.0  # longer than a start may take, since starting happens under the lock
WATCH_S = 0.25
SAME_PORT_TRIES = 3
URI_VARIABLE = "TABWRIGHT_MONGODB_URI"
WORKERS_VARIABLE, ALONE_VARIABLE = "TABWRIGHT_WORKERS", "TABWRIGHT_ALONE"

log = structlog.get_logger(__name__)


@contextmanager
def held(settings: Settings) -> Iterator[str]:
    """The URI of a server that answers, kept running inside. Blocks: call it off the event loop.

    `StoreUnavailable` when none can be started. A URI in the settings is taken as it is, unless it
    is that of our own server, handed down by a parent process: then this process counts as a user.
    """
    given = settings.mongodb_uri and settings.mongodb_uri.get_secret_value()
    if given and not is_ours(settings):
        yield given
        return
    server = Server(choose(settings), _record(settings))
    server.enter()
    try:
        yield server.uri
    finally:
        server.leave()


def is_ours(settings: Settings) -> bool:
    """Whether the store is the one that we start ourselves: no URI is set, or a parent process handed that
    one's down.
    """
    if settings.mongodb_uri is None:
        return True
    written = server_process.read(_record(settings))
    return written is not None and written.uri == settings.mongodb_uri.get_secret_value()


def _record(settings: Settings) -> Path:
    """The file in which the server that we started is written down."""
    return settings.data_dir.resolve() / "store.json"


@contextmanager
def handed_down(settings: Settings) -> Iterator[str]:
    """`held`, with the address in the environment of the processes started inside, and how many share
    it. Whoever named an address may have other servers there.
    """
    alone = settings.mongodb_uri is None and settings.workers == 1
    with held(settings) as uri:
        told = {URI_VARIABLE: uri, WORKERS_VARIABLE: str(settings.workers)}
        told[ALONE_VARIABLE] = str(alone)
        environment = os.environ  # noqa: TID251 - written for children, not read for us
        before = {name: environment.get(name) for name in told}
        environment.update(told)
        try:
            yield uri
        finally:
            for name, value in before.items():
                environment.pop(name, None)
                if value is not None:
                    environment[name] = value


class Server:
    """One holder's view of the shared server."""

    def __init__(self, choice: Choice, record: Path) -> None:
        self._choice = choice
        self._record = record
        home = record.parent
        server_process.make_folder(home)
        self._lock = FileLock(home / "store.lock", timeout=LOCK_TIMEOUT_S)
        self._log = home / "store.log"
        server_process.make_folder(home / "store.users")
        self._users = Users(home / "store.users")
        self._leaving = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="store-watch", daemon=True)
        self._mine: Path | None = None
        self._running: Running | None = None

    @property
    def uri(self) -> str:
        """Where clients connect. Only while entered."""
        if self._running is None:
            raise StoreUnavailable("The store's server is not held")
        return self._running.uri

    def enter(self) -> None:
        """Start or adopt the server and be counted as its user."""
        with self._locked():
            self._running = self._ensured()
            self._mine = self._users.enter()
        self._watcher.start()

    def leave(self) -> None:
        """Be counted no more; the last one stops the server."""
        self._leaving.set()
        self._watcher.join()
        with self._locked():
            if self._mine is not None:
                self._users.leave(self._mine)
            if not self._users.any() and (running := server_process.read(self._record)):
                server_process.stop(running)
                self._record.unlink(missing_ok=True)

    def _ensured(self) -> Running:
        """The server, answering. Under the lock."""
        written = server_process.read(self._record)
        if written is not None and server_process.answers(written):
            return written
        if written is not None:
            server_process.stop(written)  # alive, ours, and deaf
        running = server_process.running_on(self._choice) or self._started(written)
        try:
            server_process.write(self._record, running)
        except OSError as error:
            server_process.stop(running)
            raise StoreUnavailable(f"{self._record} cannot be written: {error.strerror}") from error
        return running

    def _started(self, before: Running | None) -> Running:
        """A new process; at the port of the one before while others still hold that address."""
        again = SAME_PORT_TRIES if before is not None and self._users.any() else 0
        for _ in range(again):
            try:
                return server_process.start(self._choice, self._log, before.port if before else 0)
            except StoreUnavailable as error:  # killed while starting, or the port was taken
                log.warning("store_start_failed", reason=error.detail)
        return server_process.start(self._choice, self._log, 0)

    def _watch(self) -> None:
        while not self._leaving.wait(WATCH_S):
            if self._running is None or server_process.process_of(self._running) is not None:
                continue
            try:
                with self._locked():
                    self._running = self._ensured()
                log.warning("store_restarted", pid=self._running.pid, port=self._running.port)
            except StoreUnavailable as error:
                log.warning("store_restart_failed", reason=error.detail)

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
