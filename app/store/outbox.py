"""What the rest needs from the storage of records that wait to be filed."""

from collections.abc import Sequence
from typing import Protocol

from app.domain.review import Submission


class Outbox(Protocol):
    """Records of the review queue that could not be filed yet, each once."""

    async def add(self, record: Submission) -> None:
        """Keep it; of an id that is there already, the one that is there."""
        ...

    async def find(self, tenant: str, record_id: str) -> Submission | None:
        """The record, or None."""
        ...

    async def waiting(self, *, limit: int) -> Sequence[Submission]:
        """The oldest of all tenants: who files them works for every one."""
        ...

    async def remove(self, tenant: str, record_id: str) -> None:
        """It is filed. Nothing happens to one that is gone."""
        ...
