"""The person asks an operator to look at a run or an answer, and reads what was decided."""

import pytest
from playwright.async_api import expect

from tests.browser.panel_delegations import ADVICE, RECORD, REVIEW
from tests.browser.panel_stage import Stage
from tests.browser.panel_states import BY_NAME
from tests.browser.runner_backend import done

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PENDING = "An operator will review this"
DECIDED = (
    "An operator, Mira Roth, approved this: Checked in the register: the patient is there once."
)


async def test_a_second_opinion_on_a_run_is_asked_for_from_the_keyboard(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["opinion"])
    await expect(panel.get_by_test_id("opinion-note")).to_be_focused()
    await panel.keyboard.type("Is it the right Jas?")
    await panel.keyboard.press("Tab")
    await panel.keyboard.press("Enter")
    line = panel.get_by_test_id("review")
    await expect(line).to_contain_text(f"{PENDING} (you asked for a second opinion).")
    await expect(line).to_contain_text(RECORD)
    await expect(line).to_be_focused()
    assert stage.outside.opinions == [{"taskId": "t", "note": "Is it the right Jas?"}]
    stage.outside.decision = "approved"
    await panel.reload()
    await expect(panel.get_by_test_id("review")).to_contain_text(DECIDED)


async def test_escape_puts_the_question_for_a_note_away(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["opinion"])
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("opinion-open")).to_be_focused()
    assert stage.outside.opinions == []


async def test_what_was_decided_meanwhile_stands_there_when_it_is_opened_again(
    stage: Stage,
) -> None:
    panel = await stage.show(BY_NAME["review-waits"])
    await expect(panel.get_by_test_id("review")).to_contain_text(f"{PENDING} (low confidence)")
    await expect(panel.get_by_test_id("opinion-open")).to_have_count(0)
    stage.outside.decision = "rejected"
    await panel.reload()
    line = panel.get_by_test_id("review")
    await expect(line).to_contain_text("An operator, Mira Roth, rejected this: Checked")
    await expect(line).to_contain_text(RECORD)


async def test_a_run_says_what_operators_decided_before_and_that_one_is_asked(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["empty"])
    told = {"advice": [ADVICE, ADVICE, {"line": "<img src=x>"}], "review": REVIEW}
    stage.backend.script(lambda b: done("Added Jas.") | told)
    await panel.get_by_test_id("goal-input").fill("Add Jas")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("review")).to_contain_text(PENDING)
    steps = panel.get_by_test_id("timeline-step").locator(".what")
    await expect(steps).to_have_text([ADVICE["line"], "<img src=x>"])


async def test_an_answer_says_it_too_and_a_second_opinion_is_asked_for(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["chat-reviewed"])
    answer = panel.get_by_test_id("chat-answer")
    await expect(answer.get_by_test_id("chat-advice")).to_have_text(ADVICE["line"])
    await expect(answer.get_by_test_id("review")).to_contain_text(PENDING)
    panel = await stage.show(BY_NAME["chat-answer"])
    await panel.get_by_test_id("opinion-open").click()
    await panel.get_by_test_id("opinion-ask").click()
    await expect(panel.get_by_test_id("review")).to_contain_text(PENDING)
    assert stage.outside.opinions == [{"threadId": "c1", "messageId": "m"}]


async def test_what_was_decided_of_an_answer_is_looked_up(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["chat-decided"])
    await expect(panel.get_by_test_id("review")).to_contain_text(DECIDED)
