"""A browser with the extension and a scripted backend: a tab to work on, and its panel."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession, Page, expect

from app.launch.browser import Browser, open_browser
from app.launch.chromium import find_chromium
from app.launch.extension import EXTENSION_DIR, extension_id, read_manifest
from tests.browser.runner_backend import Backend

ORIGIN = f"chrome-extension://{extension_id(read_manifest(EXTENSION_DIR))}"


@dataclass
class Desk:
    """A browser with the extension, the backend it talks to, and a tab with its panel."""

    browser: Browser
    backend: Backend
    tab: Page
    panel: Page
    tab_id: int

    async def run(self, goal: str) -> None:
        await self.panel.get_by_test_id("goal-input").fill(goal)
        await self.panel.get_by_test_id("goal-input").press("Enter")

    async def state(self, state: str) -> None:
        status = self.panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", state, timeout=30_000)

    async def stored(self) -> dict[str, Any]:
        kept: dict[str, Any] = await self.panel.evaluate("chrome.storage.local.get(null)")
        return kept

    async def close(self) -> None:
        await self.tab.close()
        await self.panel.close()


@asynccontextmanager
async def opened_browser(backend: Backend) -> AsyncIterator[Browser]:
    """A Chromium whose extension talks to that backend."""
    chromium = find_chromium(None).path
    async with open_browser(chromium=chromium, extension=EXTENSION_DIR, headless=True) as opened:
        await opened.configure(backend.url, "key")
        yield opened


async def opened_desk(browser: Browser, backend: Backend, path: str = "/page") -> Desk:
    """A new tab at one of the backend's pages, and a panel for it."""
    tab = await browser.context.new_page()
    await tab.goto(f"{backend.url}{path}")
    panel = await browser.open_panel(tab)
    return Desk(browser, backend, tab, panel, int(panel.url.rpartition("=")[2]))


async def worker_session(desk: Desk) -> CDPSession:
    """A session that can stop the extension's service worker."""
    session = await desk.browser.context.new_cdp_session(desk.panel)
    await session.send("ServiceWorker.enable")
    return session


async def kill_runner(desk: Desk) -> None:
    """Close the offscreen document, as a crash of its process would."""
    await desk.panel.evaluate("chrome.offscreen.closeDocument()")
