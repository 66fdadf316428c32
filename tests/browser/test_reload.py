"""The extension is reloaded under a run: what is sure goes on by itself, what is not is asked."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Error, expect

from app.launch.browser import Browser
from tests.browser.desk import Desk, opened_desk
from tests.browser.runner_backend import Backend, act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

DEVELOPER = "chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})"


@pytest_asyncio.fixture(loop_scope="module", scope="module", autouse=True)
async def developer(browser: Browser) -> None:
    """Without developer mode Chromium keeps an unpacked extension off once it is reloaded."""
    page = await browser.context.new_page()
    await page.goto("chrome://extensions")
    await page.evaluate(DEVELOPER)
    await page.close()


@pytest_asyncio.fixture(loop_scope="module")
async def desk(browser: Browser, backend: Backend) -> AsyncIterator[Desk]:
    made = await opened_desk(browser, backend)
    yield made
    await made.close()


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


async def test_a_run_with_an_action_in_doubt_asks_and_never_repeats_it(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("click", {"id": node(b, "Save")}), ("wait", {"ms": 20_000})),
        lambda b: done("Found it saved"),
    )
    await desk.run("Save and wait")
    await until(lambda: bool(desk.backend.saved))

    async def waiting() -> bool:
        run = (await desk.stored()).get(f"run_{desk.tab_id}", {})
        return bool((run.get("chain") or {}).get("intent") == "a1-1")

    await until(waiting)
    await reload_extension(desk)
    await reopen(desk)
    await desk.state("interrupted")
    await expect(desk.panel.get_by_text("“Save and wait” was under way")).to_be_visible()
    assert len(desk.backend.bodies) == 1
    await desk.panel.get_by_role("button", name="Continue").click()
    await desk.state("completed")

    report = desk.backend.bodies[1]
    assert (report["lastActionId"], report["lastActionStatus"]) == ("a1-1", "unknown")
    assert desk.backend.saved == [""]


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
    quiet = "__tabwright.watch.quiet().domQuietMs"
    before = await worlds.value(old, quiet)
    await desk.tab.evaluate("document.body.append('new')")
    assert await worlds.value(old, quiet) >= before
