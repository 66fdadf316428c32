"""Metrics of the review queue."""

from collections.abc import Mapping, Sequence

from app.domain.review import (
    Depths,
    Location,
    Record,
    RecordTimes,
    Review,
    ReviewedRecord,
    Submission,
)
from app.observability.prometheus import PrometheusMetrics
from app.store.reviews.port import Reviews


class CountedReviews:
    """Counts what passes through another `Reviews`; earlier records are not counted again."""

    def __init__(self, reviews: Reviews, signals: PrometheusMetrics) -> None:
        self._reviews, self._signals = reviews, signals

    async def submit(self, record: Submission) -> Record:
        """Submit the record, and count it if it is new."""
        known = await self._reviews.find(record.tenant_id, record.id)
        kept = await self._reviews.submit(record)
        if known is None:
            self._signals.count_review_submission()
        return kept

    async def find(self, tenant: str, record_id: str) -> Record | None:
        return await self._reviews.find(tenant, record_id)

    async def decide(self, tenant: str, record_id: str, review: Review) -> ReviewedRecord:
        """Store the decision, and count it with the time it took."""
        reviewed = await self._reviews.decide(tenant, record_id, review)
        took_ms = reviewed.review.reviewed_at_ms - reviewed.submitted_at_ms
        self._signals.count_review_decision(reviewed.review.decision, took_ms / 1000)
        return reviewed

    async def listed(
        self,
        tenant: str,
        location: Location,
        *,
        limit: int,
        user: str | None = None,
        after: tuple[int, str] | None = None,
    ) -> Sequence[Record]:
        return await self._reviews.listed(tenant, location, limit=limit, user=user, after=after)

    async def depths(self, tenant: str) -> Depths:
        return await self._reviews.depths(tenant)

    async def timed(self, tenant: str, since_ms: int, until_ms: int) -> Sequence[RecordTimes]:
        return await self._reviews.timed(tenant, since_ms, until_ms)

    async def tenants(self) -> Mapping[str, Depths]:
        return await self._reviews.tenants()

    async def refused(self, tenant: str, at_ms: int) -> None:
        """Count an invalid write, here and for the tenant."""
        self._signals.count_review_refusal()
        await self._reviews.refused(tenant, at_ms)

    async def refusals(self, tenant: str, since_ms: int, until_ms: int) -> int:
        return await self._reviews.refusals(tenant, since_ms, until_ms)

    async def damaged(self, tenant: str | None = None) -> int:
        return await self._reviews.damaged(tenant)

    async def delete_tenant(self, tenant: str) -> int:
        return await self._reviews.delete_tenant(tenant)


async def total_depths(reviews: Reviews) -> tuple[Depths, int]:
    """The depths over all tenants, and the number of damaged records."""
    each = (await reviews.tenants()).values()
    oldest = [one.oldest_ms for one in each if one.oldest_ms is not None]
    total = Depths(
        pending=sum(one.pending for one in each),
        approved=sum(one.approved for one in each),
        rejected=sum(one.rejected for one in each),
        oldest_ms=min(oldest, default=None),
    )
    return total, await reviews.damaged()
