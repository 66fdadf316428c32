"""Keeping what a look at the page taught, and what a task that ended leaves."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from app.domain.memory import Episode, Lesson, Skill, SkillUse
from app.store.repositories import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What one pass is to keep. `site` is that of the page the judged action was taken on."""

    site: str = ""
    lessons: Sequence[Lesson] = ()
    uses: Sequence[SkillUse] = ()
    episode: Episode | None = None

    @property
    def is_any(self) -> bool:
        """Whether there is anything to keep."""
        return bool(self.lessons or self.uses or self.episode)


async def keep(store: Store, tenant: str, learnt: Learnt, now: datetime) -> None:
    """Store it; nothing to keep costs nothing. What has no site is of no use to anyone."""
    if learnt.site and learnt.uses:
        await store.skills.count(tenant, learnt.site, learnt.uses, now=now)
    if learnt.site and learnt.lessons:
        skills = [skill_of(lesson, tenant, learnt.site, now) for lesson in learnt.lessons]
        await store.skills.learn(skills)
    if learnt.episode is not None and learnt.episode.domain:
        await store.episodes.save(learnt.episode)


def skill_of(lesson: Lesson, tenant: str, site: str, now: datetime) -> Skill:
    """The lesson as a new skill. Its id follows from whose it is, where, and what it says, so that
    the same lesson finds it again.
    """
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
        skill_id=_id(about),
        tenant=tenant,
        domain=site,
        goal=lesson.goal,
        failed_state=failed,
        successful_action=helped,
        last_used=now,
        created_at=now,
    )


def _id(about: tuple[str, ...]) -> str:
    """The same for the same words; half a character of a page's odd name is no reason to fail."""
    told = "\n".join(about).encode("utf-8", "replace").decode()
    return str(uuid5(NAMESPACE_URL, told))
