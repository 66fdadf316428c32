"""A recipe in a real Chromium: a task is done once, saved, and done again with other values."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import pytest_asyncio

from app.launch.follow import Follower
from tests.browser.world import KEY, Backend, World, clinic, opened_world, started_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

GOAL = "Add a new patient with name 'Jas'"
LIMIT_S = 90.0  # only ends a hang


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    yield from started_backend(tmp_path_factory.mktemp("recipe"), TABWRIGHT_LLM="rules")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    with clinic(tmp_path_factory.mktemp("clinic") / "clinic.log") as served:
        async with opened_world(backend, served) as made:
            yield made


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def api(world: World) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(
        base_url=world.backend.url, headers=headers, trust_env=False
    ) as made:
        yield made


@pytest.fixture
def follower(
    world: World, api: httpx.AsyncClient, tmp_path_factory: pytest.TempPathFactory
) -> Follower:
    out = tmp_path_factory.mktemp("out")
    return Follower(panel=world.panel, page=world.page, api=api, out=out, on_step=lambda *_: None)


async def to_the_end(follower: Follower, before: tuple[str, str | None]):
    await follower.until_started(before)
    state = await follower.until_ended(limit_s=LIMIT_S, stop_at_question=True)
    timeline = await follower.final()
    assert timeline is not None
    return state, timeline


async def test_the_clinic_task_is_saved_and_replayed_in_three_round_trips_and_no_tokens(
    world: World, follower: Follower, api: httpx.AsyncClient
) -> None:
    before = await follower.standing()
    await follower.start(GOAL)
    state, timeline = await to_the_end(follower, before)
    assert state == "completed", timeline
    saved = await api.post("/api/recipes", json={"taskId": timeline.task_id})
    assert saved.status_code == 201, saved.text
    recipe = saved.json()
    assert "Jas" not in saved.text
    await world.page.goto(world.clinic.url)
    posts, before = await world.posts(), await follower.standing()
    await follower.replay(recipe["title"], recipe["id"], {"name": "Robin Moss"})
    state, again = await to_the_end(follower, before)
    assert (state, again.tokens, again.model_calls) == ("completed", 0, 0), again
    assert again.task_id != timeline.task_id
    assert again.round_trips <= 3
    assert (await world.stored("Robin Moss"), await world.posts() - posts) == (1, 1)
    kept = (await api.get(f"/api/recipes/{recipe['id']}")).json()
    assert (kept["runs"], kept["failures"]) == (1, 0)


async def test_a_page_that_is_another_stops_it(
    world: World, follower: Follower, api: httpx.AsyncClient
) -> None:
    recipe = (await api.get("/api/recipes")).json()["recipes"][0]
    await world.page.goto(f"{world.clinic.url}/login")
    await world.page.route("**/patients/new", lambda route: route.fulfill(
        content_type="text/html", body="<title>Moved</title><h1>Moved</h1><button>Home</button>"
    ))  # fmt: skip
    await world.page.route(f"{world.clinic.url}/", lambda route: route.fulfill(
        content_type="text/html", body="<title>Moved</title><h1>Moved</h1><button>Home</button>"
    ))  # fmt: skip
    posts, before = await world.posts(), await follower.standing()
    await follower.replay(recipe["title"], recipe["id"], {"name": "Nobody"})
    state, timeline = await to_the_end(follower, before)
    await world.page.unroute_all()
    assert state == "failed"
    assert "another than the recipe was made on" in timeline.result
    assert (await world.stored("Nobody"), await world.posts() - posts) == (0, 0)
