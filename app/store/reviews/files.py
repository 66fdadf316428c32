"""The review queue as one file per record, in a folder named after its status.

    <folder>/pending/HITL-….json
    <folder>/reviewed/approved/HITL-….json
    <folder>/reviewed/rejected/HITL-….json

Other names in `<folder>` are internal. Anyone may read the files at any time, or move them away; only
this code writes them. Nothing here runs on the event loop.
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.domain.review import (
    Depths,
    Location,
    Record,
    RecordTimes,
    Review,
    ReviewedRecord,
    Submission,
    is_record_id,
)
from app.errors import NotFound, StoreUnavailable
from app.store.reviews.file_index import Entry, Index, Key, entry_of
from app.store.reviews.file_storage import Keeper, Refusals
from app.store.reviews.record_files import (
    Damaged,
    Disk,
    Places,
    find_standing,
    read_record_file,
    record_id_of,
)


class FileReviews:
    """`Reviews` in a folder. Any number of processes may share it."""

    def __init__(self, folder: Path, disk: Disk | None = None) -> None:
        self._disk = disk or Disk()
        self._places = Places(folder)
        self._keeper = Keeper(self._disk, self._places)
        self._index = Index(self._disk, self._places)
        self._refusals = Refusals(self._disk, self._places, self._keeper)

    async def submit(self, record: Submission) -> Record:
        """Store the record; see the port. Raises `Invalid` if the id belongs to another tenant's record."""
        return await asyncio.to_thread(self._keeper.submit, record)

    async def find(self, tenant: str, record_id: str) -> Record | None:
        return await asyncio.to_thread(self._find, tenant, record_id)

    def _find(self, tenant: str, record_id: str) -> Record | None:
        current = find_standing(self._disk, self._places, record_id)
        if current is None or isinstance(current[0], Damaged) or current[0].tenant_id != tenant:
            return None
        if isinstance(current[0], ReviewedRecord) and current[1] == "pending":
            self._settle([record_id])
        return current[0]

    async def decide(self, tenant: str, record_id: str, review: Review) -> ReviewedRecord:
        if not is_record_id(record_id):
            raise NotFound("There is no such record")
        return await asyncio.to_thread(self._keeper.decide, tenant, record_id, review)

    async def listed(
        self,
        tenant: str,
        location: Location,
        *,
        limit: int,
        user: str | None = None,
        after: Key | None = None,
    ) -> Sequence[Record]:
        return await asyncio.to_thread(self._listed, tenant, location, user, after, limit)

    def _listed(
        self, tenant: str, location: Location, user: str | None, after: Key | None, limit: int
    ) -> list[Record]:
        records: list[Record] = []
        while len(records) < limit:
            page = self._index.page(tenant, location, user, after, limit - len(records))
            records += [
                record for entry in page if (record := self._current_record(entry)) is not None
            ]
            if not page:
                break
            after = page[-1].key
        self._settle(self._index.leftovers())
        return records

    def _current_record(self, entry: Entry) -> Record | None:
        """The record as in its file; None if it no longer matches the entry."""
        record_id = entry.key[1]
        file = read_record_file(self._disk, self._places, entry.shelf, record_id)
        if file is None and entry.location != entry.shelf:
            file = read_record_file(self._disk, self._places, entry.location, record_id)
        if file is None:
            return None
        record = file.held
        if isinstance(record, Damaged) or not _is_same(entry_of(record, entry.shelf, 0), entry):
            self._index.doubt(entry)
            return None
        decided = (self._places.file(outcome, record_id) for outcome in ("approved", "rejected"))
        if entry.location == "pending" and any(map(self._disk.is_there, decided)):
            return None
        return record

    async def depths(self, tenant: str) -> Depths:
        return await asyncio.to_thread(self._index.depths_of, tenant)

    async def timed(self, tenant: str, since_ms: int, until_ms: int) -> Sequence[RecordTimes]:
        return await asyncio.to_thread(self._timed, tenant, since_ms, until_ms)

    def _timed(self, tenant: str, since_ms: int, until_ms: int) -> list[RecordTimes]:
        times = (entry.timed for entry in self._index.entries(tenant))
        return [
            one
            for one in times
            if since_ms <= one.submitted_at_ms < until_ms
            or (one.reviewed_at_ms is not None and since_ms <= one.reviewed_at_ms < until_ms)
        ]

    async def tenants(self) -> Mapping[str, Depths]:
        return await asyncio.to_thread(self._index.depths)

    async def refused(self, tenant: str, at_ms: int) -> None:
        await asyncio.to_thread(self._refusals.add, tenant, at_ms)

    async def refusals(self, tenant: str, since_ms: int, until_ms: int) -> int:
        return await asyncio.to_thread(self._refusals.count, tenant, since_ms, until_ms)

    async def damaged(self, tenant: str | None = None) -> int:
        """The number of unreadable records that name this tenant, or of all."""
        broken = await asyncio.to_thread(self._index.broken)
        return sum(tenant is None or one.tenant == tenant for _, _, one in broken)

    async def delete_tenant(self, tenant: str) -> int:
        """Delete the tenant's records, also damaged files that name it; returns how many were valid."""
        return await asyncio.to_thread(self._delete_tenant, tenant)

    def _delete_tenant(self, tenant: str) -> int:
        deleted = set[str]()
        while entries := self._index.entries(tenant):  # repeat for records moved meanwhile
            for entry in entries:
                self._keeper.delete(entry.shelf, entry.key[1])
                deleted.add(entry.key[1])
        for location, name, broken in self._index.broken():
            if broken.tenant == tenant and (record_id := record_id_of(name)) is not None:
                self._keeper.delete(location, record_id)
        self._refusals.delete(tenant)
        self._keeper.sync()
        return len(deleted)

    def _settle(self, leftovers: list[str]) -> None:
        """Complete the moves of writers that died. A record that cannot be moved stays where it is."""
        for record_id in leftovers:
            try:
                self._keeper.settle(record_id)
            except StoreUnavailable:
                return


def _is_same(current: Entry, entry: Entry) -> bool:
    parts = ("key", "tenant", "user", "location")
    return all(getattr(current, part) == getattr(entry, part) for part in parts)
