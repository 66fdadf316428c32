"""Review records as files: location, content, validation, and the system calls."""

import errno
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.domain.review import OUTCOMES, Location, Record, ReviewedRecord, is_record_id
from app.errors import StoreUnavailable
from app.store.reviews.port import record_from_json

# Texts of maximum length are 0.5 million characters of at most four bytes, or two with an escape.
MOST_BYTES = 4_000_000

SUFFIX = ".json"
FOLDER_MODE, FILE_MODE = 0o700, 0o600
_FLAGS = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_SAFE_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)

FULL = "The disk is full. Free some space in the folder of the review queue"

READ_ONLY = "The folder of the review queue is not writable. Grant the server's user write access"

TOO_MANY = "Too many files are open. Raise the limit (ulimit -n) or send fewer requests at once"

FAILED = "The disk of the review queue failed. Check the disk and the folder"

_SENTENCES = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.EMFILE: TOO_MANY,
    errno.ENFILE: TOO_MANY,
}

_TRANSIENT = {errno.EMFILE, errno.ENFILE, errno.ENOMEM}  # these say nothing about the file itself


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a path: its bytes, or None if it is not a readable file or exceeds the size limit."""

    data: bytes | None
    changed_ns: int = 0


@contextmanager
def translate_disk_errors() -> Iterator[None]:
    """Translate the system's errors to `StoreUnavailable` with advice. Paths are not included."""
    try:
        yield
    except OSError as error:
        sentence = _SENTENCES.get(error.errno or 0, FAILED)
        raise StoreUnavailable(f"{sentence} ({error.strerror or 'no reason given'})") from error


class Disk:
    """The system calls; each raises `OSError`.

    Every change is a single atomic system call. It is durable after a sync: `write_new` syncs the contents
    of a file, `sync_folder` its name.
    """

    def make_folder(self, path: Path) -> None:
        if path.is_dir():
            return
        if not path.parent.is_dir():
            self.make_folder(path.parent)
        path.mkdir(mode=FOLDER_MODE, exist_ok=True)
        self.sync_folder(path.parent)

    def write_new(self, path: Path, data: bytes) -> None:
        """Create a new file and sync its contents."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, FILE_MODE)
        try:
            self.write(handle, data)
            self.sync(handle)
        finally:
            os.close(handle)

    def append(self, path: Path, data: bytes) -> int:
        """Append to a file, creating it if needed; returns its size afterwards."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _FLAGS, FILE_MODE)
        try:
            self.write(handle, data)
            return os.fstat(handle).st_size
        finally:
            os.close(handle)

    def write(self, handle: int, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(handle, left) :]

    def sync(self, handle: int) -> None:
        os.fsync(handle)

    def link(self, path: Path, to: Path) -> None:
        """Add a second name; raises `FileExistsError` if the name is taken."""
        os.link(path, to, follow_symlinks=False)

    def replace(self, path: Path, to: Path) -> None:
        """Rename, replacing an existing file."""
        path.replace(to)

    def unlink(self, path: Path) -> None:
        path.unlink(missing_ok=True)

    def sync_folder(self, path: Path) -> None:
        """Flush a folder's names to the disk. Systems whose folders cannot be opened do this themselves."""
        directory = getattr(os, "O_DIRECTORY", None)
        if directory is None:
            return
        handle = os.open(path, os.O_RDONLY | directory | _FLAGS)
        try:
            self.sync(handle)
        finally:
            os.close(handle)

    def content(self, path: Path, most: int) -> Content | None:
        """The content; None if there is nothing. Never follows a link or blocks on a pipe."""
        try:
            handle = os.open(path, os.O_RDONLY | _SAFE_FLAGS | _FLAGS)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno in _TRANSIENT:
                raise
            changed_ns = self.changed_ns(path)
            return None if changed_ns is None else Content(None, changed_ns)
        try:
            status = os.fstat(handle)
            data = None
            if stat.S_ISREG(status.st_mode) and status.st_size <= most:
                data = self._read(handle, most)
            return Content(data, status.st_ctime_ns)
        finally:
            os.close(handle)

    def _read(self, handle: int, most: int) -> bytes | None:
        pieces, size = [], 0
        try:
            while piece := os.read(handle, most + 1 - size):
                pieces.append(piece)
                size += len(piece)
        except OSError:
            return None
        return b"".join(pieces) if size <= most else None

    def is_there(self, path: Path) -> bool:
        """Whether the name is taken, even by a broken link."""
        return os.path.lexists(path)

    def changed_ns(self, path: Path) -> int | None:
        """The time of the last change of a file, including its permissions and names; None if missing."""
        try:
            return path.lstat().st_ctime_ns
        except (FileNotFoundError, NotADirectoryError):
            return None

    def filled_ns(self, path: Path) -> int | None:
        """The time of the last write to a file, or change of a folder's names; None if missing."""
        try:
            return path.stat().st_mtime_ns
        except (FileNotFoundError, NotADirectoryError):
            return None

    def names(self, path: Path, suffix: str) -> dict[str, int]:
        """The folder's names with this suffix, each with an identity of the file that has it."""
        try:
            with os.scandir(path) as entries:
                return {one.name: one.inode() for one in entries if one.name.endswith(suffix)}
        except (FileNotFoundError, NotADirectoryError):
            return {}


