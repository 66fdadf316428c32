"""Counts invalid writes: one line each, with the time in epoch milliseconds.

Per tenant, the newest that fit in two files of `MOST_BYTES`; older ones are dropped.
"""

from hashlib import sha256
from pathlib import Path

from app.store.reviews.files.disk import Disk, in_our_words
from app.store.reviews.files.records import Places
from app.store.reviews.files.storage import Keeper

MOST_BYTES = 500_000  # about 35,000 attempts
DIGITS = 15  # of a timestamp; anything longer is two lines, one of them torn


class Refusals:
    """One file per tenant, named by the tenant's digest. Blocking."""

    def __init__(self, disk: Disk, places: Places, keeper: Keeper) -> None:
        self._disk = disk
        self._places = places
        self._keeper = keeper

    def add(self, tenant: str, at_ms: int) -> None:
        """Record an invalid write."""
        path, older = self._files(tenant)
        with in_our_words():
            self._keeper.prepare()
            if self._disk.append(path, b"%d\n" % at_ms) > MOST_BYTES:
                with self._keeper.locked(path.name):
                    if self._disk.append(path, b"") > MOST_BYTES:  # nobody else has rotated it
                        self._disk.replace(path, older)

    def count(self, tenant: str, since_ms: int, until_ms: int) -> int:
        """The number in [`since_ms`, `until_ms`)."""
        total = 0
        for path in self._files(tenant):
            with in_our_words():
                content = self._disk.content(path, 2 * MOST_BYTES)
            lines = content.data.split() if content and content.data else ()
            total += sum(
                since_ms <= int(line) < until_ms
                for line in lines
                if len(line) <= DIGITS and line.isdigit()
            )
        return total

    def delete(self, tenant: str) -> None:
        with in_our_words():
            for path in self._files(tenant):
                self._disk.unlink(path)

    def _files(self, tenant: str) -> tuple[Path, Path]:
        name = sha256(tenant.encode("utf-8", "surrogatepass")).hexdigest()
        folder = self._places.refusals
        return folder / f"{name}.log", folder / f"{name}.log.1"
