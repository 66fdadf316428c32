"""Ends a store's server that nobody uses any more: its users may all have been killed.

A process of its own beside the server, started with it and by whoever finds none. It goes when the server
was stopped in order, and stops one that had no living user for a while; who comes meanwhile adopts it.

    python -m app.store.server.keeper FOLDER KIND PROGRAM NAME SECONDS
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock, Timeout

from app.store.server import record
from app.store.server.record import KEEPER, LOCK, NAME, USERS, Running, Users

LOOK_S = 0.5


def main(arguments: list[str]) -> None:
    """Look after the server until it is gone. One keeper a folder: a second one ends at once."""
    folder, kind, program, name, seconds = arguments
    home = Path(folder)
    try:
        with FileLock(home / KEEPER, timeout=0):
            keep(home, lambda: _servers(home, kind, program, str(home / name)), float(seconds))
    except (Timeout, OSError):  # the folder may be removed under it
        return


def keep(home: Path, servers: Callable[[], list[Running]], patience_s: float) -> None:
    """Return once the server is stopped, by its last user or, unused for `patience_s`, from here."""
    lock, users = FileLock(home / LOCK, timeout=0), Users(home / USERS)
    unused_since: float | None = None
    while home.is_dir():
        time.sleep(LOOK_S)
        try:
            with lock:  # whoever starts or stops the server has it
                unused_since = None if users.any() else unused_since or time.monotonic()
                if unused_since is None:
                    continue
                found = servers()
                if found and time.monotonic() - unused_since < patience_s:
                    continue
                for running in found:
                    print(f"{running.program} had no user for {patience_s:g} s", flush=True)  # noqa: T201
                    record.stop(running)
                (home / NAME).unlink(missing_ok=True)
                return
        except Timeout:
            unused_since = None


def _servers(home: Path, kind: str, program: str, storage: str) -> list[Running]:
    """The one that is written down, else those on the folder: its starter may have been killed."""
    written = record.read(home / NAME)
    if written is not None and record.process_of(written) is not None:
        return [written]
    return record.find_servers(kind, program, storage)


if __name__ == "__main__":
    main(sys.argv[1:])
