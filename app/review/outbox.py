"""Files records that the review queue could not take when they were made."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from app.domain.review import Submission
from app.observability.background import background_task
from app.review.service import ReviewService
from app.review.submission import AWAY
from app.store.reviews.outbox import Outbox

log = structlog.get_logger(__name__)

EVERY_S = 30.0
BATCH = 100


async def deliver(outbox: Outbox, reviews: ReviewService) -> int:
    """File the waiting records, oldest first, confirming each; returns how many.

    Existing records are left as they are; records that the queue rejects keep waiting.
    """
    done = 0
    while waiting := await outbox.waiting(limit=BATCH):
        filed = [record for record in waiting if await _filed(record, reviews)]
        for record in filed:
            await outbox.remove(record.tenant_id, record.id)
        done += len(filed)
        if len(filed) < BATCH:
            break
    return done


async def _filed(record: Submission, reviews: ReviewService) -> bool:
    try:
        await reviews.file(record)
    except AWAY as error:
        log.warning("record waits on", record=record.id, error=str(error))
        return False
    return True


@asynccontextmanager
async def run_delivery(outbox: Outbox, reviews: ReviewService) -> AsyncIterator[None]:
    """Deliver now, and every 30 seconds while the block runs."""

    async def look() -> None:
        while True:
            try:
                if filed := await deliver(outbox, reviews):
                    log.info("records filed that waited", records=filed)
            except AWAY as error:
                log.warning("records wait on", error=str(error))
            await asyncio.sleep(EVERY_S)

    async with background_task(look()):
        yield
