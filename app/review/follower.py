"""Carries out pending effects of operators' decisions."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import structlog

from app.domain.review import OUTCOMES, ReviewedRecord, ReviewOutcome
from app.errors import TabwrightError
from app.observability.background import background_task
from app.review.effects import DecisionEffects
from app.store.reviews.port import Reviews

log = structlog.get_logger(__name__)


FIRST_S = 5.0  # delay after startup, which is busy enough


EVERY_S = 60.0


LOOKED_BACK = timedelta(days=30)


OVERLAP = timedelta(hours=2)  # of two scans: clocks differ, and a target may be up to an hour late


PAGE = 100


class Follower:
    """Scans decisions, newest first, and carries out pending effects.

    The first scan goes back 30 days; later ones overlap the previous scan.
    """

    def __init__(self, reviews: Reviews, effects: DecisionEffects) -> None:
        self._reviews = reviews
        self._effects = effects
        self._looked: datetime | None = None

    async def look(self) -> int:
        """Scan once; returns the number of records processed."""
        now = datetime.now(UTC)
        since = now - LOOKED_BACK if self._looked is None else self._looked - OVERLAP
        done = 0
        for tenant, depths in (await self._reviews.tenants()).items():
            if depths.approved or depths.rejected:
                done += await self._tenant(tenant, int(since.timestamp() * 1000))
        self._looked = now
        return done

    async def _tenant(self, tenant: str, since_ms: int) -> int:
        done = 0
        for outcome in OUTCOMES:
            async for page in self._pages(tenant, outcome, since_ms):
                done += await self._effects.all_of(page)
        return done

    async def _pages(
        self, tenant: str, outcome: ReviewOutcome, since_ms: int
    ) -> AsyncIterator[Sequence[ReviewedRecord]]:
        after: tuple[int, str] | None = None
        while True:
            listed = await self._reviews.listed(tenant, outcome, limit=PAGE, after=after)
            page = [one for one in listed if isinstance(one, ReviewedRecord)]
            recent = [one for one in page if one.review.reviewed_at_ms >= since_ms]
            if recent:
                yield recent
            if len(listed) < PAGE or len(recent) < len(page) or not page:
                return
            after = (page[-1].review.reviewed_at_ms, page[-1].id)


@asynccontextmanager
async def run_follower(reviews: Reviews, effects: DecisionEffects) -> AsyncIterator[None]:
    """Scan every minute while the block runs."""
    follower = Follower(reviews, effects)

    async def look() -> None:
        await asyncio.sleep(FIRST_S)
        while True:
            try:
                await follower.look()
            except TabwrightError as error:
                log.warning("decisions not followed up", error=error.detail)
            except Exception:
                log.exception("decisions not followed up")
            await asyncio.sleep(EVERY_S)

    async with background_task(look()):
        yield
