"""The whole with a model: a backend that asks the Gemini fake, one Chromium, a tab for each test."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import expect
from pydantic import SecretStr

from tests.browser.desk import tab_id_of
from tests.browser.office import Office, opened_office
from tests.browser.world import KEY, Site, World, Worlds, clinic, opened_worlds, threaded_backend
from tests.fakes.gemini import FakeGemini


@dataclass
class Reasoned:
    """What a module of tests shares."""

    backend: Site
    gemini: FakeGemini
    office: Office
    clinic: Site


@contextmanager
def served_reasoning(store_uri: str, folder: Path) -> Iterator[Reasoned]:
    """Everything but the browser."""
    with FakeGemini().served() as gemini, opened_office() as office, clinic() as up:
        model = {"llm": "gemini", "gemini_base_url": gemini.url, "gemini_api_key": SecretStr("key")}
        with threaded_backend(store_uri, folder, **model) as backend:
            yield Reasoned(backend, gemini, office, up)


@asynccontextmanager
async def reasoned_browser(shared: Reasoned) -> AsyncIterator[Worlds]:
    """One that was granted every site, which a picture of a tab needs."""
    async with opened_worlds(shared.backend, hosts=("<all_urls>",)) as worlds:
        yield worlds


@dataclass
class Talk(World):
    """A person at a tab, with a model behind."""

    shared: Reasoned

    @property
    def gemini(self) -> FakeGemini:
        return self.shared.gemini

    @property
    def office(self) -> Office:
        return self.shared.office

    async def at(self, address: str) -> None:
        await self.page.goto(address)

    async def in_front(self) -> None:
        """The tab is the one its window shows."""
        await self.page.bring_to_front()
        number = tab_id_of(self.panel)
        async with asyncio.timeout(30):
            while not await self.panel.evaluate(
                "async id => (await chrome.tabs.get(id)).active", number
            ):
                await asyncio.sleep(0.02)

    async def becomes(self, state: str) -> None:
        status = self.panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", state, timeout=30_000)

    async def completes(self) -> None:
        """The run ends well; the panel's words when it does not."""
        assert await self.ended() == "completed", await self.result()
        self.gemini.check()

    async def task(self) -> dict[str, Any]:
        """The task that this tab worked on, as the server keeps it."""
        run = await self.kept_run()
        assert run is not None
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx.AsyncClient(headers=headers, trust_env=False) as client:
            reply = await client.get(f"{self.backend.url}/api/task/{run['taskId']}")
        told: dict[str, Any] = reply.raise_for_status().json()
        return told


async def talk_at(shared: Reasoned, worlds: Worlds) -> Talk:
    """A tab, its panel, a conversation that begins, and nothing asked or posted yet."""
    shared.gemini.clear()
    shared.office.forget()
    world = await worlds.at(shared.office, "/customers/new")
    return Talk(shared.backend, shared.clinic, world.browser, world.page, world.panel, shared)


def doing(*calls: str, **more: Any) -> dict[str, Any]:
    """A model's reply that says what to do now."""
    return {"thought": "This is next.", "do": list(calls), "ends": True, "sure": 0.95} | more


def opening(*calls: str, step: str = "Do what was asked for", **more: Any) -> dict[str, Any]:
    """A model's reply to a new goal."""
    return {"intent": "operation", "steps": [{"text": step}]} | doing(*calls) | more
