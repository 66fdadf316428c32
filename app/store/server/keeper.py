"""Stops a database server that has no users left; all of them may have been killed.

It is a separate process, started with the server and by any user that finds none. It exits after a
regular stop of the server, and stops a server that had no living user for a while; new users adopt the
server until then.

    python -m app.store.server.keeper FOLDER KIND PROGRAM NAME SECONDS
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from app.store.server.record import KEEPER, LOCK, NAME, USERS, Running, Users, find_servers

POLL_S = 0.5


def run_keeper(arguments: list[str]) -> None:
    """Watch the server until it is gone. One keeper per folder: a second one exits at once."""
    folder, kind, program, name, seconds = arguments
    home = Path(folder)
    try:
        with FileLock(home / KEEPER, timeout=0):
            keep(home, lambda: _servers(home, kind, program, str(home / name)), float(seconds))
    except (Timeout, OSError):  # the folder may be deleted at any time
        return


def keep(home: Path, servers: Callable[[], list[Running]], patience_s: float) -> None:
    """Return once the server is stopped, by its last user or here after `patience_s` without users."""
    lock, users = FileLock(home / LOCK, timeout=0), Users(home / USERS)
    unused_since: float | None = None
    while home.is_dir():
        time.sleep(POLL_S)
        try:
            with lock:  # held by whoever starts or stops the server
                unused_since = None if users.any() else unused_since or time.monotonic()
                if unused_since is None:
                    continue
                running_servers = servers()
                if running_servers and time.monotonic() - unused_since < patience_s:
                    continue
                for running in running_servers:
                    print(f"{running.program} had no user for {patience_s:g} s", flush=True)  # noqa: T201
                    running.stop()
                (home / NAME).unlink(missing_ok=True)
                return
        except Timeout:
            unused_since = None


def _servers(home: Path, kind: str, program: str, storage: str) -> list[Running]:
    """The recorded server, else those on the folder, since its starter may have been killed."""
    recorded = Running.read(home / NAME)
    if recorded is not None and recorded.process() is not None:
        return [recorded]
    return find_servers(kind, program, storage)


if __name__ == "__main__":
    run_keeper(sys.argv[1:])
