"""Attempts to write what is no record, counted: a line each, the moment in epoch milliseconds.

Of each tenant the newest that two files of `MOST_BYTES` hold; older ones are forgotten.
"""

from hashlib import sha256
from pathlib import Path

from app.store.reviews.files.disk import Disk, in_our_words
from app.store.reviews.files.records import Places
from app.store.reviews.files.storage import Keeper

MOST_BYTES = 500_000  # some 35,000 attempts
DIGITS = 15  # of a moment; what is longer are two lines of which one was torn


class Refusals:
    """One file a tenant, named after the tenant's digest. Blocks."""

    def __init__(self, disk: Disk, places: Places, keeper: Keeper) -> None:
        self._disk = disk
        self._places = places
        self._keeper = keeper

    def add(self, tenant: str, at_ms: int) -> None:
        """One more."""
        path, older = self._files(tenant)
        with in_our_words():
            self._keeper.prepare()
            if self._disk.append(path, b"%d\n" % at_ms) > MOST_BYTES:
                with self._keeper.locked(path.name):
                    if self._disk.append(path, b"") > MOST_BYTES:  # nobody else has done it
                        self._disk.replace(path, older)

    def count(self, tenant: str, since_ms: int, until_ms: int) -> int:
        """How many from `since_ms` until before `until_ms`."""
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
        """Forget the tenant's."""
        with in_our_words():
            for path in self._files(tenant):
                self._disk.unlink(path)

    def _files(self, tenant: str) -> tuple[Path, Path]:
        name = sha256(tenant.encode("utf-8", "surrogatepass")).hexdigest()
        folder = self._places.refusals
        return folder / f"{name}.log", folder / f"{name}.log.1"
