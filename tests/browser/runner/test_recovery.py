"""The runner in a real Chromium: one task from goal to result, whatever dies on the way."""

import pytest
from fastapi.responses import JSONResponse
from playwright.async_api import expect

from tests.browser.desk import Desk, kill_runner
from tests.browser.runner_backend import act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_cut_stream_is_repeated_with_the_same_request(desk: Desk) -> None:
    desk.backend.script(lambda b: done())
    desk.backend.cut = 1
    desk.backend.refuse.append(JSONResponse({"code": "TASK_BUSY"}, 409, {"Retry-After": "1"}))
    await desk.run("Anything")
    await desk.state("completed")

    assert len(desk.backend.raw) == 3
    assert len(set(desk.backend.raw)) == 1


async def test_a_reloaded_page_is_taken_up_again_and_a_new_panel_shows_the_run(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done("Saved"),
    )
    desk.backend.hold.clear()
    await desk.run("Save Jas")
    await until(lambda: len(desk.backend.raw) == 1)
    await desk.tab.reload()
    await desk.panel.close()
    desk.backend.hold.set()
    await until(lambda: len(desk.backend.bodies) == 4)
    desk.panel = await desk.browser.open_panel(desk.tab)
    await desk.state("completed")

    assert desk.backend.bodies[1]["lastActionStatus"] == "failure", "its ids are of the old page"
    assert desk.backend.saved == ["Jas"]
    await expect(desk.panel.get_by_test_id("timeline-step")).to_have_count(3)
    await expect(desk.panel.get_by_test_id("result")).to_have_text("Saved")


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
    await elsewhere.evaluate("chrome.offscreen.closeDocument()")

    await until(lambda: len(desk.backend.bodies) == 2)
    assert desk.backend.bodies[1]["lastActionStatus"] == "unknown"
    await elsewhere.close()


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


async def test_after_stop_nothing_more_of_a_chain_is_done(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(
            ("click", {"id": node(b, "Save")}),
            ("wait", {"ms": 1_000}),
            ("click", {"id": node(b, "Other page")}),
        ),
    )
    await desk.run("Save, then look elsewhere")
    await until(lambda: len(desk.backend.saved) == 1)
    await desk.panel.get_by_test_id("stop-button").click()
    await desk.state("interrupted")
    await until(lambda: len(desk.backend.cancelled) == 1)

    await desk.panel.wait_for_timeout(
        1_200
    )  # past the wait that was stopped: nothing may follow it
    assert desk.tab.url.endswith("/page")
    assert len(desk.backend.raw) == 1
    assert desk.backend.saved == [""]


async def test_stopped_while_the_server_thinks_its_answer_is_not_carried_out(desk: Desk) -> None:
    desk.backend.script(lambda b: act(("click", {"id": node(b, "Save")})))
    desk.backend.hold.clear()
    await desk.run("Save")
    await until(lambda: len(desk.backend.raw) == 1)
    await desk.panel.get_by_test_id("stop-button").click()
    await desk.state("interrupted")
    desk.backend.hold.set()

    await desk.panel.wait_for_timeout(300)  # an answer that were taken would be acted on by now
    assert desk.backend.saved == []


async def test_a_tab_moved_to_another_window_keeps_its_run_and_its_memory(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("wait", {"ms": 300})),
        lambda b: act(("click", {"id": node(b, "Save")})),
        lambda b: done(),
    )
    desk.backend.hold.clear()
    await desk.run("Wait, then save")
    await until(lambda: len(desk.backend.raw) == 1)
    await desk.panel.evaluate("id => chrome.windows.create({tabId: id})", desk.tab_id)
    desk.backend.hold.set()
    await until(lambda: len(desk.backend.bodies) == 1)
    desk.backend.hold.clear()
    await until(lambda: len(desk.backend.raw) == 2)
    kept = await desk.panel.evaluate("id => chrome.tabs.get(id)", desk.tab_id)
    assert kept["autoDiscardable"] is False
    desk.backend.hold.set()
    await desk.state("completed")

    assert desk.backend.saved == [""]
    again = "id => chrome.tabs.get(id).then(tab => tab.autoDiscardable)"
    await until(lambda: desk.panel.evaluate(again, desk.tab_id))
