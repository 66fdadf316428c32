"""A question in the panel: by keyboard, by mouse, in words; and nothing approved by accident."""

import re

import pytest
from fastapi.responses import JSONResponse
from playwright.async_api import Page, expect

from tests.browser.desk import Desk
from tests.browser.panel_questions import approval, question
from tests.browser.runner_backend import done, until

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def asked(desk: Desk, first: dict[str, object], *then: dict[str, object]) -> Page:
    """The panel of a run that waits with a question; `then` is what its answers are answered with."""
    events = [first, *(then or [done("Done")])]
    desk.backend.script(*[lambda b, event=event: dict(event) for event in events])
    await desk.run("Do it")
    await becomes(desk.panel, "waiting")
    return desk.panel


async def becomes(panel: Page, state: str) -> None:
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", state)


def said(desk: Desk) -> object:
    """What the newest request answered."""
    return desk.backend.bodies[-1].get("hitlResponse", {}).get("value")


async def test_nothing_approves_by_accident(desk: Desk) -> None:
    panel = await asked(desk, approval("Delete the record of Jas?"))
    goal, card = panel.get_by_test_id("goal-input"), panel.get_by_test_id("assist")
    await expect(goal).to_be_focused()
    yes, no = (panel.get_by_test_id("assist-option").nth(n) for n in (0, 1))
    await expect(yes).to_have_text("Yes, press 'Delete'")
    await panel.keyboard.press("Enter")
    await panel.keyboard.type("1")
    await goal.fill("")
    await panel.keyboard.press("ArrowUp")
    await expect(yes).to_be_focused()
    await panel.keyboard.press("1")
    for key in ("Enter", " "):  # held down
        await yes.evaluate(
            """(button, key) => {
              const held = {key, repeat: true, bubbles: true, cancelable: true};
              if (button.dispatchEvent(new KeyboardEvent("keydown", held))) button.click();
            }""",
            key,
        )
    await expect(card).to_contain_text("This takes something away and cannot be undone here.")
    await expect(card).to_contain_text(re.compile(r"\d:\d\d left"))
    await becomes(panel, "waiting")
    await panel.keyboard.press("ArrowRight")
    await expect(no).to_be_focused()
    await expect(no).to_be_enabled()
    await panel.keyboard.press("Enter")
    await becomes(panel, "completed")
    assert said(desk) == "no"
    await expect(panel.get_by_test_id("timeline")).to_contain_text(
        "You refused: delete the record of Jas"
    )


async def test_the_second_click_of_a_double_click_approves_nothing(desk: Desk) -> None:
    first, second = approval("Delete Jas?"), approval("Delete Ann?") | {"hitlId": "h2"}
    panel = await asked(desk, first, second, done("Done"))
    yes = panel.get_by_test_id("assist-option").first
    await expect(yes).to_be_enabled()
    pressed = await panel.evaluate(
        """() => new Promise((settle) => {
          const press = () => document.querySelector('[data-testid="assist-option"]').click();
          new MutationObserver((_, watching) => {
            if (!assist.textContent.includes("Ann")) return;
            watching.disconnect();
            press();
            setTimeout(() => settle(assist.textContent.includes("Ann")));
          }).observe(assist, {childList: true});
          press();
        })"""
    )
    assert pressed
    await yes.click()
    await becomes(panel, "completed")
    assert len(desk.backend.bodies) == 3


async def test_a_choice_is_a_digit_or_words(desk: Desk) -> None:
    which = question("disambiguation", "single_choice", "Which one?", "Jas, 1990", "Jas, 1964")
    panel = await asked(desk, which)
    await expect(panel.get_by_test_id("assist")).to_be_focused()
    await panel.keyboard.press("Enter")  # nothing is chosen by it
    await panel.keyboard.press("2")
    await becomes(panel, "completed")
    assert said(desk) == "2"
    await expect(panel.get_by_test_id("timeline")).to_contain_text("You answered: Jas, 1964")

    panel = await asked(desk, which)
    await panel.keyboard.type("the one from 1990")
    await expect(panel.get_by_test_id("assist-input")).to_have_value("the one from 1990")
    await panel.keyboard.press("Enter")
    await becomes(panel, "completed")
    assert said(desk) == "the one from 1990"


