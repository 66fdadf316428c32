"""A task that lost its tab, or its browser, is offered where its page is shown again."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.browser.cdp import Protocol, Tab, raw_chromium
from tests.browser.desk import ORIGIN, Desk, opened_desk
from tests.browser.runner_backend import act, done, node, serving, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def test_a_task_whose_tab_was_closed_goes_on_in_another(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("click", {"id": node(b, "Save")}), ("wait", {"ms": 20_000})),
        lambda b: done("Seen to be saved"),
    )
    await desk.run("Save and wait")
    await until(lambda: bool(desk.backend.saved))
    await expect(desk.panel.get_by_test_id("timeline-step").first).to_contain_text("click")

    async def waiting() -> bool:
        run = (await desk.stored()).get(f"run_{desk.tab_id}", {})
        return bool((run.get("chain") or {}).get("intent") == "a1-1")

    await until(waiting)
    await desk.tab.close()
    await desk.state("interrupted")
    other = await opened_desk(desk.browser, desk.backend)
    await other.state("interrupted")
    await expect(other.panel.get_by_text("The tab was closed while")).to_be_visible()
    await other.panel.get_by_role("button", name="Continue").click()
    await other.state("completed")

    report = desk.backend.bodies[1]
    assert report["taskId"] == desk.backend.cancelled[0]
    assert (report["lastActionId"], report["lastActionStatus"]) == ("a1-1", "unknown")
    assert desk.backend.saved == [""]
    await other.close()


async def test_an_offer_that_is_dismissed_is_gone(desk: Desk) -> None:
    desk.backend.script(lambda b: act(("wait", {"ms": 20_000})))
    await desk.run("Wait")
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(1)
    await desk.tab.close()
    other = await opened_desk(desk.browser, desk.backend)
    await other.panel.get_by_role("button", name="Dismiss").click()
    await other.state("idle")
    await other.close()
    again = await opened_desk(desk.browser, desk.backend)
    await again.state("idle")
    await expect(again.panel.get_by_role("button", name="Dismiss")).to_have_count(0)
    await again.close()


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
