"""The runner in a real Chromium: one task from goal to result, whatever dies on the way."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from fastapi.responses import JSONResponse
from playwright.async_api import CDPSession, Page, expect

from app.launch.browser import Browser, open_browser
from app.launch.chromium import find_chromium
from app.launch.extension import EXTENSION_DIR, extension_id, read_manifest
from tests.browser.runner_backend import Backend, act, done, node, serving, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


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
        await expect(status).to_have_attribute("data-state", state, timeout=15_000)

    async def stored(self) -> dict[str, Any]:
        kept: dict[str, Any] = await self.panel.evaluate("chrome.storage.local.get(null)")
        return kept


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def backend() -> AsyncIterator[Backend]:
    origin = f"chrome-extension://{extension_id(read_manifest(EXTENSION_DIR))}"
    async with serving(origin) as up:
        yield up


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(backend: Backend) -> AsyncIterator[Browser]:
    chromium = find_chromium(None).path
    async with open_browser(chromium=chromium, extension=EXTENSION_DIR, headless=True) as opened:
        await opened.configure(backend.url, "key")
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def desk(browser: Browser, backend: Backend) -> AsyncIterator[Desk]:
    tab = await browser.context.new_page()
    await tab.goto(f"{backend.url}/page")
    panel = await browser.open_panel(tab)
    yield Desk(browser, backend, tab, panel, int(panel.url.rpartition("=")[2]))
    await tab.close()
    await panel.close()


async def worker_session(desk: Desk) -> CDPSession:
    """A session that can stop the extension's service worker."""
    session = await desk.browser.context.new_cdp_session(desk.panel)
    await session.send("ServiceWorker.enable")
    return session


async def kill_runner(desk: Desk) -> None:
    """Close the offscreen document, as a crash of its process would."""
    await desk.panel.evaluate("chrome.offscreen.closeDocument()")


async def test_a_goal_typed_in_the_panel_is_carried_out_on_the_page(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(
            ("setValue", {"id": node(b, "Name"), "text": "Jas"}),
            ("setValue", {"id": node(b, "Phone"), "text": "12"}),
        ),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done("Saved Jas"),
    )
    await desk.run("Save Jas")
    await desk.state("completed")

    assert desk.backend.saved == ["Jas"]
    await expect(desk.panel.get_by_test_id("result")).to_have_text("Saved Jas")
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(3)
    await expect(desk.panel.get_by_test_id("usage")).to_contain_text("no model")
    first, second, third = desk.backend.bodies
    assert first["query"] == "Save Jas"
    assert "taskId" not in first
    assert second["lastActionId"] == "a1-1"
    assert second["lastActionStatus"] == "success"
    assert second["lastExecutedActionIndex"] == 1
    assert third["taskId"] == second["taskId"]
    assert third["clientObservations"]["didNetworkOccur"] is True
    kept = (await desk.stored())[f"task_{desk.tab_id}"]
    assert kept["taskId"] == third["taskId"]
    assert set(kept) == {"taskId", "sessionId", "url", "timestamp"}


async def test_a_failed_action_stops_the_chain_and_says_where(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(
            ("setValue", {"id": node(b, "Name"), "text": "Jas"}),
            ("click", {"id": "9999"}),
            ("click", {"id": node(b, "Save")}),
        ),
        lambda b: done(),
    )
    await desk.run("Save Jas")
    await desk.state("completed")

    report = desk.backend.bodies[1]
    assert report["lastActionId"] == "a1-1"
    assert report["lastActionStatus"] == "failure"
    assert report["lastActionError"]["code"] == "ELEMENT_NOT_FOUND"
    assert report["lastExecutedActionIndex"] == 0
    assert report["chainPartialState"]["totalActionsInChain"] == 3
    assert desk.backend.saved == []


async def test_a_click_that_leaves_the_page_counts_and_ids_are_never_used_again(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("click", {"id": node(b, "Other page")})),
        lambda b: act(("goBack", {})),
        lambda b: done(),
    )
    await desk.run("Look at the other page")
    await desk.state("completed")

    first, second, third = desk.backend.bodies
    assert second["lastActionStatus"] == "success"
    assert second["url"].endswith("/other")
    assert second["previousUrl"].endswith("/page")
    assert second["clientObservations"]["didUrlChange"] is True
    assert third["url"].endswith("/page")
    ids = [{n["i"] for n in body["interactiveTree"]} for body in (first, second, third)]
    assert not ids[0] & ids[1]


async def test_a_cut_stream_is_repeated_with_the_same_request(desk: Desk) -> None:
    desk.backend.script(lambda b: done())
    desk.backend.cut = 1
    desk.backend.refuse.append(JSONResponse({"code": "TASK_BUSY"}, 409, {"Retry-After": "1"}))
    await desk.run("Anything")
    await desk.state("completed")

    assert len(desk.backend.raw) == 3
    assert len(set(desk.backend.raw)) == 1


