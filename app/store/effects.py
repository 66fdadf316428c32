"""What the rest needs from the ledger of what decisions did. Every query names its tenant."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol


class Effects(Protocol):
    """One row for each effect of a record of the review queue that was carried out; kept 60 days."""

    async def add(
        self, tenant: str, record_id: str, effects: Sequence[str], *, at: datetime
    ) -> None:
        """Note that they were carried out; one that is noted already stays as it is."""
        ...

    async def done(self, tenant: str, record_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
        """What was carried out, by record; a record of which nothing was is left out."""
        ...
