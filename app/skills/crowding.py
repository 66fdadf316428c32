"""Tenants with so many skills that someone should look: told before any are dropped."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from uuid import uuid4

import structlog

from app.domain.metrics.kpi import MANY_SKILLS
from app.errors import TabwrightError
from app.observability.background import background_task
from app.store.repositories import Store

log = structlog.get_logger(__name__)

FIRST_S = 30.0  # after the start, which is busy enough
EVERY_S = 60 * 60.0
DAY_S = 24 * 60 * 60.0
TOLD = "(skills)"  # the lease that says that a tenant's line was written; no task is called so


async def crowded(store: Store) -> dict[str, int]:
    """How many skills each tenant has that has `MANY_SKILLS` or more; of tenants that hold keys."""
    counts = {tenant: await store.skills.number(tenant) for tenant in await store.keys.tenants()}
    return {tenant: number for tenant, number in counts.items() if number >= MANY_SKILLS}


async def warn(store: Store) -> int:
    """Log a line for each such tenant, once a day whichever process looks; how many there are."""
    found = await crowded(store)
    for tenant, number in found.items():
        mine = uuid4().hex
        if await store.leases.acquire(tenant, TOLD, claim=mine, ttl_s=DAY_S):
            log.warning("many skills", tenantId=tenant, skills=number, from_=MANY_SKILLS)
    return len(found)


@asynccontextmanager
async def warning(store: Store, tell: Callable[[int], None]) -> AsyncIterator[None]:
    """Look every hour while the block runs; `tell` how many tenants there are."""

    async def look() -> None:
        await asyncio.sleep(FIRST_S)
        while True:
            try:
                tell(await warn(store))
            except TabwrightError as error:
                log.warning("skills not counted", error=error.detail)
            await asyncio.sleep(EVERY_S)

    async with background_task(look()):
        yield
