"""The port of the review queue's storage, and the stored form of its records.

Every query names its tenant.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol

from pydantic import Field, TypeAdapter

from app.domain.review import (
    Depths,
    Location,
    Record,
    RecordTimes,
    Review,
    ReviewedRecord,
    Submission,
)

_RECORD: TypeAdapter[Record] = TypeAdapter(Annotated[Record, Field(discriminator="status")])
_REQUIRED = frozenset({"schema_version", "status"})  # always stored, although they have defaults


class Reviews(Protocol):
    """Records of the review queue. Each is in exactly one location, even after crashes.

    Raises `StoreUnavailable` if it cannot be read or written, such as for a full disk or missing
    permissions. A record that is damaged, of another schema, or misnamed is not listed and not found;
    `damaged` returns how many there are.
    """

    async def submit(self, record: Submission) -> Record:
        """Store the record. If its id exists, return the one in force; nothing is overwritten."""
        ...

    async def find(self, tenant: str, record_id: str) -> Record | None:
        """The record in any location; None for another tenant's or an invalid id."""
        ...

    async def decide(self, tenant: str, record_id: str, review: Review) -> ReviewedRecord:
        """Store the decision.

        Raises `NotFound`, or `AlreadyReviewed` if there is one, even when two operators decide at once.
        """
        ...

    async def listed(
        self,
        tenant: str,
        location: Location,
        *,
        limit: int,
        user: str | None = None,
        after: tuple[int, str] | None = None,
    ) -> Sequence[Record]:
        """Newest first: by submission time if pending, else by decision time, then by id, descending.

        `user`: only records whose origin is that user's; `after` is the (epoch milliseconds, id) of the
        last one seen.
        """
        ...

    async def depths(self, tenant: str) -> Depths:
        """The number of records by location."""
        ...

    async def timed(self, tenant: str, since_ms: int, until_ms: int) -> Sequence[RecordTimes]:
        """The times of each record submitted or decided in [`since_ms`, `until_ms`)."""
        ...

    async def tenants(self) -> Mapping[str, Depths]:
        """The depths of every tenant that has records, for the operator of the installation."""
        ...

    async def refused(self, tenant: str, at_ms: int) -> None:
        """Count an attempt to write an invalid record or decision."""
        ...

    async def refusals(self, tenant: str, since_ms: int, until_ms: int) -> int:
        """The number of such attempts."""
        ...

    async def damaged(self, tenant: str | None = None) -> int:
        """The number of unreadable records; those that name no tenant only count without one."""
        ...

    async def delete_tenant(self, tenant: str) -> int:
        """Delete every record of the tenant; returns how many."""
        ...


def record_to_json(record: Record) -> dict[str, Any]:
    """Convert to values that JSON and BSON can hold."""
    return record.model_dump(mode="json")


def record_from_json(data: bytes | str) -> Record:
    """Raises `ValueError` for an invalid record or another schema version."""
    record = _RECORD.validate_json(data)
    if not _REQUIRED.issubset(record.model_fields_set):
        raise ValueError("the record lacks its schema version or status")
    return record
