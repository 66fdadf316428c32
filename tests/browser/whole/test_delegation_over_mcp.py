"""Another assistant asks over MCP, and the person's own extension does it: all of it real."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
import pytest_asyncio
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitRequestFormParams, ElicitResult
from playwright.async_api import Locator, expect

from tests.browser.register import Register, opened_register
from tests.browser.world import KEY, Site, World, clinic, opened_world, threaded_backend
from tests.integration.mcp.desk import INFO

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

GOAL, CHECK_IN = "Add a new patient with name 'Jas'", "Click 'Check in' for Jas"
WAIT_MS = 30_000  # only ends a hang


@pytest.fixture(scope="module")
def backend(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with threaded_backend(store_uri, tmp_path_factory.mktemp("delegated")) as up:
        yield up


@pytest.fixture(scope="module")
def served() -> Iterator[Site]:
    with clinic() as up:
        yield up


@pytest.fixture(scope="module")
def register() -> Iterator[Register]:
    with opened_register() as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(backend: Site, served: Site) -> AsyncIterator[World]:
    async with opened_world(backend, served) as made:
        yield made


class Assistant:
    """Another assistant with a real MCP client: what it was asked and told, and what it answers."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[str] = []
        self.told: list[str] = []

    @asynccontextmanager
    async def asks(self, goal: str, **more: Any) -> AsyncIterator[asyncio.Task[dict[str, Any]]]:
        """A task under way; its result, once it has one."""
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http:
            transport = streamable_http_client(f"{self.url}/mcp/tabwright", http_client=http)
            made = Client(transport, client_info=INFO, elicitation_callback=self._answer)
            async with made as client:
                task = asyncio.create_task(self._call(client, {"goal": goal, **more}))
                try:
                    yield task
                finally:
                    task.cancel()

    async def _call(self, client: Client, given: dict[str, Any]) -> dict[str, Any]:
        result = await client.call_tool("run_task", given, progress_callback=self._hear)
        return dict(result.structured_content or {})

    async def _hear(self, step: float, total: float | None, message: str | None) -> None:
        self.told.append(message or "")

    async def _answer(self, _: Any, form: Any) -> ElicitResult:
        assert isinstance(form, ElicitRequestFormParams)
        self.asked.append(form.message)
        [choice] = [
            one for one in form.requested_schema["properties"]["answer"]["enum"] if "Ndiaye" in one
        ]
        return ElicitResult(action="accept", content={"answer": choice})


def option(world: World, name: str) -> Locator:
    """A button of the card, once it takes a press."""
    return world.panel.locator(f"[data-testid=delegation-{name}]:not([aria-disabled])")


async def test_a_task_of_another_assistant_is_done_after_a_yes(world: World) -> None:
    assistant = Assistant(world.backend.url)
    async with assistant.asks(GOAL, url=world.page.url) as task:
        card = world.panel.get_by_test_id("delegation")
        await expect(card).to_contain_text("“Test assistant” wants to do this on", timeout=WAIT_MS)
        await expect(card).to_contain_text(GOAL)
        assert await world.posts() == 0
        await option(world, "allow").click()
        result = await asyncio.wait_for(task, 60)
    assert result["status"] == "completed", result
    assert "Jas" in result["result"]
    assert await world.stored("Jas") == 1
    assert await world.posts() == 1
    assert len(assistant.told) > 1
    await expect(world.panel.get_by_test_id("asked-by")).to_have_text("Asked by Test assistant")
    await expect(world.panel.get_by_test_id("status")).to_have_attribute("data-state", "completed")
    await expect(card).to_be_hidden()


async def test_an_operator_is_asked_for_a_second_opinion_and_heard(world: World) -> None:
    """On the run before, as it stands in the panel."""
    opened, line = world.panel.get_by_test_id("opinion-open"), world.panel.get_by_test_id("review")
    await expect(opened.or_(line)).to_be_visible()
    if await opened.is_visible():
        await opened.click()
        await world.panel.keyboard.type("Is it the right Jas?")
        await world.panel.get_by_test_id("opinion-ask").click()
    await expect(line).to_contain_text("An operator will review this")
    record = await line.locator(".reference").inner_text()
    said = {"outcome": "approved", "notes": "The record is right", "operatorName": "Mira Roth"}
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(trust_env=False, headers=headers) as client:
        path = f"{world.backend.url}/api/review/{record}/decision"
        (await client.post(path, json=said)).raise_for_status()
    await world.panel.reload()
    decided = "An operator, Mira Roth, approved this: The record is right"
    await expect(line).to_contain_text(decided)


async def test_what_is_refused_is_not_done(world: World) -> None:
    posts = await world.posts()
    async with Assistant(world.backend.url).asks(GOAL) as task:
        await expect(option(world, "refuse")).to_be_visible(timeout=WAIT_MS)
        await option(world, "refuse").click()
        result = await asyncio.wait_for(task, 60)
    assert result["status"] == "refused", result
    assert await world.posts() == posts


async def test_a_question_travels_to_the_assistant_and_its_answer_back(
    world: World, register: Register
) -> None:
    register.fill()
    await world.page.goto(register.url)
    assistant = Assistant(world.backend.url)
    async with assistant.asks(CHECK_IN) as task:
        await expect(option(world, "always")).to_be_visible(timeout=WAIT_MS)
        await option(world, "always").click()
        result = await asyncio.wait_for(task, 60)
    assert result["status"] == "completed", result
    assert len(assistant.asked) == 1
    assert register.arrived == ["Jas Ndiaye"]
    await expect(world.panel.get_by_test_id("status")).to_have_attribute("data-state", "completed")


async def test_a_client_that_may_needs_no_panel_and_opens_its_page(
    world: World, register: Register
) -> None:
    register.fill()
    await world.panel.goto(world.browser.url("options/index.html"))
    await expect(world.panel.get_by_test_id("client")).to_have_count(1)
    url = f"{register.url}/?from=elsewhere"
    async with Assistant(world.backend.url).asks("Click 'Keep note'", url=url) as task:
        result = await asyncio.wait_for(task, 60)
    assert result["status"] == "completed", result
    assert [one.url for one in world.browser.context.pages].count(url) == 1
    await world.panel.get_by_test_id("client-take-back").click()
    await expect(world.panel.get_by_test_id("client")).to_have_count(0)
