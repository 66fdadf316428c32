"""A run that lost its extension, tab or browser: what is sure goes on by itself, the rest is offered."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Error, expect

from app.cli.browser import EXTENSION_DIR, Browser, open_browser
from app.cli.chromium import find_chromium
from tests.browser.cdp import Protocol, Tab, raw_chromium
from tests.browser.desk import ORIGIN, Desk, opened_desk
from tests.browser.runner_backend import Backend, act, done, node, serving, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DEVELOPER = "chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})"


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def browser(backend: Backend) -> AsyncIterator[Browser]:
    """One of its own, since its extension is reloaded."""
    async with open_browser(
        chromium=find_chromium(None).path, extension=EXTENSION_DIR, headless=True
    ) as opened:
        await opened.configure(backend.url, "key")
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def developer(browser: Browser) -> None:
    """Without developer mode Chromium keeps an unpacked extension off once it is reloaded."""
    page = await browser.context.new_page()
    await page.goto("chrome://extensions")
    await page.evaluate(DEVELOPER)
    await page.close()


async def reload_extension(desk: Desk) -> None:
    """As an update does: the worker, the runner and the panel, a page of the extension, go."""
    async with desk.panel.expect_event("close"):
        await desk.panel.evaluate("setTimeout(() => chrome.runtime.reload())")


async def reopen(desk: Desk) -> None:
    """The panel, as soon as the extension is back."""
    desk.panel = await desk.browser.context.new_page()
    address = desk.browser.url(f"panel/index.html?tabId={desk.tab_id}")

    async def there() -> bool:
        try:
            await desk.panel.goto(address)
        except Error:
            return False
        return True

    await until(there)


async def saved_and_waiting(desk: Desk) -> None:
    """The page's own server has it, and the second action is under way."""
    await until(lambda: bool(desk.backend.saved))

    async def waiting() -> bool:
        run = (await desk.stored()).get(f"run_{desk.tab_id}", {})
        return bool((run.get("chain") or {}).get("intent") == "a1-1")

    await until(waiting)


class Worlds:
    """The worlds of the page's scripts, as the debugger lists them."""

    def __init__(self) -> None:
        self.ids: list[int] = []

    async def follow(self, desk: Desk) -> None:
        self.session = await desk.browser.context.new_cdp_session(desk.tab)
        self.session.on("Runtime.executionContextCreated", self._created)
        await self.session.send("Runtime.enable")

    def _created(self, event: dict[str, Any]) -> None:
        if event["context"]["name"] == "Tabwright":
            self.ids.append(event["context"]["id"])

    async def value(self, world: int, expression: str) -> Any:
        asked = {"contextId": world, "expression": expression, "returnByValue": True}
        return (await self.session.send("Runtime.evaluate", asked))["result"].get("value")


@pytest.mark.usefixtures("developer")
async def test_a_run_that_waits_for_an_answer_goes_on_by_itself(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done("Saved"),
    )
    desk.backend.hold.clear()
    await desk.run("Save Jas")
    await until(lambda: len(desk.backend.raw) == 1)
    await reload_extension(desk)
    await until(lambda: len(desk.backend.raw) == 2)
    desk.backend.hold.set()
    await until(lambda: len(desk.backend.bodies) == 4)
    await reopen(desk)
    await desk.state("completed")

    assert desk.backend.raw[0] == desk.backend.raw[1]
    # Its ids are those of the script that is gone: refused, and looked at afresh.
    assert desk.backend.bodies[1]["lastActionStatus"] == "failure"
    assert desk.backend.saved == ["Jas"]


@pytest.mark.usefixtures("developer")
async def test_a_run_with_an_action_in_doubt_asks_and_never_repeats_it(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("click", {"id": node(b, "Save")}), ("wait", {"ms": 20_000})),
        lambda b: done("Found it saved"),
    )
    await desk.run("Save and wait")
    await saved_and_waiting(desk)
    await reload_extension(desk)
    await reopen(desk)
    await desk.state("interrupted")
    await expect(desk.panel.get_by_text("while “Save and wait” was running")).to_be_visible()
    assert len(desk.backend.bodies) == 1
    await desk.panel.get_by_role("button", name="Continue").click()
    await desk.state("completed")

    report = desk.backend.bodies[1]
    assert (report["lastActionId"], report["lastActionStatus"]) == ("a1-1", "unknown")
    assert desk.backend.saved == [""]


