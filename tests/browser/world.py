"""Everything at once, for tests of the whole: backend, clinic, Chromium, extension, panel."""

import asyncio
import os
import secrets
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx
from playwright.async_api import Page, expect
from pydantic import SecretStr

from app.cli.browser import LOOPBACK, Browser
from app.cli.run.children import serving
from app.settings import Settings
from demo.clinic.server import create_clinic
from tests.browser.desk import Places, tab_id_of
from tests.browser.shared_chromium import chromium
from tests.fakes.serving import served
from tests.integration.desk import RATES, threaded

KEY = "tw_a-key-for-the-tests-of-the-whole"
RATE = {"TABWRIGHT_RATE_LIMIT": "100000/minute", "TABWRIGHT_API_KEY": KEY}
ENDED = {"completed", "failed", "interrupted"}
LIMIT_S = 90.0  # only ends a hang


class Served(Protocol):
    """A backend or a site."""

    @property
    def url(self) -> str:
        """Where it is, without a path."""
        ...


@dataclass(frozen=True)
class Site:
    """One that a thread of this process serves."""

    url: str


@dataclass
class Backend:
    """`tabwright serve` without a model, on a port that stays the same over its deaths."""

    data: Path
    port: int = 0
    url: str = ""
    pid: int = 0
    _stack: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        arguments = ("-m", "app.cli", "serve", "--port", str(self.port))
        settings = {**RATE, "TABWRIGHT_DATA_DIR": str(self.data), "TABWRIGHT_LLM": "rules"}
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

    backend: Served
    clinic: Served
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

    async def kept_run(self) -> dict[str, Any] | None:
        """The tab's run as the extension keeps it; None for none."""
        name = f"run_{tab_id_of(self.panel)}"
        kept = await self.panel.evaluate("name => chrome.storage.local.get(name)", name)
        run: dict[str, Any] | None = kept.get(name)
        return run

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


@contextmanager
def started_backend(folder: Path) -> Iterator[Backend]:
    """A backend that can die."""
    folder.mkdir(parents=True, exist_ok=True)
    backend = Backend(folder)
    backend.start()
    try:
        yield backend
    finally:
        backend.stop()


@contextmanager
def threaded_backend(store_uri: str, folder: Path, **more: Any) -> Iterator[Site]:
    """The same server on a thread of this process, with a database of its own in a store that is up: for
    what does not depend on how it starts and dies. `more` is laid over its settings.
    """
    settings = Settings(_env_file=None, data_dir=folder)
    named = {
        "mongodb_uri": SecretStr(store_uri),
        "mongodb_database": f"test_{secrets.token_hex(6)}",
        "api_key": SecretStr(KEY),
        "llm": "rules",
        **dict.fromkeys(RATES, "100000/minute"),
        **more,
    }
    with threaded(settings.model_copy(update=named)) as url:
        yield Site(url)


@contextmanager
def clinic() -> Iterator[Site]:
    """The demo page, with a register of its own."""
    with served(create_clinic()) as url:
        yield Site(url)


@dataclass(frozen=True)
class Worlds:
    """One Chromium, whose extension talks to one backend: a person at a tab for each test."""

    backend: Served
    browser: Browser
    places: Places

    async def at(self, site: Served, path: str = "/") -> World:
        """The person at that page, with nothing asked for yet."""
        place = await self.places.at(f"{site.url}{path}")
        return World(self.backend, site, self.browser, place.tab, place.panel)


@asynccontextmanager
async def opened_worlds(
    backend: Served, hosts: tuple[str, ...] = LOOPBACK
) -> AsyncIterator[Worlds]:
    """The Chromium for a module of tests; `hosts` are what its extension may read."""
    async with chromium(backend.url, KEY, hosts) as browser:
        yield Worlds(backend, browser, Places(browser))


@asynccontextmanager
async def opened_world(backend: Served, site: Served) -> AsyncIterator[World]:
    """One person at one tab, for all tests of a module."""
    async with opened_worlds(backend) as worlds:
        yield await worlds.at(site)
