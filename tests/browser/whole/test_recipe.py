"""A recipe in a real Chromium: a task is done once, saved, and done again with other values."""

from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Page, Route, expect

from app.cli.run.follower import Follower
from tests.browser.world import KEY, Site, World, clinic, opened_world, threaded_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GOAL = "Add a new patient with name 'Jas'"
LIMIT_S = 90.0  # only ends a hang


@pytest.fixture(scope="module")
def backend(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with threaded_backend(store_uri, tmp_path_factory.mktemp("recipe")) as up:
        yield up


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(backend: Site) -> AsyncIterator[World]:
    with clinic() as served:
        async with opened_world(backend, served) as made:
            yield made


@pytest_asyncio.fixture(scope="module", loop_scope="session")
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


async def by_keyboard(panel: Page, key: str, test_id: str) -> None:
    """Press the key until that part of the panel has the focus."""
    for _ in range(12):
        await panel.keyboard.press(key)
        if await panel.evaluate("document.activeElement.dataset.testid") == test_id:
            return
    raise AssertionError(f"{key} does not lead to {test_id}")


async def test_a_task_is_kept_and_done_again_from_the_panel_by_keyboard_alone(
    world: World, follower: Follower, api: httpx.AsyncClient
) -> None:
    panel, before = world.panel, await follower.snapshot()
    await panel.bring_to_front()
    await follower.start(GOAL)
    state, timeline = await to_the_end(follower, before)
    assert state == "completed", timeline
    await by_keyboard(panel, "Shift+Tab", "save-recipe")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_role("button", name="Show recipes")).to_be_focused()
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_role("heading", name="Recipes")).to_be_focused()
    [recipe] = (await api.get("/api/recipes")).json()["recipes"]
    assert "Jas" not in str(recipe)
    await world.page.goto(world.clinic.url)
    posts, before = await world.posts(), await follower.snapshot()
    await expect(panel.get_by_test_id("recipe")).to_be_visible()
    await panel.keyboard.press("Tab")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_label("Name")).to_be_focused()
    await panel.keyboard.type("Robin Moss")
    await panel.keyboard.press("Enter")
    state, again = await to_the_end(follower, before)
    assert (state, again.tokens, again.model_calls) == ("completed", 0, 0), again
    assert again.task_id != timeline.task_id
    assert again.round_trips <= 4
    assert not any("done here before" in step.thought for step in again.steps)
    assert (await world.stored("Robin Moss"), await world.posts() - posts) == (1, 1)
    kept = (await api.get(f"/api/recipes/{recipe['id']}")).json()
    assert (kept["runs"], kept["failures"]) == (1, 0)
    await expect(panel.get_by_test_id("save-recipe")).to_have_count(0)


async def test_a_value_that_is_missing_is_asked_for_in_the_panel(
    world: World, follower: Follower, api: httpx.AsyncClient
) -> None:
    [recipe] = (await api.get("/api/recipes")).json()["recipes"]
    await world.page.goto(world.clinic.url)
    before = await follower.snapshot()
    await follower.replay(recipe["title"], recipe["id"], {})
    await follower.until_started(before)
    asked = world.panel.get_by_test_id("assist")
    await expect(asked).to_contain_text("name", timeout=LIMIT_S * 1000)
    await world.panel.get_by_test_id("assist-input").fill("Toni Reed")
    await world.panel.keyboard.press("Enter")
    state, timeline = await to_the_end(follower, before)
    assert (state, timeline.tokens) == ("completed", 0), timeline
    assert await world.stored("Toni Reed") == 1


async def test_labels_that_changed_a_little_are_healed_and_the_person_is_told(
    world: World, follower: Follower, api: httpx.AsyncClient
) -> None:
    [recipe] = (await api.get("/api/recipes")).json()["recipes"]

    async def relabelled(route: Route) -> None:
        answer = await route.fetch()
        text = (await answer.text()).replace(">Name <span", ">Patient name <span")
        await route.fulfill(response=answer, body=text.replace(">Save patient<", ">Save<"))

    await world.page.route(lambda url: "/api/" not in url and "/static/" not in url, relabelled)
    await world.page.goto(world.clinic.url)
    before = await follower.snapshot()
    await follower.replay(recipe["title"], recipe["id"], {"name": "Uma Vale"})
    state, timeline = await to_the_end(follower, before)
    await world.page.unroute_all()
    assert (state, timeline.tokens) == ("completed", 0), timeline
    assert await world.stored("Uma Vale") == 1
    typed = world.panel.get_by_test_id("timeline-step").filter(has_text="Uma Vale").first
    await typed.locator("summary").click()
    await expect(typed).to_contain_text("Healed: 'Name' is now called 'Patient name'")


async def signed_out(world: World) -> None:
    await world.page.goto(world.clinic.url)
    await world.page.get_by_role("button", name="Log out").click()
    await expect(world.page.get_by_role("button", name="Log in")).to_be_visible()


async def test_a_secret_is_asked_for_each_time_and_kept_nowhere(
    world: World, follower: Follower, api: httpx.AsyncClient
) -> None:
    panel = world.panel
    await signed_out(world)
    before = await follower.snapshot()
    await follower.start("Enter demo as username and clinic as password and press Log in")
    state, timeline = await to_the_end(follower, before)
    assert state == "completed", timeline
    await panel.get_by_test_id("save-recipe").click()
    await panel.get_by_role("button", name="Show recipes").click()
    kept = panel.get_by_test_id("recipe").first
    await kept.locator("summary").click()
    secret = kept.get_by_label("Password")
    await expect(secret).to_have_attribute("type", "password")
    await expect(secret).to_have_value("")
    await signed_out(world)
    before = await follower.snapshot()
    for field in await kept.get_by_test_id("recipe-value").all():
        hidden = await field.get_attribute("type") == "password"
        await field.fill("clinic" if hidden else "demo")
    await panel.keyboard.press("Enter")
    state, again = await to_the_end(follower, before)
    assert (state, again.tokens) == ("completed", 0), again
    assert "clinic" not in await panel.locator("#goal").inner_text()


async def test_a_page_that_is_another_stops_it(
    world: World, follower: Follower, api: httpx.AsyncClient
) -> None:
    recipe = (await api.get("/api/recipes")).json()["recipes"][-1]
    moved = "<title>Moved</title><h1>Moved</h1><button>Home</button>"
    await world.page.route(
        f"{world.clinic.url}/**",
        lambda route: route.fulfill(content_type="text/html", body=moved),
    )
    await world.page.goto(world.clinic.url)
    posts, before = await world.posts(), await follower.snapshot()
    await follower.replay(recipe["title"], recipe["id"], {"name": "Nobody"})
    state, timeline = await to_the_end(follower, before)
    await world.page.unroute_all()
    assert state == "failed"
    assert "not the page that the recipe was recorded on" in timeline.result
    assert (await world.stored("Nobody"), await world.posts() - posts) == (0, 0)
    await expect(world.panel.get_by_test_id("result")).to_contain_text("not the page that")
    await expect(world.panel.get_by_role("button", name="I did it, continue")).to_be_visible()
