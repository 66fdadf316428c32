"""How long a page is waited for after an action: as long as it works on it, and no longer."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from app.cli.browser import Browser
from tests.browser.desk import Places
from tests.browser.runner_backend import Backend, act, done, node
from tests.browser.settling_pages import Slow, slow_server

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BUSY_MS = 3_500  # what a machine under load may add to a wait of 500 ms; less than the longest wait


@dataclass
class Site:
    """A tab of a browser with the extension, the backend it talks to, and the slow server's pages."""

    places: Places
    backend: Backend
    slow: Slow

    async def panel(self, name: str) -> Page:
        """The panel of the tab, which shows this page."""
        return (await self.places.at(f"{self.slow.url}/{name}")).panel

    async def click(self, panel: Page, *names: str) -> list[dict[str, Any]]:
        """Clicks these one after the other; the requests that reported it."""
        self.backend.script(*[lambda b, n=n: act(("click", {"id": node(b, n)})) for n in names])
        self.backend.steps.append(lambda b: done())
        await run(panel, f"Click {names}")
        await ended(panel)
        return self.backend.bodies[1:]


async def run(panel: Page, goal: str) -> None:
    await panel.get_by_test_id("goal-input").fill(goal)
    await panel.get_by_test_id("goal-input").press("Enter")


async def ended(panel: Page) -> None:
    status = panel.get_by_test_id("status")
    await expect(status).to_have_attribute("data-state", "completed", timeout=30_000)


def names(body: dict[str, Any]) -> set[str]:
    return {n.get("n", "") for n in body["interactiveTree"]}


def waited(body: dict[str, Any]) -> dict[str, Any]:
    settle: dict[str, Any] = body["clientObservations"]["settle"]
    return settle


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def site(places: Places, backend: Backend) -> AsyncIterator[Site]:
    async with slow_server() as slow:
        yield Site(places, backend, slow)


async def test_a_slow_save_is_waited_for_and_a_still_page_is_not(site: Site) -> None:
    panel = await site.panel("save")
    (saved,) = await site.click(panel, "Save")
    assert "Saved entry" in names(saved)
    assert saved["clientObservations"]["didNetworkOccur"] is True
    assert waited(saved)["ms"] >= 1_000 * site.slow.slow_s
    assert waited(saved)["network"] > 500
    assert not waited(saved)["timedOut"]

    panel = await site.panel("still")
    bodies = await site.click(panel, "Nothing", "Nothing", "Nothing")
    assert min(waited(body)["ms"] for body in bodies) >= 500
    assert min(waited(body)["ms"] for body in bodies) < BUSY_MS
    assert not any(body["clientObservations"]["didNetworkOccur"] for body in bodies)


async def test_polls_and_event_streams_hold_up_at_most_one_step(site: Site) -> None:
    panel = await site.panel("polls")
    bodies = await site.click(panel, "Nothing", "Nothing")
    late = [waited(body) for body in bodies[1:]]
    assert max(wait["ms"] for wait in late) < BUSY_MS
    assert not any(wait["timedOut"] for wait in late)
    assert bodies[-1]["clientObservations"]["didNetworkOccur"] is False

    panel = await site.panel("stream-page")
    (body,) = await site.click(panel, "Listen")
    assert waited(body)["ms"] < BUSY_MS
    assert not waited(body)["timedOut"]
    assert body["clientObservations"]["didNetworkOccur"] is True


@pytest.mark.parametrize("name", ["ticker", "drawn-250"])
async def test_what_changes_by_itself_is_no_effect_and_holds_nothing_up(
    site: Site, name: str
) -> None:
    panel = await site.panel(name)
    site.backend.script(
        lambda b: act(("wait", {"ms": 1})),
        lambda b: act(("click", {"id": node(b, "More")})),
        lambda b: done(),
    )
    await run(panel, "Wait, then open more")
    await ended(panel)
    _, _, opened = site.backend.bodies
    assert "Late one" in names(opened)
    assert waited(opened)["ms"] < BUSY_MS
    assert not waited(opened)["timedOut"]


async def test_a_page_left_late_for_a_slow_one_is_seen_where_it_lands(site: Site) -> None:
    panel = await site.panel("late")
    (body,) = await site.click(panel, "Go")
    assert body["url"].endswith("/slow-page")
    assert "Landed here" in names(body)
    assert body["clientObservations"]["didUrlChange"] is True


async def test_what_opens_a_menu_is_given_a_second(site: Site) -> None:
    panel = await site.panel("menu")
    (body,) = await site.click(panel, "More")
    assert "Entry" in names(body)
    assert waited(body)["ms"] >= 1_000


async def test_a_tab_is_not_held_up_by_what_another_one_does(site: Site, browser: Browser) -> None:
    busy = await site.panel("save")
    other = await browser.context.new_page()
    await other.goto(f"{site.slow.url}/still")
    still = await browser.open_panel(other)
    site.backend.script(*[_click_what_there_is] * 2, lambda b: done(), lambda b: done())
    await asyncio.gather(run(busy, "Save"), run(still, "Nothing"))
    await asyncio.gather(ended(busy), ended(still))
    by_page = {body["pageTitle"]: body for body in site.backend.bodies if "lastActionId" in body}
    assert waited(by_page["Save"])["ms"] >= 1_000 * site.slow.slow_s
    assert waited(by_page["Still"])["network"] < 500
    assert by_page["Still"]["clientObservations"]["didNetworkOccur"] is False


def _click_what_there_is(body: dict[str, Any]) -> dict[str, Any]:
    return act(("click", {"id": node(body, "Save" if "Save" in names(body) else "Nothing")}))
