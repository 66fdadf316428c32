"""Whether what had to go to an operator did: ended tasks held against the records there are."""

import asyncio
from datetime import datetime

from app.domain.base import Value
from app.review.filing import id_of_task, load_record
from app.review.routing import HIGH
from app.store.repositories import Store
from app.store.reviews.port import Reviews

MOST = 100  # tasks that are looked at, the newest


class Coverage(Value):
    """Of `tasks` that ended below high confidence or with a high impact `filed` have a record, in the queue
    or on its way there.
    """

    tasks: int
    filed: int


async def coverage(
    reviews: Reviews, store: Store, tenant: str, since: datetime, until: datetime
) -> Coverage:
    """Over the newest `MOST` such tasks that were made from `since` until before `until`."""
    ids = await store.kpis.unsure(tenant, since, until, below=HIGH, limit=MOST)
    found = await asyncio.gather(
        *(load_record(reviews, store.outbox, tenant, id_of_task(tenant, one)) for one in ids)
    )
    return Coverage(tasks=len(ids), filed=sum(one is not None for one in found))
