"""Repository of review records."""

from collections.abc import Mapping, Sequence

from app.domain.review import Depths, Location, Record, Review, Reviewed, Submission, Timed
from app.store.mongo.database import Database


class MongoReviews:
    """`Reviews`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def submit(self, record: Submission) -> Record:
        """Keep it."""
        raise NotImplementedError

    async def find(self, tenant: str, record_id: str) -> Record | None:
        """The record."""
        raise NotImplementedError

    async def decide(self, tenant: str, record_id: str, review: Review) -> Reviewed:
        """Keep the decision."""
        raise NotImplementedError

    async def listed(
        self,
        tenant: str,
        location: Location,
        *,
        limit: int,
        user: str | None = None,
        after: tuple[int, str] | None = None,
    ) -> Sequence[Record]:
        """Newest first."""
        raise NotImplementedError

    async def depths(self, tenant: str) -> Depths:
        """How many there are."""
        raise NotImplementedError

    async def timed(self, tenant: str, since_ms: int, until_ms: int) -> Sequence[Timed]:
        """Of each record in that time."""
        raise NotImplementedError

    async def tenants(self) -> Mapping[str, Depths]:
        """Of every tenant."""
        raise NotImplementedError

    async def refused(self, tenant: str, at_ms: int) -> None:
        """Count an invalid attempt to write."""
        raise NotImplementedError

    async def refusals(self, tenant: str, since_ms: int, until_ms: int) -> int:
        """How many there were."""
        raise NotImplementedError

    async def damaged(self, tenant: str | None = None) -> int:
        """How many cannot be read."""
        raise NotImplementedError

    async def delete_tenant(self, tenant: str) -> int:
        """Delete all of the tenant's."""
        raise NotImplementedError
