"""The panel as a person uses it: by keyboard alone, with its earlier sessions, sites and pairing."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.panel_questions import question
from tests.browser.panel_stage import Stage
from tests.browser.panel_states import BY_NAME
from tests.browser.runner_backend import act, done, node, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def focused(panel: Page) -> str:
    """The name of what has the focus."""
    name: str = await panel.evaluate(
        """() => { const at = document.activeElement;
          return at.dataset.testid || at.ariaLabel || at.textContent.trim(); }"""
    )
    return name


async def test_a_goal_is_run_and_stopped_with_the_keys_alone(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["empty"])
    assert await focused(panel) == "goal-input"
    stage.backend.script(
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})), lambda b: done()
    )
    stage.backend.hold.clear()
    await panel.keyboard.type("Save Jas")
    await panel.keyboard.press("Enter")
    status = panel.get_by_test_id("status")
    await expect(status).to_have_attribute("data-state", "running")
    await until(lambda: len(stage.backend.raw) == 1)
    await panel.keyboard.press("Escape")
    await expect(status).to_have_attribute("data-state", "interrupted")
    await expect(panel.get_by_role("button", name="Continue")).to_be_visible()
    stage.backend.hold.set()


async def test_what_is_written_while_a_site_is_asked_for_is_kept(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["permission"])
    stage.backend.script()
    await panel.evaluate(
        """() => { chrome.permissions.request = () =>
          new Promise((resolve) => { window.decide = () => resolve(false); }); }"""
    )
    goal = panel.get_by_test_id("goal-input")
    await goal.fill("Save Jas")
    await panel.keyboard.press("Enter")
    await until(lambda: panel.evaluate("'decide' in window"))
    await panel.keyboard.type("and then")
    await panel.evaluate("decide()")
    await expect(panel.get_by_test_id("status")).not_to_have_attribute("data-state", "idle")
    await expect(goal).to_have_value("and then")


async def test_steps_and_questions_are_spoken_once(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["empty"])
    await panel.evaluate(
        """() => { window.said = [];
          const told = () => said.push(...[...announce.children].map((line) => line.textContent));
          new MutationObserver(told).observe(announce, {childList: true}); }"""
    )
    stage.backend.script(
        lambda b: act(("setValue", {"id": node(b, "Name"), "text": "Jas"})),
        lambda b: question("clarification", "free_text", "Which phone?"),
        lambda b: done("Saved"),
    )
    await panel.get_by_test_id("goal-input").fill("Save Jas")
    await panel.keyboard.press("Enter")
    await panel.get_by_test_id("assist-input").fill("12")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", "completed")
    said = await panel.evaluate("window.said")
    assert len([one for one in said if one.startswith("setValue")]) == 1
    assert said.count("Question: Which phone?") == 1
    assert said[-1] == "Done. Saved"


async def test_details_open_by_key_and_stay_open_and_in_sight_while_steps_come(
    stage: Stage,
) -> None:
    panel = await stage.show(BY_NAME["plan-and-timeline"])
    first = panel.get_by_test_id("timeline-step").first
    await first.locator("summary").focus()
    await panel.keyboard.press("Enter")
    details = first.locator("dl")
    await expect(details).to_contain_text("The form is behind this button.")
    await expect(details).to_contain_text("after 640 ms")
    await stage.publish(BY_NAME["many-steps"])
    await expect(panel.get_by_test_id("timeline-step")).to_have_count(200)
    await expect(panel.get_by_test_id("timeline-step").first.locator("dl")).to_be_visible()
    assert await panel.locator("#scroll").evaluate("box => box.scrollTop") == 0


async def test_earlier_sessions_are_read_a_page_at_a_time_and_gone_on_with(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["history"])
    rows = panel.get_by_test_id("session")
    await expect(rows).to_have_count(3)
    await expect(rows.first).to_contain_text("Done1 task4 min ago")
    assert await rows.first.locator("time").get_attribute("title")
    await panel.get_by_test_id("more-sessions").press("Enter")
    await expect(rows).to_have_count(4)
    await expect(rows.nth(3)).to_be_focused()
    await expect(panel.get_by_test_id("more-sessions")).to_be_hidden()

    await rows.nth(1).press("Enter")
    await expect(panel.get_by_test_id("talk")).to_contain_text("Added Jas as patient 4711.")
    await panel.get_by_test_id("session-steps").first.locator("summary").press("Enter")
    await expect(panel.get_by_test_id("session-steps").first).to_contain_text("Steps · Done")
    await expect(panel.get_by_test_id("talk").get_by_test_id("timeline-step")).to_have_count(3)

    await panel.get_by_test_id("continue-session").press("Enter")
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()
    assert await panel.evaluate("chrome.storage.local.get('sessionId')") == {"sessionId": "s1"}
    stage.backend.script(lambda b: done())
    await panel.keyboard.type("And now")
    await panel.keyboard.press("Enter")
    await until(lambda: len(stage.backend.bodies) == 1)
    assert stage.backend.bodies[0]["sessionId"] == "s1"


async def test_a_new_session_puts_the_old_run_away(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["completed"])
    await panel.get_by_test_id("history-button").click()
    await panel.get_by_test_id("new-session").click()
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", "idle")
    steps = panel.get_by_test_id("timeline").get_by_test_id("timeline-step")
    await expect(steps).to_have_count(0)
    assert await panel.evaluate("chrome.storage.local.get('sessionId')") == {}


async def test_escape_leaves_a_room_and_the_way_back_keeps_the_focus(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["sites"])
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()


async def test_sites_are_listed_and_one_that_cannot_be_removed_says_why(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["sites"])
    sites = panel.get_by_test_id("sites")
    await expect(sites.get_by_role("listitem")).to_have_count(2)
    await sites.get_by_role("button", name="Remove 127.0.0.1 (http)").click()
    await expect(panel.get_by_text("was allowed when the extension was installed")).to_be_visible()
    await panel.get_by_test_id("add-site").fill("no address")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_text("That is not a web address.")).to_be_visible()


async def test_one_code_pairs_and_a_wrong_one_says_what_to_do(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["first-run"])
    code = panel.get_by_test_id("pair-code")
    await expect(code).to_be_focused()
    await panel.keyboard.type("12")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("pair-said")).to_contain_text("It looks like ABCD-EFGH")
    said = panel.get_by_test_id("pair-said")
    wrong = {
        "http://tabwright.example/ABCD-EFGH": "Plain http:// is only allowed for this computer",
        f"{stage.backend.url}/ABCD-EFGK": "The code was not sent. Create a new one",
        f"{stage.backend.url}/ABCD-EFGJ": "does not accept this code",
    }
    for pasted, words in wrong.items():
        await code.fill(pasted)
        await panel.keyboard.press("Enter")
        await expect(said).to_contain_text(words)
    await code.fill(f"{stage.backend.url}/abcd-efgh")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_text("Tell Tabwright what to do on this page.")).to_be_visible()
    kept = await panel.evaluate("chrome.storage.local.get('settings')")
    assert kept == {"settings": {"serverUrl": stage.backend.url, "apiKey": "key"}}
