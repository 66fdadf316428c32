"""The main job, end to end: real page, real extension, real server, real store."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from app.launch.server import Serving
from tests.browser.world import Backend, World, clinic, opened_world, started_backend

pytestmark = pytest.mark.browser

GOAL = "Add a new patient with name 'Jas'"


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    yield from started_backend(tmp_path_factory.mktemp("backend"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with clinic(tmp_path_factory.mktemp("clinic") / "clinic.log") as child:
        yield child


@pytest.fixture
async def world(backend: Backend, served: Serving) -> AsyncIterator[World]:
    async with httpx.AsyncClient(trust_env=False) as client:
        (await client.post(f"{served.url}/api/reset")).raise_for_status()
    async with opened_world(backend, served) as made:
        yield made


async def test_the_patient_is_added_once(world: World) -> None:
    await world.ask(GOAL)
    assert await world.ended() == "completed", await world.result()
    assert await world.stored("Jas") == 1
    assert await world.posts() == 1
    assert "Jas" in await world.result()


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


async def test_the_server_is_killed_after_every_step(world: World) -> None:
    await world.ask(GOAL)
    killed = 0
    async with asyncio.timeout(150):
        while await world.state() not in {"completed", "failed", "interrupted"}:
            if await world.steps() > killed:
                killed += 1
                await asyncio.to_thread(world.backend.kill)
                await asyncio.to_thread(world.backend.start)
            await asyncio.sleep(0.05)
    assert await world.state() == "completed", await world.result()
    assert killed >= 3
    assert await world.stored("Jas") == 1
    assert await world.posts() == 1


async def test_the_page_is_reloaded_in_the_middle(world: World) -> None:
    await world.ask(GOAL)
    async with asyncio.timeout(60):
        while await world.steps() < 2:
            await asyncio.sleep(0.05)
    await world.page.reload()
    assert await world.ended() in {"completed", "failed"}
    assert await world.posts() == await world.stored("Jas")
    assert await world.posts() <= 1


async def test_the_tab_is_closed_in_the_middle(world: World) -> None:
    await world.ask(GOAL)
    async with asyncio.timeout(60):
        while await world.steps() < 1:
            await asyncio.sleep(0.05)
    await world.page.close()
    assert await world.ended() == "interrupted"
    assert await world.posts() <= 1


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


async def test_the_person_goes_elsewhere_in_the_middle(world: World) -> None:
    await world.ask(GOAL)
    async with asyncio.timeout(60):
        while await world.steps() < 1:
            await asyncio.sleep(0.05)
    await world.page.goto(f"{world.clinic.url}/nowhere-at-all")
    assert await world.ended() in {"completed", "failed"}
    assert await world.result()
    assert await world.posts() == await world.stored("Jas")
