"""An in-memory index of the folders, so that a listing only reads the files that it shows.

A folder is read again if its modification time differs, or is so recent that another change might have the
same time. Then names are compared, and only new files are opened. The index is a hint: results are always
read from the files.
"""

import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import islice, product
from typing import TypeAlias

from app.domain.review import LOCATIONS, Depths, Location, Record, RecordTimes, record_times
from app.store.reviews.record_files import (
    SUFFIX,
    Damaged,
    Disk,
    Places,
    read_record_file,
    record_id_of,
    translate_disk_errors,
)

# File system timestamps have a resolution of 1 to 10 ms; on some of 2 s, then in whole seconds.
RACY_NS, SECOND_NS = 2_000_000_000, 1_000_000_000

RACY_FINE_NS = 100_000_000
DATES_AT_ONCE = 500  # files per folder whose dates are checked in one count of damaged files

Key: TypeAlias = tuple[int, str]  # time and id: the sort order of a listing


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one record. `shelf` is the folder of its file."""

    key: Key
    tenant: str
    user: str
    location: Location
    shelf: Location
    timed: RecordTimes
    changed_ns: int


@dataclass(frozen=True, slots=True)
class Broken:
    """A file that is not a valid record."""

    tenant: str | None
    changed_ns: int


def entry_of(record: Record, shelf: Location, changed_ns: int) -> Entry:
    facts = record_times(record)
    at = record.submitted_at_ms if facts.reviewed_at_ms is None else facts.reviewed_at_ms
    return Entry(
        key=(at, record.id),
        tenant=record.tenant_id,
        user=record.origin.user,
        location=record.location,
        shelf=shelf,
        timed=facts,
        changed_ns=changed_ns,
    )


@dataclass(slots=True)
class Shelf:
    """The last known state of a folder: its names, their contents, and its modification time."""

    location: Location
    seen: dict[str, int] = field(default_factory=dict)
    held: dict[str, Entry | Broken] = field(default_factory=dict)
    broken: dict[str, Broken] = field(default_factory=dict)
    filled_ns: int | None = None
    settled: bool = False
    dated: int = 0  # how many of `seen` had their dates checked in this round


class Index:
    """An index that refreshes itself in every method. Blocking and thread-safe."""

    def __init__(self, disk: Disk, places: Places) -> None:
        self._disk = disk
        self._places = places
        self._lock = threading.Lock()
        self._shelves = {location: Shelf(location) for location in LOCATIONS}
        # Entries by tenant, folder and location.
        self._entries: dict[tuple[str, Location, Location], dict[Key, Entry]] = {}

    def page(
        self, tenant: str, location: Location, user: str | None, after: Key | None, limit: int
    ) -> list[Entry]:
        """The newest records below `after`, including those still being moved from `pending`."""
        with self._lock:
            self._refresh("pending", location)
            entries = (
                entry
                for shelf in {"pending": None, location: None}
                for entry in self._entries.get((tenant, shelf, location), {}).values()
                if (after is None or entry.key < after) and (user is None or entry.user == user)
            )
            newest = nlargest(2 * limit, entries, key=lambda entry: entry.key)  # some in both
            return list({entry.key[1]: entry for entry in newest}.values())[:limit]

    def entries(self, tenant: str) -> list[Entry]:
        """Each record of the tenant once, decided ones before pending ones."""
        with self._lock:
            self._refresh(*LOCATIONS)
            return list(self._by_id(tenant).values())

    def _by_id(self, tenant: str) -> dict[str, Entry]:
        by_id: dict[str, Entry] = {}
        for shelf, location in product(LOCATIONS, LOCATIONS):
            entries = self._entries.get((tenant, shelf, location), {})
            by_id.update((key[1], entry) for key, entry in entries.items())
        return by_id

    def depths(self) -> dict[str, Depths]:
        """The depths of every tenant that has records."""
        with self._lock:
            self._refresh(*LOCATIONS)
            tenants = {tenant for (tenant, _, _), entries in self._entries.items() if entries}
            return {tenant: self._depths(tenant) for tenant in sorted(tenants)}

    def depths_of(self, tenant: str) -> Depths:
        with self._lock:
            self._refresh(*LOCATIONS)
            return self._depths(tenant)

    def _depths(self, tenant: str) -> Depths:
        entries = self._by_id(tenant).values()
        counts = Counter[str](entry.location for entry in entries)
        pending = (entry.key[0] for entry in entries if entry.location == "pending")
        return Depths(**counts, oldest_ms=min(pending, default=None))

    def leftovers(self) -> list[str]:
        """Ids of decided records that are still in `pending`, as last seen."""
        with self._lock:
            return [
                key[1]
                for (_, shelf, location), entries in self._entries.items()
                if shelf == "pending" != location
                for key in entries
            ]

    def broken(self) -> list[tuple[Location, str, Broken]]:
        """Invalid files: folder, name, and what is known.

        A file modified in place is only noticed by its date; each call checks some of the dates in turn.
        """
        with self._lock:
            self._refresh(*LOCATIONS)
            for shelf in self._shelves.values():
                self._compare_some(shelf)
            return [
                (shelf.location, name, broken)
                for shelf in self._shelves.values()
                for name, broken in shelf.broken.items()
            ]

    def _compare_some(self, shelf: Shelf) -> None:
        if shelf.dated >= len(shelf.held):
            shelf.dated = 0
        names = list(islice(shelf.held, shelf.dated, shelf.dated + DATES_AT_ONCE))
        shelf.dated += len(names)
        folder = self._places.of(shelf.location)
        for name in names:
            with translate_disk_errors():
                changed_ns = self._disk.changed_ns(folder / name)
            if changed_ns not in (None, shelf.held[name].changed_ns):
                self._read_file(shelf, name)

    def doubt(self, entry: Entry) -> None:
        """Read the file of an entry again, because its content differs."""
        with self._lock:
            self._read_file(self._shelves[entry.shelf], f"{entry.key[1]}{SUFFIX}")

    def _refresh(self, *locations: Location) -> None:
        """Refresh the folders, `pending` first: a record being moved is seen twice, not missed."""
        with translate_disk_errors():
            for location in dict.fromkeys(locations):
                self._refresh_shelf(self._shelves[location])

    def _refresh_shelf(self, shelf: Shelf) -> None:
        path = self._places.of(shelf.location)
        now, filled_ns = time.time_ns(), self._disk.filled_ns(path)
        if filled_ns == shelf.filled_ns and shelf.settled:
            return self._recheck(shelf)
        names = self._disk.names(path, SUFFIX)
        if names != shelf.seen:
            self._apply_names(shelf, names)
        shelf.filled_ns, shelf.settled = (
            filled_ns,
            filled_ns is None or filled_ns < now - _racy_ns(filled_ns),
        )
        return self._recheck(shelf)

    def _apply_names(self, shelf: Shelf, names: dict[str, int]) -> None:
        """Read new and changed files, and drop deleted ones."""
        for name in [name for name in shelf.seen if name not in names]:
            self._remove(shelf, name)
            del shelf.seen[name]
        known_inode = shelf.seen.get
        for name in [name for name, inode in names.items() if known_inode(name) != inode]:
            self._read_file(shelf, name)
            shelf.seen[name] = names[name]

    def _recheck(self, shelf: Shelf) -> None:
        """Read invalid files again that may have been repaired in place."""
        path = self._places.of(shelf.location)
        for name in list(shelf.broken):
            if self._disk.changed_ns(path / name) != shelf.held[name].changed_ns:
                self._read_file(shelf, name)

    def _read_file(self, shelf: Shelf, name: str) -> None:
        self._remove(shelf, name)
        record_id = record_id_of(name)
        if record_id is None:
            changed_ns = self._disk.changed_ns(self._places.of(shelf.location) / name) or 0
            shelf.held[name] = shelf.broken[name] = Broken(None, changed_ns)
            return
        file = read_record_file(self._disk, self._places, shelf.location, record_id)
        if file is None:
            return
        if isinstance(file.held, Damaged):
            broken = Broken(file.held.tenant, file.changed_ns)
            shelf.held[name] = shelf.broken[name] = broken
            return
        entry = entry_of(file.held, shelf.location, file.changed_ns)
        shelf.held[name] = entry
        place = entry.tenant, shelf.location, entry.location
        self._entries.setdefault(place, {})[entry.key] = entry

    def _remove(self, shelf: Shelf, name: str) -> None:
        content = shelf.held.pop(name, None)
        shelf.broken.pop(name, None)
        if isinstance(content, Entry):
            self._entries[content.tenant, shelf.location, content.location].pop(content.key, None)


def _racy_ns(filled_ns: int) -> int:
    """How long another change might get the same timestamp."""
    return RACY_FINE_NS if filled_ns % SECOND_NS else RACY_NS
