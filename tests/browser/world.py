"""Everything at once, for tests of the whole: backend, clinic, Chromium, extension, panel."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from playwright.async_api import Page, expect

from app.launch.browser import Browser, open_browser
from app.launch.chromium import find_chromium
from app.launch.server import Serving, clinic, serving

EXTENSION = Path(__file__).resolve().parents[2] / "extension"
KEY = "tw_a-key-for-the-tests-of-the-whole"
RATE = {"TABWRIGHT_RATE_LIMIT": "100000/minute", "TABWRIGHT_API_KEY": KEY}
ENDED = {"completed", "failed", "interrupted"}
LIMIT_S = 90.0  # only ends a hang


@dataclass
class Backend:
    """`tabwright serve` on a port that stays the same over its deaths. `environment` is laid over
    its settings: that of a fake gives it a model.
    """

    data: Path
    environment: dict[str, str] = field(default_factory=dict)
    port: int = 0
    url: str = ""
    pid: int = 0
    _stack: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        arguments = ("-m", "app.cli", "serve", "--port", str(self.port))
        settings = {**RATE, "TABWRIGHT_DATA_DIR": str(self.data), **self.environment}
        log = self.data / "server.log"
        child = self._stack.enter_context(
            serving(arguments, log=log, ready="/readyz", environment=settings)
        )
        self.url, self.pid = child.url, child.pid
        self.port = int(child.url.rpartition(":")[2])

    def kill(self) -> None:
        """As a crash would: no goodbye."""
        os.kill(self.pid, signal.SIGKILL)

    def stop(self) -> None:
        self._stack.close()


@dataclass
class World:
    """One person at one tab of the clinic."""

    backend: Backend
    clinic: Serving
    browser: Browser
    page: Page
    panel: Page

    async def ask(self, goal: str) -> None:
        await self.panel.get_by_test_id("goal-input").fill(goal)
        await self.panel.get_by_test_id("run-button").click()
        await expect(self.panel.get_by_test_id("status")).not_to_have_attribute(
            "data-state", "idle"
        )

    async def state(self) -> str:
        return await self.panel.get_by_test_id("status").get_attribute("data-state") or ""

    async def steps(self) -> int:
        return await self.panel.get_by_test_id("timeline-step").count()

    async def ended(self) -> str:
        async with asyncio.timeout(LIMIT_S):
            while await self.state() not in ENDED:
                await asyncio.sleep(0.1)
        return await self.state()

    async def agree(self) -> str:
        """Say yes to what is to be approved; the question, as it is read."""
        yes = self.panel.locator(
            "#assist[data-kind=approval] .option[data-id=yes]:not([aria-disabled])"
        )
        await expect(yes).to_be_visible(timeout=1_000 * LIMIT_S)
        asked = await self.panel.locator("#question").inner_text()
        await yes.click()
        return asked

    async def result(self) -> str:
        return await self.panel.get_by_test_id("result").inner_text()

    async def stored(self, name: str) -> int:
        async with httpx.AsyncClient(trust_env=False) as client:
            reply = await client.get(f"{self.clinic.url}/api/patients")
        return sum(patient["name"] == name for patient in reply.json()["patients"])

    async def posts(self) -> int:
        async with httpx.AsyncClient(trust_env=False) as client:
            return int((await client.get(f"{self.clinic.url}/api/stats")).json()["posts"])


def started_backend(folder: Path, **environment: str) -> Iterator[Backend]:
    folder.mkdir(parents=True, exist_ok=True)
    backend = Backend(folder, environment)
    backend.start()
    try:
        yield backend
    finally:
        backend.stop()


@asynccontextmanager
async def opened_world(backend: Backend, served: Serving) -> AsyncIterator[World]:
    async with open_browser(
        chromium=find_chromium(None).path, extension=EXTENSION, headless=True
    ) as browser:
        await browser.configure(backend.url, KEY)
        page = await browser.context.new_page()
        await page.goto(served.url)
        panel = await browser.open_panel(page)
        yield World(backend, served, browser, page, panel)


__all__ = ["Backend", "World", "clinic", "opened_world", "started_backend"]