async def test_the_worker_may_be_stopped_in_the_middle(desk: Desk) -> None:
    session = await worker_session(desk)
    desk.backend.script(
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done(),
    )
    desk.backend.hold.clear()
    await desk.run("Save Jas")
    await until(lambda: len(desk.backend.raw) == 1)
    await session.send("ServiceWorker.stopAllWorkers")
    desk.backend.hold.set()
    await until(lambda: len(desk.backend.raw) == 2)
    await session.send("ServiceWorker.stopAllWorkers")
    await desk.state("completed")

    assert desk.backend.saved == ["Jas"]


async def test_a_panel_closed_and_opened_again_shows_the_run_as_it_is(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done("Saved"),
    )
    desk.backend.hold.clear()
    await desk.run("Save Jas")
    await until(lambda: len(desk.backend.raw) == 1)
    await desk.panel.close()
    desk.backend.hold.set()
    await until(lambda: len(desk.backend.bodies) == 3)
    desk.panel = await desk.browser.open_panel(desk.tab)
    await desk.state("completed")

    assert desk.backend.saved == ["Jas"]
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(2)
    await expect(desk.panel.get_by_test_id("result")).to_have_text("Saved")


async def test_a_page_reloaded_in_the_middle_is_taken_up_again(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done(),
    )
    desk.backend.hold.clear()
    await desk.run("Save Jas")
    await until(lambda: len(desk.backend.raw) == 1)
    await desk.tab.reload()
    desk.backend.hold.set()
    await desk.state("completed")

    assert desk.backend.bodies[1]["lastActionStatus"] == "failure"
    assert desk.backend.saved == ["Jas"]


async def test_a_runner_that_died_while_acting_reports_unknown_and_does_not_repeat(
    desk: Desk,
) -> None:
    desk.backend.script(
        lambda b: act(("click", {"id": node(b, "Save")}), ("wait", {"ms": 20_000})),
        lambda b: done(),
    )
    await desk.run("Save and wait")

    async def waiting() -> bool:
        run = (await desk.stored()).get(f"run_{desk.tab_id}", {})
        return bool((run.get("chain") or {}).get("intent") == "a1-1")

    await until(waiting)
    await kill_runner(desk)
    await desk.state("completed")

    report = desk.backend.bodies[1]
    assert (report["lastActionId"], report["lastActionStatus"]) == ("a1-1", "unknown")
    assert report["lastExecutedActionIndex"] == 0
    assert desk.backend.saved == [""]


async def test_a_runner_that_died_with_the_panel_closed_is_started_again(desk: Desk) -> None:
    desk.backend.script(lambda b: act(("wait", {"ms": 20_000})), lambda b: done())
    await desk.run("Wait")
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(1)
    elsewhere = await desk.browser.context.new_page()
    await elsewhere.goto(desk.browser.url("manifest.json"))
    await desk.panel.close()
    assert await elsewhere.evaluate("chrome.alarms.get('watchdog').then(Boolean)")
    await elsewhere.evaluate("chrome.offscreen.closeDocument()")
    await elsewhere.evaluate("chrome.alarms.create('watchdog', {when: Date.now()})")

    await until(lambda: len(desk.backend.bodies) == 2)
    assert desk.backend.bodies[1]["lastActionStatus"] == "unknown"
    await elsewhere.close()


async def test_a_question_is_asked_and_its_answer_goes_back(desk: Desk) -> None:
    question = {
        "type": "interrupt",
        "hitlId": "h1",
        "kind": "disambiguation",
        "interruptType": "element_choice",
        "message": "Which one?",
        "expectedInput": "single_choice",
        "options": [{"id": "1", "label": "The first"}, {"id": "2", "label": "The second"}],
    }
    desk.backend.script(lambda b: dict(question), lambda b: done())
    await desk.run("Press it")
    await desk.state("waiting")
    await expect(desk.panel.get_by_test_id("assist")).to_contain_text("Which one?")
    await desk.panel.get_by_test_id("assist-option").nth(1).click()
    await desk.state("completed")

    answer = {"hitlId": "h1", "type": "element_choice", "value": "2"}
    assert desk.backend.bodies[1]["hitlResponse"] == answer


async def test_escape_stops_and_the_task_can_go_on(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("wait", {"ms": 20_000})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done(),
    )
    await desk.run("Wait, then save")
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(1)
    await desk.panel.keyboard.press("Escape")
    await desk.state("interrupted")
    await until(lambda: len(desk.backend.cancelled) == 1)

    await desk.panel.get_by_role("button", name="Continue").click()
    await desk.state("completed")
    assert desk.backend.bodies[1]["lastActionStatus"] == "unknown"
    assert desk.backend.bodies[1]["taskId"] == desk.backend.cancelled[0]
    assert desk.backend.saved == [""]


async def test_a_closed_tab_ends_its_run(desk: Desk) -> None:
    desk.backend.script(lambda b: act(("wait", {"ms": 20_000})))
    await desk.run("Wait")
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(1)
    await desk.tab.close()
    await desk.state("interrupted")

    await until(lambda: len(desk.backend.cancelled) == 1)
    assert f"task_{desk.tab_id}" not in await desk.stored()


