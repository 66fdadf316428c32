"""What the rest needs from the storage of the review queue. Every query names its tenant."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from app.domain.review import (
    Depths,
    Location,
    Record,
    RecordTimes,
    Review,
    ReviewedRecord,
    Submission,
)


class Reviews(Protocol):
    """Records of the review queue. Each is in exactly one location, whatever dies when.

    Raises `StoreUnavailable` where it cannot be written or read: a full disk, a folder that may not be
    written to. A record that was damaged by hand, is of another schema, or goes by another's name is in
    no list and not found; `damaged` says how many there are.
    """

    async def submit(self, record: Submission) -> Record:
        """Keep it. Of an id that is there already, the record that stands: nothing is overwritten."""
        ...

    async def find(self, tenant: str, record_id: str) -> Record | None:
        """The record, wherever it is; None for another tenant's, and for what is no id."""
        ...

    async def decide(self, tenant: str, record_id: str, review: Review) -> ReviewedRecord:
        """Keep the decision. Raises `NotFound`, or `AlreadyReviewed` for a second one, also where two
        operators decide at once.
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
        """Newest first: by when it was submitted where it waits, by when it was decided elsewhere, then
        by id, descending. `user`: only those whose origin is that user's; `after` the moment (epoch
        milliseconds) and id of the last one seen.
        """
        ...

    async def depths(self, tenant: str) -> Depths:
        """How many there are."""
        ...

    async def timed(self, tenant: str, since_ms: int, until_ms: int) -> Sequence[RecordTimes]:
        """Of each record that was submitted or decided from `since_ms` until before `until_ms`."""
        ...

    async def tenants(self) -> Mapping[str, Depths]:
        """The depths of every tenant that has records, for the operator of the installation."""
        ...

    async def refused(self, tenant: str, at_ms: int) -> None:
        """Count an attempt to write what is no valid record, or a decision that cannot be."""
        ...

    async def refusals(self, tenant: str, since_ms: int, until_ms: int) -> int:
        """How many such attempts there were."""
        ...

    async def damaged(self, tenant: str | None = None) -> int:
        """How many records cannot be read; of no tenant in particular where that cannot be told either."""
        ...

    async def delete_tenant(self, tenant: str) -> int:
        """Delete every record of the tenant; how many."""
        ...
