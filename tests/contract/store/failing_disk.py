"""Disks that fail at a call of one's choice, and processes that die there."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.store.reviews.record_files import Disk

CHANGES = ("write_new", "append", "write", "sync", "link", "replace", "unlink", "sync_folder")
READS = ("content", "filled_ns", "names", "dates")


class Killed(BaseException):
    """The process is no more."""


class FailingDisk(Disk):
    """Fails at the `at`-th of these calls with what `fail` raises, and at each later one as long as `on`."""

    def __init__(
        self,
        at: int,
        fail: Callable[[], BaseException],
        *,
        on: bool,
        calls: tuple[str, ...] = CHANGES,
    ) -> None:
        self.left = at
        self.failed = False
        self._fail = fail
        self._on = on
        self._calls = calls

    def __getattribute__(self, name: str) -> Any:
        if name in ("write", *object.__getattribute__(self, "_calls")):
            return lambda *given: self._called(name, *given)
        return object.__getattribute__(self, name)

    def _called(self, name: str, *given: Any) -> Any:
        self.left -= 1
        if self.left == 0 or (self._on and self.left < 0):
            self.failed = True
            if name == "write":  # half of it came there
                os.write(given[0], given[1][: len(given[1]) // 2])
            raise self._fail()
        return getattr(super(), name)(*given)


def killed_at(call: int) -> FailingDisk:
    """Everything that changes, up to this call, and nothing after it: not even clearing up."""
    return FailingDisk(call, Killed, on=True, calls=(*CHANGES, "make_folder"))


def failing_at(call: int, number: int, *, calls: tuple[str, ...] = CHANGES) -> FailingDisk:
    """One call fails with this error of the system; clearing up works."""
    return FailingDisk(call, lambda: OSError(number, os.strerror(number)), on=False, calls=calls)


def broken(number: int) -> FailingDisk:
    """Every change fails: a full disk, a folder that may not be written to."""
    return FailingDisk(1, lambda: OSError(number, os.strerror(number)), on=True)


def files(folder: Path) -> dict[str, list[str]]:
    """Every record's file, by name: the folders that it is in."""
    found: dict[str, list[str]] = {}
    for place in ("pending", "reviewed/approved", "reviewed/rejected"):
        for path in (folder / place).glob("*"):
            found.setdefault(path.name, []).append(place)
    return found
