"""The main job, end to end: real page, real extension, `tabwright serve`, real store."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.inbox import DELETE, Inbox
from tests.browser.register import opened_register
from tests.browser.world import (
    KEY,
    Backend,
    Site,
    World,
    Worlds,
    clinic,
    opened_worlds,
    started_backend,
)

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GOAL = "Add a new patient with name 'Jas'"
STAGES = ("first request", "act", "request")  # while it settles the server is as idle as in an act
LIMIT_S = 90.0  # only ends a hang


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    with started_backend(tmp_path_factory.mktemp("backend")) as started:
        yield started


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    with clinic() as up:
        yield up


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def worlds(backend: Backend) -> AsyncIterator[Worlds]:
    async with opened_worlds(backend) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def world(worlds: Worlds, served: Site) -> World:
    async with httpx.AsyncClient(trust_env=False) as client:
        (await client.post(f"{served.url}/api/reset")).raise_for_status()
    return await worlds.at(served)


async def code_from(url: str) -> str:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, trust_env=False) as client:
        return str((await client.post("/api/pairing")).json()["code"])


async def test_a_code_a_goal_and_what_was_done(world: World) -> None:
    panel = world.panel
    await panel.evaluate("chrome.storage.local.remove('settings')")
    await panel.reload()
    code = await code_from(world.backend.url)
    await panel.get_by_test_id("pair-code").fill(f"{world.backend.url}/{code}")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("pair-code")).to_have_count(0)

    await panel.get_by_test_id("goal-input").fill(GOAL)
    await panel.keyboard.press("Enter")
    status = panel.get_by_test_id("status")
    await expect(status).to_have_attribute("data-state", "completed", timeout=90_000)
    assert "Jas" in await world.result()
    assert (await world.stored("Jas"), await world.posts()) == (1, 1)

    await panel.get_by_test_id("history-button").click()
    row = panel.get_by_test_id("session")
    await expect(row).to_contain_text(GOAL)
    await expect(row).to_contain_text("Done1 taskjust now")
    await row.click()
    await panel.get_by_test_id("session-steps").locator("summary").first.click()
    talk = panel.get_by_test_id("talk")
    await expect(talk.get_by_test_id("timeline-step").first).to_be_visible()
    await expect(talk).to_contain_text("Typed 'Jas'")
    await panel.close()  # the next has one that was always paired
    await world.browser.configure(world.backend.url, KEY)


async def test_several_fields_go_in_one_form_and_nothing_is_invented(world: World) -> None:
    await world.ask(
        "Add a new patient with name Jas Patel, date of birth 1990-03-12, sex female and phone 555-0142"
    )
    assert await world.ended() == "completed", await world.result()
    async with httpx.AsyncClient(trust_env=False) as client:
        rows = (await client.get(f"{world.clinic.url}/api/patients")).json()["patients"]
    (jas,) = [row for row in rows if row["name"] == "Jas Patel"]
    held = {str(value).lower() for value in jas.values()}
    assert {"1990-03-12", "female", "555-0142"} <= held
    assert not jas.get("notes")


async def test_what_cannot_be_done_ends_soon_and_says_what_is_missing(world: World) -> None:
    await world.ask("book a flight")
    assert await world.ended() == "failed"
    assert "flight" in (await world.result()).lower()
    assert await world.steps() <= 3
    assert await world.posts() == 0


async def test_a_delete_is_agreed_to_once_and_the_pages_own_question_with_it(world: World) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        rows = (await client.get(f"{world.clinic.url}/api/patients")).json()["patients"]
        gone = rows[0]["name"]
        await world.page.reload()
        await world.ask(f"Delete the patient {gone}")
        assert await world.agree() == f"Press 'Delete {gone}'?"
        assert await world.ended() == "completed", await world.result()
        left = (await client.get(f"{world.clinic.url}/api/patients")).json()["patients"]
    assert {row["name"] for row in rows} - {row["name"] for row in left} == {gone}


async def did(world: World, steps: int) -> None:
    """Wait until the run has done so many."""
    async with asyncio.timeout(LIMIT_S):
        while await world.steps() < steps:
            await asyncio.sleep(0.05)


async def test_the_page_is_reloaded_in_the_middle(world: World) -> None:
    await world.ask(GOAL)
    await did(world, 2)
    await world.page.reload()
    assert await world.ended() in {"completed", "failed"}
    assert await world.posts() == await world.stored("Jas")
    assert await world.posts() <= 1


async def test_the_person_goes_elsewhere_in_the_middle(world: World) -> None:
    await world.ask(GOAL)
    await did(world, 1)
    await world.page.goto(f"{world.clinic.url}/nowhere-at-all")
    assert await world.ended() in {"completed", "failed"}
    assert await world.result()
    assert await world.posts() == await world.stored("Jas")


async def test_the_tab_is_closed_in_the_middle(world: World) -> None:
    await world.ask(GOAL)
    await did(world, 1)
    await world.page.close()
    assert await world.ended() == "interrupted"
    assert await world.posts() <= 1


async def reached(world: World, stage: str) -> None:
    """Wait until the tab's run is in that phase; the first request is the one without a task."""
    phase = stage.removeprefix("first ")
    async with asyncio.timeout(LIMIT_S):
        while True:
            if run := await world.kept_run():
                if run["phase"] == phase and (run["taskId"] is None) == stage.startswith("first"):
                    return
                assert run["phase"] != "ended", f"ended before {stage}"
            await asyncio.sleep(0.01)


async def test_the_server_is_killed_at_each_stage_and_all_is_done_once(
    world: World, backend: Backend
) -> None:
    """Without a goodbye. What else may die is in test_kill_matrix.py."""
    await world.ask(GOAL)
    for stage in STAGES:
        await reached(world, stage)
        await asyncio.to_thread(backend.kill)
        await asyncio.to_thread(backend.start)
    assert await world.ended() == "completed", await world.result()
    assert (await world.stored("Jas"), await world.posts()) == (1, 1)


async def test_a_server_that_died_meanwhile_takes_the_answer_from_another_inbox(
    worlds: Worlds, backend: Backend
) -> None:
    """What else a question outlives is in test_people.py."""
    with opened_register() as register:
        inbox = Inbox(await worlds.at(register), register)
        await inbox.asked(DELETE)
        await asyncio.to_thread(backend.kill)
        await asyncio.to_thread(backend.start)
        [asked] = [one for one in await inbox.questions() if one["status"] == "pending"]
        await inbox.answer(asked["hitlId"], "yes_no", "yes")
        await inbox.ended("completed")
        assert register.deleted == ["Ann Lee"]
