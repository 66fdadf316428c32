"""Who uses the server: one file a user, so that the last one knows that it is the last.

A file counts while its process lives; those of killed processes are swept. All calls but the
constructor belong under the store's lock.
"""

import secrets
from pathlib import Path

import psutil

from app.store.server.record import SAME_START_S

SUFFIX = ".user"  # anything else in the folder is not ours to remove


class Users:
    """The user files in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def enter(self) -> Path:
        """Count this process once more; the path is what `leave` takes."""
        me = psutil.Process()
        mine = self._folder / f"{me.pid}-{secrets.token_hex(4)}{SUFFIX}"
        mine.write_text(repr(me.create_time()))
        return mine

    def leave(self, mine: Path) -> None:
        """Count it no more."""
        mine.unlink(missing_ok=True)

    def any(self) -> bool:
        """Whether anyone alive uses the server; files of dead processes are removed on the way."""
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
