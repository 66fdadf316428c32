"""Records as files: location, content, validation."""

import json
from dataclasses import dataclass
from pathlib import Path

from app.domain.review import (
    OUTCOMES,
    Location,
    Record,
    ReviewedRecord,
    is_record_id,
)
from app.store.reviews.files.disk import Disk, in_our_words
from app.store.reviews.json_form import record_from_json

# Texts of maximum length are 0.5 million characters of at most four bytes, or two with an escape.
MOST_BYTES = 4_000_000
SUFFIX = ".json"


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
        """The folder of a location."""
        return self._of[location]

    def file(self, location: Location, record_id: str) -> Path:
        """The file of a record. Only for ids that pass `is_record_id`."""
        return self._of[location] / f"{record_id}{SUFFIX}"


def encoded(record: Record) -> bytes:
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


def read(disk: Disk, places: Places, location: Location, record_id: str) -> Found | None:
    """Read a record of a location; None if there is none. Raises `StoreUnavailable`."""
    with in_our_words():
        content = disk.content(places.file(location, record_id), MOST_BYTES)
    if content is None:
        return None
    held = Damaged() if content.data is None else _held(content.data, location, record_id)
    return Found(held, content.changed_ns)


def _held(data: bytes, location: Location, record_id: str) -> Record | Damaged:
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
        given = json.loads(data)
    except (ValueError, RecursionError):
        return None
    tenant = given.get("tenant_id") if isinstance(given, dict) else None
    return tenant if isinstance(tenant, str) else None


def standing(
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
        found = read(disk, places, location, record_id)
        if found is None:
            continue
        if not isinstance(found.held, Damaged):
            return found.held, location
        damaged = damaged or (found.held, location)
    return damaged


def named(name: str) -> str | None:
    """The record id in a file name; None if it is not a record's."""
    record_id = name.removesuffix(SUFFIX)
    return record_id if name.endswith(SUFFIX) and is_record_id(record_id) else None
