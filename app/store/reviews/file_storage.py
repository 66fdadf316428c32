"""Moves records into and between the folders, so that each is always in exactly one.

    submit    write .staging/x, sync it
              link it to pending/ID (never over another)
              sync pending
    decide    write .staging/x, sync it
              put it in place of pending/ID         (1)
              rename pending/ID to reviewed/OUTCOME/ID  (2)
              sync both folders

A reviewed record in `pending` is one whose writer died between (1) and (2): the decision is in force,
and whoever finds the file performs (2). Writers of the same id wait for each other.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from uuid import uuid4

import structlog
from filelock import FileLock, Timeout

from app.domain.review import (
    LOCATIONS,
    OUTCOMES,
    Location,
    Record,
    Review,
    ReviewedRecord,
    Submission,
    with_review,
)
from app.errors import AlreadyReviewed, Invalid, NotFound, StoreUnavailable
from app.store.reviews.record_files import (
    Damaged,
    Disk,
    Places,
    find_standing,
    record_bytes,
    translate_disk_errors,
)

LOCK_TIMEOUT_S = 30.0  # operations under a lock take milliseconds, but a disk may hang
POLL_S = 0.002
SHARD = slice(5, 7)  # two digits of the id after its prefix: 256 locks
OLD_S = 10 * 60.0  # a staged file is moved within milliseconds; after this its writer is dead
RETRY_AFTER_S = 2

log = structlog.get_logger(__name__)
MOST_REFUSAL_BYTES = 500_000  # about 35,000 attempts
DIGITS = 15  # of a timestamp; anything longer is two lines, one of them torn


class Keeper:
    """All changes of the folders. Blocking: call it off the event loop."""

    def __init__(self, disk: Disk, places: Places) -> None:
        self._disk = disk
        self._places = places
        self._swept: float | None = None

    def submit(self, record: Submission) -> Record:
        """Store the record; if its id exists, return the one in force."""
        with translate_disk_errors(), self._staged(record) as staged, self.locked(record.id):
            current = find_standing(self._disk, self._places, record.id)
            if current is None:
                self._disk.link(staged, self._places.file("pending", record.id))
                self._disk.sync_folder(self._places.of("pending"))
                return record
        return _check_tenant(current[0], record)

    def decide(self, tenant: str, record_id: str, review: Review) -> ReviewedRecord:
        with translate_disk_errors():
            self.prepare()
            with self.locked(record_id):
                submission = self._find_pending(tenant, record_id)
                reviewed = with_review(submission, review)
                with self._staged(reviewed) as staged:
                    self._disk.replace(staged, self._places.file("pending", record_id))
                self._move(reviewed)
                return reviewed

    def _find_pending(self, tenant: str, record_id: str) -> Submission:
        current = find_standing(self._disk, self._places, record_id)
        record = current[0] if current else None
        if not isinstance(record, Submission | ReviewedRecord) or record.tenant_id != tenant:
            raise NotFound("There is no such record")
        if isinstance(record, ReviewedRecord):
            raise AlreadyReviewed
        if any(self._disk.is_there(self._places.file(outcome, record_id)) for outcome in OUTCOMES):
            raise _unreadable_file(record_id)
        return record

    def _move(self, reviewed: ReviewedRecord) -> None:
        """Step (2). The decision is in force without it, so a failure is left to the next caller."""
        pending, outcome = self._places.of("pending"), self._places.of(reviewed.location)
        try:
            self._disk.replace(
                self._places.file("pending", reviewed.id),
                self._places.file(reviewed.location, reviewed.id),
            )
            self._disk.sync_folder(outcome)
        except OSError as error:
            log.warning("reviewed record not moved", record=reviewed.id, error=error.strerror)
        self._disk.sync_folder(pending)

    def settle(self, record_id: str) -> None:
        """Perform step (2) for a writer that died, unless the record is locked."""
        with suppress(Timeout), translate_disk_errors(), self.locked(record_id, wait=False):
            current = find_standing(self._disk, self._places, record_id)
            if (
                current is None
                or current[1] != "pending"
                or not isinstance(current[0], ReviewedRecord)
            ):
                return
            if not self._disk.is_there(self._places.file(current[0].location, record_id)):
                self._move(current[0])

    def delete(self, location: Location, record_id: str) -> None:
        """Delete one file; `sync` makes that durable."""
        with translate_disk_errors():
            self.prepare()
            with self.locked(record_id):
                self._disk.unlink(self._places.file(location, record_id))

    def sync(self) -> None:
        """Make deletions durable."""
        with translate_disk_errors():
            self.prepare()
            for location in LOCATIONS:
                self._disk.sync_folder(self._places.of(location))

    @contextmanager
    def locked(self, name: str, *, wait: bool = True) -> Iterator[None]:
        """Lock this id against other threads and processes; raises `Timeout` without `wait`."""
        lock = FileLock(
            self._places.locks / f"{name[SHARD]}.lock",
            timeout=LOCK_TIMEOUT_S if wait else 0,
            poll_interval=POLL_S,
        )
        try:
            lock.acquire()
        except Timeout as error:
            if not wait:
                raise
            raise StoreUnavailable(
                "Another process has been writing this record for too long",
                retry_after=RETRY_AFTER_S,
            ) from error
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _staged(self, record: Record) -> Iterator[Path]:
        """A synced temporary file with the record, until it is linked or moved."""
        self.prepare()
        path = self._places.staging / f"{os.getpid()}-{uuid4().hex}"
        try:
            self._disk.write_new(path, record_bytes(record))
            yield path
        finally:
            with suppress(OSError):
                self._disk.unlink(path)

    def prepare(self) -> None:
        """Make missing folders; occasionally sweep."""
        for folder in self._places.all:
            self._disk.make_folder(folder)
        now = time.monotonic()
        if self._swept is None or now - self._swept > OLD_S:
            self._swept = now
            self.sweep()

    def sweep(self) -> None:
        """Remove what dead writers left unfinished."""
        for name in self._disk.names(self._places.staging, ""):
            path = self._places.staging / name
            written = self._disk.filled_ns(path)
            if written is not None and time.time_ns() - written > OLD_S * 1e9:
                with suppress(OSError):
                    self._disk.unlink(path)


def _check_tenant(current: Record | Damaged, record: Submission) -> Record:
    """The record in force, if it belongs to the same tenant."""
    if isinstance(current, Damaged):
        raise _unreadable_file(record.id)
    if current.tenant_id != record.tenant_id:
        raise Invalid("This id is already in use")
    return current


def _unreadable_file(record_id: str) -> StoreUnavailable:
    return StoreUnavailable(f"The file of {record_id} cannot be read. Repair it or move it away")


class Refusals:
    """One file per tenant, named by the tenant's digest. Blocking."""

    def __init__(self, disk: Disk, places: Places, keeper: Keeper) -> None:
        self._disk = disk
        self._places = places
        self._keeper = keeper

    def add(self, tenant: str, at_ms: int) -> None:
        path, older = self._files(tenant)
        with translate_disk_errors():
            self._keeper.prepare()
            if self._disk.append(path, b"%d\n" % at_ms) > MOST_REFUSAL_BYTES:
                with self._keeper.locked(path.name):
                    if (
                        self._disk.append(path, b"") > MOST_REFUSAL_BYTES
                    ):  # nobody else has rotated it
                        self._disk.replace(path, older)

    def count(self, tenant: str, since_ms: int, until_ms: int) -> int:
        """The number in [`since_ms`, `until_ms`)."""
        total = 0
        for path in self._files(tenant):
            with translate_disk_errors():
                content = self._disk.content(path, 2 * MOST_REFUSAL_BYTES)
            lines = content.data.split() if content and content.data else ()
            total += sum(
                since_ms <= int(line) < until_ms
                for line in lines
                if len(line) <= DIGITS and line.isdigit()
            )
        return total

    def delete(self, tenant: str) -> None:
        with translate_disk_errors():
            for path in self._files(tenant):
                self._disk.unlink(path)

    def _files(self, tenant: str) -> tuple[Path, Path]:
        name = sha256(tenant.encode("utf-8", "surrogatepass")).hexdigest()
        folder = self._places.refusals
        return folder / f"{name}.log", folder / f"{name}.log.1"
