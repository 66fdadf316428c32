"""What the rest needs from the storage of what was learned. Every query names its tenant."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from app.domain.memory import (
    CorrectionRecord,
    Episode,
    OperatorJudgement,
    Recipe,
    RepairStatus,
    SiteChoice,
    Skill,
    SkillUse,
)
from app.domain.metrics.kpi import Bucket, Tallies


class Corrections(Protocol):
    """What was tried after failures, and what came of it."""

    async def settle(
        self,
        tenant: str,
        statuses: Mapping[str, RepairStatus],
        *,
        then: Sequence[CorrectionRecord] = (),
    ) -> None:
        """Write what came of corrections, by repair_id, and add `then` in the same round trip; one
        that is there already is left as it is.
        """
        ...

    async def of_task(self, tenant: str, task_id: str) -> list[CorrectionRecord]:
        """In the order they were made."""
        ...


class Choices(Protocol):
    """Which element a person meant on a site, where several fit."""

    async def chose(self, choice: SiteChoice) -> None:
        """Keep it by (tenant, domain, phrase): the newest choice counts, chosen once more."""
        ...

    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[SiteChoice]:
        """Oldest first, the newest `limit`."""
        ...


class Skills(Protocol):
    """What was learned on a tenant's sites. Each row lives 90 days after its last use."""

    async def learn(self, skills: Sequence[Skill]) -> None:
        """Keep each; one that is there already (by `skill_id`) counts a success more instead. Over
        10,000 of a tenant, those that were not used for longest go.
        """
        ...

    async def count(
        self, tenant: str, domain: str, uses: Sequence[SkillUse], *, now: datetime
    ) -> None:
        """Count what came of uses; a skill that is gone, or of another site, is passed over."""
        ...

    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[Skill]:
        """The site's, the last used first."""
        ...

    async def page(
        self,
        tenant: str,
        domain: str | None,
        *,
        limit: int,
        after: tuple[datetime, str] | None = None,
    ) -> list[Skill]:
        """The last used first, those of the same moment by id; `after` that one's moment and id."""
        ...

    async def number(self, tenant: str) -> int:
        """How many there are."""
        ...

    async def judge(
        self, tenant: str, skill_id: str, judged: OperatorJudgement, *, weight: int
    ) -> bool:
        """Count what an operator decided as `weight` uses that worked or failed, once for each record, and
        keep the newest decision. False for a skill that is gone.
        """
        ...

    async def remove(self, tenant: str, skill_id: str) -> None:
        """Forget one, or `NotFound`."""
        ...


class Episodes(Protocol):
    """What tasks that ended leave, one row a task, for 90 days."""

    async def save(self, episode: Episode) -> None:
        """Insert or replace by (tenant, episode_id). Over 2,000 of a tenant the oldest go."""
        ...

    async def of_site(self, tenant: str, domain: str, *, limit: int) -> list[Episode]:
        """The site's, the newest first."""
        ...

    async def judge(self, tenant: str, episode_id: str, judged: OperatorJudgement) -> bool:
        """Keep what an operator decided of the task, unless a newer decision is kept. False for one that
        is gone. Saving the episode again leaves it.
        """
        ...


class Recipes(Protocol):
    """Tasks that can be done again."""

    async def save(self, recipe: Recipe) -> Recipe:
        """Keep it by (tenant, recipe_id), and return what is kept: the counts and the day of one that
        is there already stay.
        """
        ...

    async def get(self, tenant: str, recipe_id: str) -> Recipe:
        """The recipe, or `NotFound`."""
        ...

    async def recent(
        self,
        tenant: str,
        *,
        domain: str | None = None,
        limit: int,
        before: datetime | None = None,
    ) -> list[Recipe]:
        """Those made before that day, newest first; of one site if one is given."""
        ...

    async def ran(
        self, tenant: str, recipe_id: str, *, task_id: str, worked: bool, now: datetime
    ) -> None:
        """Count a task that replayed it; the same task once. One that is gone is passed over."""
        ...

    async def disown(self, tenant: str, recipe_id: str, record_id: str) -> bool:
        """Count a run that was taken for a success as a failure, once for each record. False for a recipe
        that is gone.
        """
        ...

    async def delete(self, tenant: str, recipe_id: str) -> None:
        """Forget it, or `NotFound`."""
        ...


class Kpis(Protocol):
    """Sums over what others keep."""

    async def tallies(self, tenant: str, since: datetime, until: datetime) -> Tallies:
        """The sums of one tenant over what was made from `since` until before `until`."""
        ...

    async def series(
        self, tenant: str, since: datetime, until: datetime, bucket: Bucket
    ) -> dict[datetime, Tallies]:
        """The same by the beginning of each day, week (Monday) or month in UTC that is not empty; the
        number of skills is not among them.
        """
        ...

    async def unsure(
        self, tenant: str, since: datetime, until: datetime, *, below: float, limit: int
    ) -> Sequence[str]:
        """The ids of tasks that ended with a confidence below that, or with an action that is hard to undo,
        newest first; of those made from `since` until before `until`.
        """
        ...
