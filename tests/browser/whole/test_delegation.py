"""Another assistant asks for a task: the person says yes or no to it, and the one browser carries it out."""

from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.browser.panel_delegations import GOAL, HOSTILE_GOAL, HOSTILE_NAME, asked
from tests.browser.panel_stage import Stage
from tests.browser.panel_states import BY_NAME
from tests.browser.runner_backend import act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LATER = "https://clinic.example/patients"


async def shown(stage: Stage, *rows: dict[str, Any]) -> Page:
    """The empty panel, while these are asked for."""
    panel = await stage.show(BY_NAME["empty"])
    stage.backend.script(lambda b: done("Added Jas."))
    stage.outside.put(*rows)
    if any(row["status"] == "waiting" for row in rows):
        await expect(panel.get_by_test_id("delegation")).to_be_visible()
    return panel


async def pressed(panel: Page, name: str) -> None:
    button = panel.get_by_test_id(f"delegation-{name}")
    await expect(button).not_to_have_attribute("aria-disabled", "true")
    await button.click()


async def state(panel: Page, word: str) -> None:
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", word)


async def test_what_is_allowed_is_done_as_if_the_person_had_said_it(stage: Stage) -> None:
    panel = await shown(stage, asked(1))
    card = panel.get_by_test_id("delegation")
    await expect(card.get_by_role("heading")).to_have_text(
        "“Claude Desktop” wants to do this here:"
    )
    await expect(card).to_contain_text(GOAL)
    await expect(card).to_contain_text(f"{stage.backend.url.removeprefix('http://')}, in this tab")
    stage.backend.script(
        lambda b: act(("click", {"id": node(b, "Save")})), lambda b: done("Added Jas.")
    )
    await pressed(panel, "allow")
    await state(panel, "completed")
    assert [deed[:2] for deed in stage.outside.deeds] == [("g1", "allow"), ("g1", "take")]
    assert stage.outside.deeds[0][2] == {"remember": False}
    first, second = stage.backend.bodies
    assert (first["delegationId"], first["query"]) == ("g1", GOAL)
    assert "delegationId" not in second
    await expect(panel.get_by_test_id("asked-by")).to_have_text("Asked by Claude Desktop")
    await expect(card).to_be_hidden()
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()


async def test_nothing_is_allowed_by_accident_and_it_is_told_once(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["empty"])
    stage.backend.script()
    told = """() => { window.told = 0; new MutationObserver(() => window.told++)
      .observe(document.getElementById("announce-delegation"), {childList: true}) }"""
    await panel.evaluate(told)
    stage.outside.put(asked(1))
    await expect(panel.locator("#announce-delegation")).to_contain_text("wants to do this here")
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()
    await panel.keyboard.press("Enter")
    await panel.get_by_test_id("delegation").focus()
    for key in ("Enter", "Space", "1", "y"):
        await panel.keyboard.press(key)
    stage.outside.ring()
    await panel.keyboard.press("ArrowRight")
    await expect(panel.get_by_test_id("delegation-allow")).to_be_focused()
    await panel.keyboard.press("ArrowRight")
    await expect(panel.get_by_test_id("delegation-refuse")).to_be_focused()
    assert stage.outside.deeds == []
    assert await panel.evaluate("window.told") == 1
    await expect(panel.get_by_test_id("delegation-refuse")).not_to_have_attribute(
        "aria-disabled", "true"
    )
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("delegation")).to_be_hidden()
    assert [deed[1] for deed in stage.outside.deeds] == ["refuse"]
    assert stage.backend.bodies == []


async def test_words_of_a_stranger_stay_words(stage: Stage) -> None:
    panel = await shown(stage, asked(1, HOSTILE_NAME, HOSTILE_GOAL))
    card = panel.get_by_test_id("delegation")
    assert await card.locator("img, b, script").count() == 0
    name = await card.locator(".client").inner_text()
    assert len(name) <= 60
    assert "\n" not in name
    whole = await card.inner_text()
    assert not set("\u202e\u2066") & set(whole)
    assert "w" * 400 in whole


