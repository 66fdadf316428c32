"""Temporary folders that name their owner, so that those of killed processes are found and removed.

The owner locks a file inside for its lifetime; the operating system releases the lock however the process
ends.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import structlog
from filelock import FileLock, Timeout

PREFIX = "tabwright-"
OWNER = ".owner"
UNOWNED_S = 24 * 60 * 60.0  # a folder without the file is of an older version, or is being created

log = structlog.get_logger(__name__)


@contextmanager
def scratch_folder(kind: str) -> Iterator[Path]:
    """A private folder, removed at the end. Folders of killed processes are removed first."""
    place = Path(tempfile.gettempdir())
    sweep(place)
    # Hidden until it is owned, so that a concurrent sweep does not mistake it for an abandoned one.
    hidden = Path(tempfile.mkdtemp(prefix=f".{PREFIX}{kind}-", dir=place))
    folder = hidden.with_name(hidden.name.removeprefix("."))
    try:
        with FileLock(hidden / OWNER):
            hidden.rename(folder)
            yield folder
    finally:
        for path in (hidden, folder):
            shutil.rmtree(path, ignore_errors=True)


def sweep(place: Path) -> None:
    """Remove the folders in `place` whose owner is gone."""
    for folder in (*place.glob(f"{PREFIX}*"), *place.glob(f".{PREFIX}*")):
        with suppress(OSError):  # another person's, or removed meanwhile
            if not folder.is_symlink() and folder.is_dir() and _is_abandoned(folder):
                shutil.rmtree(folder)
                log.info("temporary_folder_removed", folder=str(folder))


def _is_abandoned(folder: Path) -> bool:
    owner = folder / OWNER
    if folder.name.startswith(".") or not owner.exists():
        return time.time() - folder.stat().st_mtime > UNOWNED_S
    try:
        with FileLock(owner, timeout=0):
            return True
    except Timeout:
        return False