async def test_several_are_switched_on_and_handed_in(desk: Desk) -> None:
    several = question("clarification", "multi_choice", "Which records?", "Jas", "Ann", "Bo")
    panel = await asked(desk, several)
    hand = panel.get_by_test_id("assist-submit")
    await expect(hand).to_be_disabled()
    await panel.get_by_test_id("assist-all").click()
    await expect(hand).to_have_text("Choose 3")
    await panel.get_by_test_id("assist").focus()
    await panel.keyboard.press("2")
    await expect(panel.get_by_role("button", name="Ann")).to_have_attribute("aria-pressed", "false")
    await hand.click()
    await becomes(panel, "completed")
    assert said(desk) == ["1", "3"]


async def test_the_goal_box_answers_and_keeps_what_was_in_it(desk: Desk) -> None:
    panel = desk.panel
    desk.backend.script(
        lambda b: question("clarification", "free_text", "Which phone?"), lambda b: done("Done")
    )
    desk.backend.hold.clear()
    goal, answer = panel.get_by_test_id("goal-input"), panel.get_by_test_id("assist-input")
    await goal.fill("Call Jas")
    await panel.keyboard.press("Enter")
    await panel.keyboard.type("and then")
    desk.backend.hold.set()  # the question comes to who is writing by now
    await becomes(panel, "waiting")
    await expect(goal).to_have_value("and then")
    await panel.keyboard.press("Enter")  # sends nothing, and frees the box
    await expect(answer).to_have_value("")
    await expect(answer).to_have_attribute("placeholder", "Your answer")
    await panel.keyboard.type("555 0100")
    await panel.keyboard.press("Enter")
    await becomes(panel, "completed")
    assert said(desk) == "555 0100"
    await expect(goal).to_have_value("and then")


async def test_what_is_not_understood_is_asked_again_and_what_is_too_late_can_be(
    desk: Desk,
) -> None:
    which = question("disambiguation", "single_choice", "Which one?", "Jas, 1990", "Jas, 1964")
    panel = await asked(desk, which, which | {"hitlId": "h2"}, done("Done"))
    unknown = JSONResponse({"code": "INVALID_REQUEST", "detail": "hitlResponse.value: no"}, 422)
    late = JSONResponse({"code": "HITL_EXPIRED", "detail": "Too late"}, 409)
    desk.backend.refuse.append(unknown)
    await panel.keyboard.type("the third")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("assist-hint")).to_contain_text("Rephrase it")
    desk.backend.refuse.append(late)
    await panel.get_by_test_id("assist-option").first.click()
    await becomes(panel, "interrupted")
    await expect(panel.get_by_test_id("assist")).to_contain_text("Nobody answered in time")
    await panel.get_by_test_id("assist-again").click()
    await becomes(panel, "waiting")
    await panel.get_by_test_id("assist-option").first.click()
    await becomes(panel, "completed")
    task = desk.backend.bodies[0]
    assert "taskId" not in task
    assert desk.backend.bodies[1]["taskId"] == f"task-{task['requestId']}"


async def test_a_question_is_there_again_after_the_panel_and_the_runner_died(desk: Desk) -> None:
    panel = await asked(desk, approval("Delete the record of Jas?"))
    await panel.evaluate("chrome.offscreen.closeDocument()")
    await panel.reload()
    await becomes(panel, "waiting")
    await panel.get_by_test_id("assist-option").first.click()
    await becomes(panel, "completed")
    assert said(desk) == "yes"


async def test_the_person_takes_over_and_hands_back(desk: Desk) -> None:
    panel = desk.panel
    # A task that had no name yet when the person took over is heard to its end, and goes on as another.
    desk.backend.script(lambda b: done("Done"), lambda b: done("Done"))
    desk.backend.hold.clear()
    await panel.get_by_test_id("goal-input").fill("Save Jas")
    await panel.keyboard.press("Enter")
    await until(lambda: len(desk.backend.raw) == 1)
    await panel.get_by_test_id("pause-button").click()
    await expect(panel.get_by_test_id("status")).to_have_text("You are in control")
    await becomes(panel, "waiting")
    await desk.tab.get_by_role("button", name="Save").click()
    desk.backend.hold.set()
    await panel.get_by_test_id("hand-back").click()
    await becomes(panel, "completed")
    await expect(panel.get_by_test_id("timeline")).to_contain_text("You clicked 'Save'")


async def test_a_notification_is_offered_once(desk: Desk) -> None:
    panel = await asked(desk, approval("Delete the record of Jas?"))
    await panel.evaluate("chrome.permissions.request = async () => false")
    await panel.get_by_test_id("notify-offer").click()
    await expect(panel.get_by_text("You can turn this on in the settings.")).to_be_visible()
    await panel.reload()
    await expect(panel.get_by_test_id("assist-cancel")).to_be_visible()
    await expect(panel.get_by_test_id("notify-offer")).to_have_count(0)
