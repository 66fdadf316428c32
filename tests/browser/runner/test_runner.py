"""The runner in a real Chromium: what the person, the page and the backend see of a task."""

import pytest
from fastapi.responses import JSONResponse
from playwright.async_api import expect

from tests.browser.desk import Desk
from tests.browser.runner_backend import act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


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


async def test_a_chain_stops_where_it_fails_and_keeps_its_pauses(desk: Desk) -> None:
    times = "window.at = []; addEventListener('click', () => at.push(performance.now()), true)"
    await desk.tab.evaluate(times)
    desk.backend.script(
        lambda b: act(
            ("setValue", {"id": node(b, "Name"), "text": "Jas"}),
            ("click", {"id": "9999"}),
            ("click", {"id": node(b, "Save")}),
        ),
        lambda b: act(
            ("click", {"id": node(b, "Save")}),
            ("wait", {"ms": 700}),
            ("click", {"id": node(b, "Save")}),
        ),
        lambda b: done(),
    )
    await desk.run("Save Jas, then again, with a pause")
    await desk.state("completed")

    _, failed, paused = desk.backend.bodies
    assert failed["lastActionId"] == "a1-1"
    assert failed["lastActionStatus"] == "failure"
    assert failed["lastActionError"]["code"] == "ELEMENT_NOT_FOUND"
    assert failed["lastExecutedActionIndex"] == 0
    assert failed["chainPartialState"]["totalActionsInChain"] == 3

    assert paused["lastExecutedActionIndex"] == 2, "the server is not asked during the pause"
    first, second = await desk.tab.evaluate("at.slice(-2)")
    assert second - first >= 700
    assert desk.backend.saved == ["Jas", "Jas"]


async def test_pages_are_left_and_ids_are_never_used_again(desk: Desk) -> None:
    desk.backend.script(
        lambda b: act(("click", {"id": node(b, "Other page")})),
        lambda b: act(("goBack", {})),
        lambda b: act(("navigate", {"url": f"{desk.backend.url}/other"})),
        lambda b: act(("navigate", {"url": "file:///etc/passwd"})),
        lambda b: done(),
    )
    await desk.run("Look at the other page")
    await desk.state("completed")

    first, clicked, back, gone_to, refused = desk.backend.bodies
    places = [body["url"].rpartition("/")[2] for body in desk.backend.bodies]
    assert places == ["page", "other", "page", "other", "other"]
    assert clicked["lastActionStatus"] == "success"
    assert clicked["clientObservations"]["didUrlChange"] is True
    assert gone_to["lastActionStatus"] == "success"
    assert refused["lastActionError"]["code"] == "INVALID_URL"
    ids = [{n["i"] for n in body["interactiveTree"]} for body in (first, clicked, back, gone_to)]
    assert not ids[0] & ids[1]
    assert not ids[2] & ids[3]


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
    await expect(options.get_by_test_id("said")).to_contain_text("this API key is not valid")
    await options.get_by_test_id("api-key").fill("key")
    await options.get_by_test_id("test-connection").click()
    await expect(options.get_by_test_id("said")).to_contain_text("accepts the key")

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
    ]
    await until(lambda: desk.backend.cancelled == [desk.backend.bodies[1]["taskId"]])
    await expect(desk.panel.get_by_test_id("assist")).to_be_hidden()
