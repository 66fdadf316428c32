"""What every store must do for what operators decided of what was learned, and for the ledger of it."""

import asyncio
from typing import Any

from app.domain.memory import OperatorJudgement
from app.store.repositories import Store
from tests.contract.store.test_recipes import recipe
from tests.contract.store.test_skills import episode, skill
from tests.contract.store.test_store import NOW


def judged(record_id: str = "HITL-1", decision: str = "rejected", at_ms: int = 10, **over: Any):
    fields = {"record_id": record_id, "decision": decision, "notes": "$why", "at_ms": at_ms}
    return OperatorJudgement.model_validate(fields | over)


async def the_skill(store: Store):
    (found,) = await store.skills.of_site("a", "crm.example", limit=5)
    return found


async def test_a_decision_moves_a_skill_once_whoever_carries_it_out(store: Store) -> None:
    await store.skills.learn([skill()])
    told = await asyncio.gather(
        *(store.skills.judge("a", "1", judged(), weight=3) for _ in range(6))
    )
    assert told == [True] * 6
    assert await the_skill(store) == skill(failure_count=3, judged=judged())


async def test_each_record_counts_and_the_newest_decision_is_kept(store: Store) -> None:
    await store.skills.learn([skill()])
    yes, late = judged("HITL-2", "approved", 20), judged("HITL-3", "rejected", 15)
    for one in (judged(), yes, late, judged(), late):
        await store.skills.judge("a", "1", one, weight=3)
    assert await the_skill(store) == skill(success_count=4, failure_count=6, judged=yes)
    await store.skills.learn([skill()])
    assert (await the_skill(store)).judged == yes


async def test_a_skill_that_is_gone_or_anothers_is_not_made(store: Store) -> None:
    await store.skills.learn([skill()])
    assert not await store.skills.judge("b", "1", judged(), weight=3)
    assert not await store.skills.judge("a", "2", judged(), weight=3)
    assert await store.skills.page("a", None, limit=5) == [skill()]


async def test_an_episode_keeps_the_newest_decision_also_when_it_is_saved_again(
    store: Store,
) -> None:
    await store.episodes.save(episode())
    newer = judged("HITL-2", "approved", 20)
    for one in (judged(), newer, judged()):
        assert await store.episodes.judge("a", "t", one)
    await store.episodes.save(episode(status="completed"))
    found = await store.episodes.of_site("a", "crm.example", limit=5)
    assert found == [episode(status="completed", judged=newer)]
    assert not await store.episodes.judge("b", "t", judged())
    assert not await store.episodes.judge("a", "u", judged())


async def test_a_run_of_a_recipe_is_disowned_once(store: Store) -> None:
    await store.recipes.save(recipe())
    await store.recipes.count_run("a", "1", task_id="t", worked=True, now=NOW)
    for record_id in ("HITL-1", "HITL-1", "HITL-2"):
        assert await store.recipes.count_as_failure("a", "1", record_id)
    found = await store.recipes.get("a", "1")
    assert (found.runs, found.failures) == (1, 1)  # no more fail than there were
    assert not await store.recipes.count_as_failure("b", "1", "HITL-1")


async def test_the_ledger_knows_each_effect_once(store: Store) -> None:
    for effects in (["skill:1", "episode"], ["episode", "history"], []):
        await store.effects.add("a", "HITL-1", effects, at=NOW)
    await store.effects.add("b", "HITL-1", ["trail"], at=NOW)
    found = await store.effects.done("a", ["HITL-1", "HITL-2"])
    assert found == {"HITL-1": {"skill:1", "episode", "history"}}
    assert await store.effects.done("a", []) == {}
