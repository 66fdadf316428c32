"""What every store must do for the rows of what was learned."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from app.domain.memory import Episode, FailedState, Skill, SkillUse, SuccessfulAction
from app.domain.page import ElementRef
from app.errors import NotFound
from app.store.open import Opened
from app.store.repositories import Store
from app.store.skills import Episodes, Skills
from tests.contract.store.test_store import NOW

PATIENT = ElementRef(role="btn", name="Patient", group="nav: Main")
SEARCH = ElementRef(role="menu", name="New/Search", group="nav: Main")
DAY = timedelta(days=1)


def skill(skill_id: str = "1", **over: Any) -> Skill:
    fields: dict[str, Any] = {
        "skill_id": skill_id,
        "tenant": "a",
        "domain": "crm.example",
        "goal": "Add a new patient with name …",
        "failed_state": FailedState(
            action='click("68")', element_description=PATIENT.text, element=PATIENT
        ),
        "successful_action": SuccessfulAction(
            action='click("79")', strategy="alternative element", element=SEARCH
        ),
        "last_used": NOW,
        "created_at": NOW,
    }
    return Skill.model_validate(fields | over)


def episode(episode_id: str = "t", **over: Any) -> Episode:
    fields: dict[str, Any] = {
        "episode_id": episode_id,
        "tenant": "a",
        "user": "u",
        "domain": "crm.example",
        "goal": "Add a new patient with name …",
        "status": "failed",
        "summary": "It failed: a birthday is required",
        "tried": ("Click Save",),
        "facts": ("Birthday is required",),
        "vector": (0.5, -0.25, 1.0),
        "embedder": "static",
        "created_at": NOW,
    }
    return Episode.model_validate(fields | over)


class TestSkills:
    async def test_a_skill_comes_back_equal(self, store: Store) -> None:
        await store.skills.learn([skill()])
        assert await store.skills.of_site("a", "crm.example", limit=5) == [skill()]

    async def test_what_is_learned_again_counts_a_success_more(self, store: Store) -> None:
        later = NOW + DAY
        await store.skills.learn([skill()])
        await store.skills.learn([skill(last_used=later, created_at=later)])
        (found,) = await store.skills.of_site("a", "crm.example", limit=5)
        assert found == skill(success_count=2, last_used=later)

    async def test_uses_move_the_counts_and_the_last_use(self, store: Store) -> None:
        await store.skills.learn([skill("1"), skill("2")])
        uses = [SkillUse(skill_id="1", worked=True), SkillUse(skill_id="2", worked=False)]
        await store.skills.count("a", "crm.example", uses, now=NOW + DAY)
        await store.skills.count("a", "crm.example", uses[1:], now=NOW - DAY)
        one, two = sorted(
            await store.skills.of_site("a", "crm.example", limit=5), key=lambda s: s.skill_id
        )
        assert (one.success_count, one.failure_count) == (2, 0)
        assert (two.success_count, two.failure_count) == (1, 2)
        assert one.last_used == two.last_used == NOW + DAY

    async def test_a_use_of_a_skill_that_is_gone_or_elsewhere_makes_nothing(
        self, store: Store
    ) -> None:
        await store.skills.learn([skill()])
        used = [SkillUse(skill_id="1", worked=False), SkillUse(skill_id="9", worked=True)]
        await store.skills.count("b", "crm.example", used, now=NOW)
        await store.skills.count("a", "other.example", used, now=NOW)
        assert await store.skills.page("a", None, limit=5) == [skill()]
        assert await store.skills.page("b", None, limit=5) == []

    async def test_many_at_once_lose_no_count(self, store: Store) -> None:
        await asyncio.gather(*(store.skills.learn([skill()]) for _ in range(8)))
        (found,) = await store.skills.of_site("a", "crm.example", limit=5)
        assert found.success_count == 8

    async def test_a_tenant_and_a_site_see_only_their_own(self, store: Store) -> None:
        await store.skills.learn(
            [skill("1"), skill("1", tenant="b"), skill("2", domain="other.example")]
        )
        mine = await store.skills.of_site("a", "crm.example", limit=5)
        assert [(one.skill_id, one.tenant) for one in mine] == [("1", "a")]
        everywhere = await store.skills.page("a", None, limit=5)
        assert {one.domain for one in everywhere} == {"crm.example", "other.example"}
        (theirs,) = await store.skills.page("b", "crm.example", limit=5)
        assert theirs.tenant == "b"

    async def test_pages_meet_without_a_gap_or_an_overlap(self, store: Store) -> None:
        moments = [NOW, NOW, NOW, NOW - DAY, NOW - DAY]
        await store.skills.learn(
            [skill(str(at), last_used=moment) for at, moment in enumerate(moments)]
        )
        seen, after = [], None
        while found := await store.skills.page("a", None, limit=2, after=after):
            seen += [one.skill_id for one in found]
            after = (found[-1].last_used, found[-1].skill_id)
        assert seen == ["0", "1", "2", "3", "4"]

    async def test_one_is_forgotten_by_its_own_tenant_alone(self, store: Store) -> None:
        await store.skills.learn([skill()])
        with pytest.raises(NotFound):
            await store.skills.delete("b", "1")
        await store.skills.delete("a", "1")
        assert await store.skills.page("a", None, limit=5) == []
        with pytest.raises(NotFound):
            await store.skills.delete("a", "1")

    async def test_over_the_limit_the_least_recently_used_go(self, opened: Opened) -> None:
        rows = Skills(opened.database, most=3, every=1)
        await rows.learn([skill("b", tenant="b", last_used=NOW - 9 * DAY)])
        for at in range(5):
            await rows.learn([skill(str(at), last_used=NOW - at * DAY)])
        left = await rows.page("a", None, limit=9)
        assert [one.skill_id for one in left] == ["0", "1", "2"]
        assert len(await rows.page("b", None, limit=9)) == 1


class TestEpisodes:
    async def test_an_episode_comes_back_with_its_vector(self, store: Store) -> None:
        await store.episodes.save(episode())
        assert await store.episodes.of_site("a", "crm.example", limit=5) == [episode()]

    async def test_a_task_that_went_on_and_ended_again_leaves_one(self, store: Store) -> None:
        await store.episodes.save(episode())
        await store.episodes.save(episode(status="completed", vector=()))
        (found,) = await store.episodes.of_site("a", "crm.example", limit=5)
        assert (found.status, found.vector) == ("completed", ())

    async def test_a_tenant_and_a_site_see_only_their_own(self, store: Store) -> None:
        for one in (episode(), episode(tenant="b"), episode("u", domain="other.example")):
            await store.episodes.save(one)
        assert await store.episodes.of_site("a", "crm.example", limit=5) == [episode()]
        assert await store.episodes.of_site("c", "crm.example", limit=5) == []

    async def test_over_the_limit_the_oldest_go(self, opened: Opened) -> None:
        rows = Episodes(opened.database, most=3, every=1)
        for at in range(5):
            await rows.save(episode(str(at), created_at=NOW + at * DAY))
        left = await rows.of_site("a", "crm.example", limit=9)
        assert [one.episode_id for one in left] == ["4", "3", "2"]
