"""A browser with the extension and a scripted backend: a tab to work on, and its panel."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error, Page, expect

from app.cli.browser import EXTENSION_DIR, Browser, extension_id, read_manifest
from tests.browser.runner_backend import Backend
from tests.browser.shared_chromium import chromium

ORIGIN = f"chrome-extension://{extension_id(read_manifest(EXTENSION_DIR))}"


def tab_id_of(panel: Page) -> int:
    """The tab that the panel is for."""
    return int(panel.url.rpartition("=")[2])


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


@dataclass(frozen=True)
class Place:
    """A tab, its panel, and what Chromium and the extension's settings said when they were opened."""

    tab: Page
    panel: Page
    tab_id: int
    known: dict[str, Any]


class Places:
    """A tab and its panel for one test after another. They are put back as they were when they were
    opened, and looked at whether they are; where a test closed or moved one of them, or its run is not
    over, the next test gets new ones. What cannot be seen from there a test takes away itself: a script
    that it put into the panel's document, a listener to its pages.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._others = set(browser.context.pages)
        self._place: Place | None = None

    async def at(self, url: str) -> Place:
        """The tab at that address, nothing asked for in its panel yet."""
        if self._place is None or not await self._is_as_new(self._place, url):
            await self.close()
            self._place = await self._opened(url)
        return self._place

    async def close(self) -> None:
        """Close whatever the tests left open."""
        self._place = None
        await self._close_all_but(self._others)

    async def _close_all_but(self, kept: set[Page]) -> None:
        for page in self._browser.context.pages:
            if page not in kept:
                await page.close()

    async def _opened(self, url: str) -> Place:
        tab = await self._browser.context.new_page()
        await tab.goto(url)
        panel = await self._browser.open_panel(tab)
        tab_id = tab_id_of(panel)
        return Place(tab, panel, tab_id, await panel.evaluate(KNOWN, tab_id))

    async def _is_as_new(self, place: Place, url: str) -> bool:
        tab, panel = place.tab, place.panel
        if tab.is_closed() or panel.is_closed():
            return False
        try:
            async with asyncio.timeout(AS_NEW_S):
                await self._close_all_but(self._others | {tab, panel})
                await tab.goto(url)
                if not await panel.evaluate(CLEAR, place.tab_id):
                    return False
                await panel.bring_to_front()
                await panel.get_by_test_id("goal-input").fill("")
                await panel.wait_for_function(IS_FRESH, arg=url)
                known: dict[str, Any] = await panel.evaluate(KNOWN, place.tab_id)
                return known == place.known
        except (Error, TimeoutError):
            return False


AS_NEW_S = 10  # a tenth of a second is usual; past this, new ones are opened
KNOWN = """async (tabId) => {
  const { windowId, autoDiscardable, pinned, incognito } = await chrome.tabs.get(tabId);
  const { settings } = await chrome.storage.local.get("settings");
  return { windowId, autoDiscardable, pinned, incognito, settings };
}"""
# By the messages that the panel itself sends; nothing but the settings is left of what was stored. What
# lost its tab goes first: it would be offered as soon as the tab has no run.
CLEAR = """async (tabId) => {
  const { state } = document.getElementById("status").dataset;
  if (state === "running" || state === "waiting") return false;
  const forget = async () => {
    const kept = Object.keys(await chrome.storage.local.get(null));
    await chrome.storage.local.remove(kept.filter((key) => key !== "settings"));
  };
  await forget();
  const port = chrome.runtime.connect({ name: "tabwright.panel" });
  await new Promise((empty, broken) => {
    port.onDisconnect.addListener(() => broken(new Error("The runner went away")));
    port.onMessage.addListener(({ kind, view }) => {
      if (kind === "view" && view.state === "idle" && view.goal === "") empty();
    });
    for (const kind of ["attach", "dismiss", "clear"]) port.postMessage({ kind, tabId });
  });
  port.disconnect();
  await forget();
  return true;
}"""
IS_FRESH = """(url) => {
  const part = (id) => document.getElementById(id);
  const told = ["goal", "plan", "thinking", "result", "keep", "opinion", "notice", "assist", "learning"];
  return part("status").dataset.state === "idle" && document.body.dataset.shown === "run"
    && part("site").title.startsWith(`${url}\n`) && !part("empty").hidden
    && told.every((id) => part(id).hidden) && part("timeline").childElementCount === 0
    && part("goal-input").value === "" && document.activeElement === part("goal-input");
}"""


@asynccontextmanager
async def opened_browser(backend: Backend) -> AsyncIterator[Browser]:
    """A Chromium whose extension talks to that backend."""
    async with chromium(backend.url, "key") as opened:
        yield opened


async def opened_desk(browser: Browser, backend: Backend, path: str = "/page") -> Desk:
    """A new tab at one of the backend's pages, and a panel for it."""
    tab = await browser.context.new_page()
    await tab.goto(f"{backend.url}{path}")
    panel = await browser.open_panel(tab)
    return Desk(browser, backend, tab, panel, tab_id_of(panel))


async def kill_runner(desk: Desk) -> None:
    """Close the offscreen document, as a crash of its process would."""
    await desk.panel.evaluate("chrome.offscreen.closeDocument()")