async def test_two_tabs_run_at_once(desk: Desk) -> None:
    tab = await desk.browser.context.new_page()
    await tab.goto(f"{desk.backend.url}/page")
    panel = await desk.browser.open_panel(tab)
    other = Desk(desk.browser, desk.backend, tab, panel, 0)
    desk.backend.script(lambda b: done(b["query"]), lambda b: done(b["query"]))
    desk.backend.hold.clear()
    await desk.run("First")
    await other.run("Second")
    await until(lambda: len(desk.backend.raw) == 2)
    desk.backend.hold.set()
    await desk.state("completed")
    await other.state("completed")
    await expect(desk.panel.get_by_test_id("result")).to_have_text("First")
    await expect(panel.get_by_test_id("result")).to_have_text("Second")
    await tab.close()
    await panel.close()


async def test_tabs_are_opened_switched_and_closed(desk: Desk) -> None:
    other = f"{desk.backend.url}/other"
    desk.backend.script(
        lambda b: act(("openTab", {"url": other})),
        lambda b: act(("closeTab", {})),
        lambda b: act(("navigate", {"url": other})),
        lambda b: act(("navigate", {"url": "file:///etc/passwd"})),
        lambda b: done(),
    )
    before = len(desk.browser.context.pages)
    await desk.run("Look elsewhere")
    await desk.state("completed")

    places = [body["url"].rpartition("/")[2] for body in desk.backend.bodies]
    assert places == ["page", "other", "page", "other", "other"]
    assert desk.backend.bodies[4]["lastActionError"]["code"] == "INVALID_URL"
    assert len(desk.browser.context.pages) == before


async def test_a_site_that_is_not_allowed_waits_for_the_person(desk: Desk) -> None:
    elsewhere = f"{desk.backend.elsewhere}/page"
    desk.backend.script(
        lambda b: act(("navigate", {"url": elsewhere})),
        lambda b: done("Back again"),
    )
    await desk.run("Look elsewhere")
    await desk.state("waiting")
    site = elsewhere.split("/")[2]
    await expect(desk.panel.get_by_role("button", name=f"Allow {site}")).to_be_visible()
    assert len(desk.backend.bodies) == 1

    await desk.tab.goto(f"{desk.backend.url}/other")
    await desk.state("completed")


async def test_a_wrong_key_is_said_with_the_way_to_settings(desk: Desk) -> None:
    desk.backend.script()
    await desk.browser.configure(desk.backend.url, "wrong")
    try:
        await desk.run("Anything")
        await desk.state("failed")
        await expect(desk.panel.get_by_text("does not accept this API key").first).to_be_visible()
        await expect(desk.panel.get_by_role("button", name="Open settings")).to_be_visible()
    finally:
        await desk.browser.configure(desk.backend.url, "key")


async def test_a_refusal_ends_the_run_with_its_words_and_the_box_is_ready(desk: Desk) -> None:
    ended = {"code": "TASK_ENDED", "detail": "This task has ended"}
    desk.backend.script(lambda b: done())
    desk.backend.refuse.append(JSONResponse(ended, 409))
    await desk.run("Anything")
    await desk.state("failed")
    await expect(desk.panel.get_by_test_id("result")).to_have_text("This task has ended")

    await expect(desk.panel.get_by_test_id("goal-input")).to_be_focused()
    await desk.run("Again")
    await desk.state("completed")
    assert "taskId" not in desk.backend.bodies[0]


async def test_settings_are_kept_and_tested(desk: Desk) -> None:
    options = await desk.browser.context.new_page()
    await options.goto(desk.browser.url("options/index.html"))
    await options.get_by_test_id("api-key").fill("wrong")
    await options.get_by_test_id("test-connection").click()
    await expect(options.get_by_test_id("said")).to_contain_text("does not know this key")
    await options.get_by_test_id("api-key").fill("key")
    await options.get_by_test_id("test-connection").click()
    await expect(options.get_by_test_id("said")).to_contain_text("takes the key")

    assert (await desk.stored())["settings"] == {"serverUrl": desk.backend.url, "apiKey": "key"}
    await options.close()


async def test_a_question_can_be_answered_in_words_or_cancelled(desk: Desk) -> None:
    asked = {
        "type": "interrupt",
        "kind": "clarification",
        "interruptType": "text_input",
        "message": "Which phone number?",
        "expectedInput": "free_text",
    }
    desk.backend.script(
        lambda b: {**asked, "hitlId": "h1"},
        lambda b: {**asked, "hitlId": "h2"},
        lambda b: done("Left as it was", "interrupted"),
    )
    await desk.run("Enter the phone number")
    box = desk.panel.get_by_test_id("assist-input")
    await expect(box).to_be_focused()
    await box.fill("555 0100")
    await desk.panel.get_by_test_id("assist-submit").click()
    await until(lambda: len(desk.backend.bodies) == 2)
    await desk.state("waiting")
    await desk.panel.get_by_test_id("assist-cancel").click()
    await desk.state("interrupted")

    answers = [body.get("hitlResponse") for body in desk.backend.bodies]
    assert answers == [
        None,
        {"hitlId": "h1", "type": "text_input", "value": "555 0100"},
        {"hitlId": "h2", "type": "cancel", "value": None},
    ]
    await expect(desk.panel.get_by_test_id("assist")).to_be_hidden()
