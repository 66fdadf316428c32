"""What was learned reaches the model that plans, and follows the task to another site."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from app.skills.goals import strip_values
from app.store.open import open_store
from app.store.repositories import Store
from tests.contract.store.test_skills import episode, skill
from tests.fakes.scripted import asks_for
from tests.integration.desk import FORM, GOAL, TYPES, Desk, Screen, doing, node, opening

SITE = "crm.example"
HINT = "Note: 'click Patient' failed here before; 'New/Search' worked."


@asynccontextmanager
async def learned(desk: Desk, **over: object) -> AsyncIterator[Store]:
    """The store with a skill and an episode for the goal, on the form's site."""
    now = datetime.now(UTC)
    told = {"goal": strip_values(GOAL), "tenant": "default", "domain": SITE} | over
    async with open_store(desk.settings) as store:
        await store.skills.learn([skill(last_used=now, created_at=now, **told)])
        vectors = {"vector": (), "embedder": "", "created_at": now}
        await store.episodes.save(episode(**told | vectors))
        yield store
        await store.skills.delete(str(told["tenant"]), "1")


async def test_hints_and_what_was_tried_before_reach_the_opening_prompt(desk):
    async with learned(desk):
        desk.gemini.script(opening(TYPES))
        trip = await desk.begin(FORM, GOAL)
    prompt = trip.calls[0].prompt
    assert HINT in prompt
    assert "Tried before" in prompt
    assert "It failed: a birthday is required" in prompt
    assert "the page said: Birthday is required" in prompt


@pytest.mark.parametrize("over", [{"tenant": "another"}, {"domain": "other.example"}])
async def test_nothing_of_another_tenant_or_site_reaches_a_prompt(desk, over):
    async with learned(desk, **over):
        desk.gemini.script(opening(TYPES))
        trip = await desk.begin(Screen(FORM.nodes, url="https://crm.example/of-nobody"), GOAL)
    assert HINT not in trip.calls[0].prompt


async def test_a_task_that_goes_to_another_site_brings_what_was_learned_there(desk):
    desk.gemini.when(asks_for("wanted"), {"effect": "saves", "wanted": True}, always=True)
    async with learned(desk, domain="shop.example"):
        desk.gemini.script(opening("click(1)", ends=False))
        trip = await desk.begin(FORM, GOAL)
        assert HINT not in trip.calls[0].prompt
        there = Screen((node(9, "btn", "Patients list"),), url="https://shop.example/")
        desk.gemini.script(doing("click(9)", ends=False))
        trip = await desk.go_on(trip, there)
    assert HINT in "\n".join(call.prompt for call in trip.calls)