class Places:
    """The folders. Anyone may read `pending` and `reviewed/*`; the hidden ones are internal: `staging` for
    files being written, `locks` for writers, `refusals` for counts.
    """

    def __init__(self, root: Path) -> None:
        self._of: dict[Location, Path] = {"pending": root / "pending"}
        self._of |= {outcome: root / "reviewed" / outcome for outcome in OUTCOMES}
        self.staging = root / ".staging"
        self.locks = root / ".locks"
        self.refusals = root / ".refusals"
        self.all = (*self._of.values(), self.staging, self.locks, self.refusals)

    def of(self, location: Location) -> Path:
        return self._of[location]

    def file(self, location: Location, record_id: str) -> Path:
        """The file of a record. Only for ids that pass `is_record_id`."""
        return self._of[location] / f"{record_id}{SUFFIX}"


def record_bytes(record: Record) -> bytes:
    """The content of a record's file: JSON for people and programs."""
    return f"{record.model_dump_json(indent=2)}\n".encode()


@dataclass(frozen=True, slots=True)
class Damaged:
    """An invalid file, and the tenant that it names, if any."""

    tenant: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The content of a file, and the time of its last change."""

    held: Record | Damaged
    changed_ns: int


def read_record_file(
    disk: Disk, places: Places, location: Location, record_id: str
) -> Found | None:
    """Read a record of a location; None if there is none. Raises `StoreUnavailable`."""
    with translate_disk_errors():
        content = disk.content(places.file(location, record_id), MOST_BYTES)
    if content is None:
        return None
    record = Damaged() if content.data is None else _parse_record(content.data, location, record_id)
    return Found(record, content.changed_ns)


def _parse_record(data: bytes, location: Location, record_id: str) -> Record | Damaged:
    try:
        record = record_from_json(data)
    except (ValueError, RecursionError):
        return Damaged(_tenant_in(data))
    if record.id != record_id or not _belongs(record, location):
        return Damaged(record.tenant_id)
    return record


def _belongs(record: Record, location: Location) -> bool:
    """A decided record may still be in `pending` if its writer died while moving it."""
    return record.location == location or (
        location == "pending" and isinstance(record, ReviewedRecord)
    )


def _tenant_in(data: bytes) -> str | None:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    tenant = document.get("tenant_id") if isinstance(document, dict) else None
    return tenant if isinstance(tenant, str) else None


def find_standing(
    disk: Disk, places: Places, record_id: str
) -> tuple[Record | Damaged, Location] | None:
    """The record in force with this id, and its folder; None if there is none or the id is invalid.

    A decision takes precedence over a pending record. `reviewed` is checked twice, since a record may be
    moved meanwhile.
    """
    if not is_record_id(record_id):
        return None
    damaged: tuple[Damaged, Location] | None = None
    order: tuple[Location, ...] = (*OUTCOMES, "pending", *OUTCOMES)
    for location in order:
        file = read_record_file(disk, places, location, record_id)
        if file is None:
            continue
        if not isinstance(file.held, Damaged):
            return file.held, location
        damaged = damaged or (file.held, location)
    return damaged


def record_id_of(name: str) -> str | None:
    """The record id in a file name; None if it is not a record's."""
    record_id = name.removesuffix(SUFFIX)
    return record_id if name.endswith(SUFFIX) and is_record_id(record_id) else None