async def test_a_client_that_is_let_asks_no_more_and_is_taken_back(stage: Stage) -> None:
    panel = await shown(stage, asked(1))
    await pressed(panel, "always")
    await state(panel, "completed")
    assert stage.outside.deeds[0] == ("g1", "allow", {"remember": True})
    options = await stage.show(BY_NAME["settings"])
    await options.get_by_role("button", name="Revoke access: Claude Desktop").click()
    await expect(
        options.get_by_text("“Claude Desktop” must ask again from now on.")
    ).to_be_visible()
    await expect(options.get_by_test_id("client")).to_have_count(1)


async def test_what_another_browser_has_is_not_done_here(stage: Stage) -> None:
    panel = await shown(stage, asked(1), asked(2))
    await expect(panel.get_by_test_id("delegation")).to_contain_text("1 of 2")
    stage.outside.refuses = "take"
    await pressed(panel, "allow")
    await expect(panel.get_by_test_id("delegation")).not_to_contain_text("1 of 2")
    await until(lambda: stage.outside.late == [("g1", "take")])
    stage.outside.refuses = "allow"
    await pressed(panel, "allow")
    await expect(panel.get_by_test_id("delegation-said")).to_have_text("This task is taken already")
    assert stage.backend.bodies == []


async def test_it_waits_until_the_tab_is_free(stage: Stage) -> None:
    panel = await shown(stage)
    stage.backend.hold.clear()
    await panel.get_by_test_id("goal-input").fill("Save it")
    await panel.keyboard.press("Enter")
    await state(panel, "running")
    stage.outside.put(asked(1))
    await pressed(panel, "allow")
    await expect(panel.get_by_test_id("delegation")).to_be_hidden()
    assert [deed[1] for deed in stage.outside.deeds] == ["allow"]
    stage.backend.steps.append(lambda b: done("Added Jas too."))
    stage.backend.hold.set()
    await expect(panel.get_by_test_id("result")).to_have_text("Added Jas too.")
    assert [body.get("delegationId") for body in stage.backend.bodies] == [None, "g1"]


async def test_what_was_taken_before_the_runner_died_is_begun_once(stage: Stage) -> None:
    panel = await shown(stage)
    stage.outside.put(asked(1, status="taken"))
    await expect(panel.get_by_test_id("result")).to_have_text("Added Jas.")
    await panel.evaluate("chrome.offscreen.closeDocument()")
    stage.outside.rows.append(asked(2))
    stage.outside.ring()
    await expect(panel.get_by_test_id("delegation")).to_be_visible()  # the list was heard again
    await expect(panel.get_by_test_id("asked-by")).to_be_visible()
    assert [deed[:2] for deed in stage.outside.deeds] == [("g1", "take")]
    assert len(stage.backend.bodies) == 1


async def test_a_site_that_is_not_allowed_is_asked_for_or_refused(stage: Stage) -> None:
    panel = await shown(stage)
    stage.outside.put(asked(1, url=LATER, status="allowed"))
    card = panel.get_by_test_id("delegation")
    await expect(card).to_contain_text("may start tasks, but not on this site yet:")
    await expect(panel.get_by_test_id("delegation-grant")).to_have_text("Allow clinic.example")
    assert stage.outside.deeds == []
    await pressed(panel, "give-up")
    await expect(card).to_be_hidden()
    await until(lambda: len(stage.outside.deeds) == 2)
    reason = {"reason": "The person did not allow clinic.example in the browser."}
    assert stage.outside.deeds[1] == ("g1", "failed", reason)


async def test_with_no_panel_an_alarm_finds_it_and_says_so(stage: Stage) -> None:
    page = await stage.show(BY_NAME["settings"])
    url = f"{stage.backend.url}/other"
    stage.backend.script(lambda b: done("Looked."))
    stage.outside.put(asked(1, url=url, status="allowed"), asked(2))
    assert not await page.evaluate("chrome.offscreen.hasDocument()")
    assert (await page.evaluate("chrome.alarms.get('delegations')"))["periodInMinutes"] == 0.5
    await page.evaluate("chrome.alarms.create('delegations', {when: Date.now()})")
    await until(lambda: len(stage.backend.bodies) == 1)
    assert stage.backend.bodies[0]["url"] == url
    await until(
        lambda: page.evaluate("chrome.action.getBadgeText({}).then((text) => text === '1')")
    )
    [opened] = [one for one in stage.browser.context.pages if one.url == url]
    await opened.close()
