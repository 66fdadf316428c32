"""Stores what a run learned, and reports tenants with very many skills."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import NAMESPACE_URL, uuid4, uuid5

import structlog

from app.domain.memory import Episode, Lesson, Skill, SkillUse
from app.domain.metrics.kpi import MANY_SKILLS
from app.errors import TabwrightError
from app.store.repositories import Store
from app.threads import background_task

log = structlog.get_logger(__name__)

FIRST_S = 30.0  # delay after startup, which is busy enough
EVERY_S = 60 * 60.0
DAY_S = 24 * 60 * 60.0
LEASE_ID = "(skills)"  # pseudo task id of the lease that limits logging to once a day


async def crowded_tenants(store: Store) -> dict[str, int]:
    """Count the skills of tenants with keys that have `MANY_SKILLS` or more."""
    counts = {tenant: await store.skills.count_all(tenant) for tenant in await store.keys.tenants()}
    return {tenant: number for tenant, number in counts.items() if number >= MANY_SKILLS}


async def log_crowded_tenants(store: Store) -> int:
    """Log each such tenant once a day across processes; return their number."""
    found = await crowded_tenants(store)
    for tenant, number in found.items():
        mine = uuid4().hex
        if await store.leases.acquire(tenant, LEASE_ID, claim=mine, ttl_s=DAY_S):
            log.warning("many skills", tenantId=tenant, skills=number, from_=MANY_SKILLS)
    return len(found)


@asynccontextmanager
async def watch_crowding(store: Store, tell: Callable[[int], None]) -> AsyncIterator[None]:
    """Check every hour while the block runs, and pass the number of tenants to `tell`."""

    async def check_hourly() -> None:
        await asyncio.sleep(FIRST_S)
        while True:
            try:
                tell(await log_crowded_tenants(store))
            except TabwrightError as error:
                log.warning("skills not counted", error=error.detail)
            await asyncio.sleep(EVERY_S)

    async with background_task(check_hourly()):
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnings:
    """What one run has learned. `site` is the site of the judged action."""

    site: str = ""
    lessons: Sequence[Lesson] = ()
    uses: Sequence[SkillUse] = ()
    episode: Episode | None = None

    @property
    def is_any(self) -> bool:
        return bool(self.lessons or self.uses or self.episode)


async def store_learnings(store: Store, tenant: str, learnt: Learnings, now: datetime) -> None:
    """Store the learnings; those without a site are useless and dropped."""
    if learnt.site and learnt.uses:
        await store.skills.count(tenant, learnt.site, learnt.uses, now=now)
    if learnt.site and learnt.lessons:
        skills = [make_skill(lesson, tenant, learnt.site, now) for lesson in learnt.lessons]
        await store.skills.learn(skills)
    if learnt.episode is not None and learnt.episode.domain:
        await store.episodes.save(learnt.episode)


def make_skill(lesson: Lesson, tenant: str, site: str, now: datetime) -> Skill:
    """Convert the lesson to a skill. Its id is a hash, so that the same lesson finds it again."""
    failed, helped = lesson.failed_state, lesson.successful_action
    about = (
        tenant,
        site,
        lesson.goal.casefold(),
        failed.action.partition("(")[0],
        failed.element.text if failed.element else failed.element_description,
        helped.strategy,
        helped.element.text if helped.element else helped.element_description,
    )
    return Skill(
        # Lone surrogates of a page's text are tolerated.
        skill_id=str(uuid5(NAMESPACE_URL, "\n".join(about).encode("utf-8", "replace").decode())),
        tenant=tenant,
        domain=site,
        goal=lesson.goal,
        failed_state=failed,
        successful_action=helped,
        last_used=now,
        created_at=now,
    )
