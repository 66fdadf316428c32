"""A step that no script can do is handed to the person, and what is left is done after it."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Route, expect

from tests.browser.world import Backend, World, clinic, opened_world, started_backend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

# As pages that guard against scripts do: only a hand's click counts.
VISIT = """<!doctype html><title>Visit</title><h1>Visit</h1>
<button id=start>Start visit</button> <p role=status id=said></p>
<script>
  start.addEventListener("click", event => {
    if (!event.isTrusted) return;
    start.remove();
    said.textContent = "Visit started";
    const call = document.createElement("button");
    call.textContent = "Call in";
    call.onclick = () => {
      said.textContent = "The patient was called in";
      globalThis.calls = (globalThis.calls ?? 0) + 1;
    };
    document.body.append(call);
  });
</script>"""
GOAL = "Click 'Start visit', then click 'Call in'"


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Backend]:
    yield from started_backend(tmp_path_factory.mktemp("handing"), TABWRIGHT_LLM="rules")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(backend: Backend, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    with clinic(tmp_path_factory.mktemp("clinic") / "clinic.log") as served:
        async with opened_world(backend, served) as made:
            yield made


async def visited(route: Route) -> None:
    await route.fulfill(content_type="text/html", body=VISIT)


async def test_the_person_does_the_step_and_the_rest_is_done(world: World) -> None:
    page, panel = world.page, world.panel
    await page.route("**/visit", visited)
    await page.goto(f"{world.clinic.url}/visit")
    await world.ask(GOAL)
    assert await world.ended() == "failed"
    notice = panel.get_by_test_id("notice")
    await expect(notice).to_contain_text("Start visit")
    instead = panel.get_by_test_id("timeline-step").filter(has_text="Instead")
    tried = await instead.filter(has_not_text="Wait").count()
    assert 1 <= tried <= 3  # a wait belongs to the try that follows it
    assert "Tried" in await world.result()
    await page.get_by_role("button", name="Start visit").click()
    await panel.get_by_role("button", name="I did it, go on").click()
    await expect(panel.get_by_test_id("status")).not_to_have_attribute("data-state", "failed")
    assert await world.ended() == "completed", await world.result()
    assert await page.evaluate("globalThis.calls") == 1
    await expect(panel.locator("#goal")).to_have_text(GOAL)
    done = panel.get_by_label("Plan").locator("[data-status=completed]")
    await expect(done).to_have_count(2)