@pytest.mark.usefixtures("developer")
async def test_the_old_page_script_falls_silent_and_the_new_one_works_beside_it(desk: Desk) -> None:
    worlds = Worlds()
    await worlds.follow(desk)
    desk.backend.script(lambda b: done(), lambda b: done("Seen again"))
    await desk.run("Look")
    await desk.state("completed")
    (old,) = worlds.ids
    watching = "(__tabwright.outline([new DOMRect(0, 0, 9, 9)], 1e9), __tabwright.port !== null)"
    assert await worlds.value(old, watching)
    await reload_extension(desk)

    silent = "__tabwright.port === null && !__tabwright.overlay.isConnected"
    await until(lambda: worlds.value(old, silent))
    await reopen(desk)
    await desk.run("Look again")
    await desk.state("completed")
    await expect(desk.panel.get_by_test_id("result")).to_have_text("Seen again")
    assert len(worlds.ids) == 2
    quiet = "__tabwright.activity.quiet().domQuietMs"
    before = await worlds.value(old, quiet)
    await desk.tab.evaluate("document.body.append('new')")
    assert await worlds.value(old, quiet) >= before


async def test_a_task_whose_tab_was_closed_is_offered_where_its_page_is_shown(desk: Desk) -> None:
    desk.backend.script(lambda b: act(("wait", {"ms": 20_000})))
    await desk.run("Wait")
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(1)
    await desk.tab.close()
    await desk.state("interrupted")
    other = await opened_desk(desk.browser, desk.backend)
    await other.state("interrupted")
    await other.panel.get_by_role("button", name="Dismiss").click()
    await other.state("idle")
    await other.panel.reload()
    await expect(other.panel.get_by_test_id("site")).not_to_have_text("No page")
    await other.state("idle")
    await expect(other.panel.get_by_role("button", name="Dismiss")).to_have_count(0)
    assert not [key for key in await other.stored() if key.startswith("lost_")]

    other.backend.script(
        lambda b: act(("click", {"id": node(b, "Save")}), ("wait", {"ms": 20_000})),
        lambda b: done("Seen to be saved"),
    )
    await other.run("Save and wait")
    await saved_and_waiting(other)
    await other.tab.close()
    await other.state("interrupted")
    third = await opened_desk(desk.browser, desk.backend)
    await third.state("interrupted")
    offer = third.panel.get_by_text("The tab was closed while “Save and wait”")
    await expect(offer).to_be_visible()
    await third.panel.get_by_role("button", name="Continue").click()
    await third.state("completed")

    report = desk.backend.bodies[1]
    assert report["taskId"] == desk.backend.cancelled[0]
    assert (report["lastActionId"], report["lastActionStatus"]) == ("a1-1", "unknown")
    assert desk.backend.saved == [""]


async def panel_of(protocol: Protocol, url: str) -> Tab:
    """A panel for the tab that shows this address."""
    probe = await protocol.open(f"{ORIGIN}/manifest.json")
    find = f"chrome.tabs.query({{url: '{url}'}}).then(([tab]) => tab.id)"
    number = await probe.value(find)
    panel = await protocol.open(f"{ORIGIN}/panel/index.html?tabId={number}")
    await until(lambda: panel.value("document.getElementById('status').textContent !== ''"))
    return panel


async def test_after_the_browser_was_restarted_the_run_is_offered(tmp_path: Path) -> None:
    async with serving(ORIGIN) as backend:
        page = f"{backend.url}/page"
        backend.script(lambda b: act(("wait", {"ms": 60_000})), lambda b: done("Went on"))
        async with raw_chromium(tmp_path) as (protocol, _):
            probe = await protocol.open(f"{ORIGIN}/manifest.json")
            settings = f"{{settings: {{serverUrl: '{backend.url}', apiKey: 'key'}}}}"
            await probe.value(f"chrome.storage.local.set({settings})")
            await protocol.open(page)
            panel = await panel_of(protocol, page)
            await panel.value(
                "document.getElementById('goal-input').value = 'Wait for it',"
                "document.getElementById('ask').requestSubmit()"
            )
            acting = "chrome.storage.local.get(null).then(JSON.stringify)"
            await until(lambda: _has(panel, acting, '"intent":"a1-0"'))
        async with raw_chromium(tmp_path) as (protocol, _):
            await protocol.open(page)
            panel = await panel_of(protocol, page)
            said = "document.getElementById('notice').innerText"
            await until(lambda: _has(panel, said, "was closed while “Wait for it”"))
            await panel.value("document.querySelector('#notice button').click()")
            await until(lambda: len(backend.bodies) == 2)
        report = backend.bodies[1]
        assert (report["lastActionId"], report["lastActionStatus"]) == ("a1-0", "unknown")
        assert report["taskId"] == f"task-{backend.bodies[0]['requestId']}"


async def _has(tab: Tab, expression: str, part: str) -> bool:
    return part in (await tab.value(expression) or "")
