"""An answer becomes a goal, and the agent's question is looked up: nothing runs or goes without a press."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.browser.panel_questions import approval, question
from tests.browser.runner_backend import done
from tests.browser.talk_stage import Talk, opened_talk

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

NEEDS = "To go on I need to know:\n- How long goods can be returned"


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def talk() -> AsyncIterator[Talk]:
    async with opened_talk() as opened:
        yield opened


async def waits(talk: Talk, asked: dict[str, object]) -> None:
    """The agent waits with that question, in the other tab."""
    panel = await talk.fresh()
    talk.backend.script(lambda b: dict(asked), lambda b: done("Done"))
    await panel.get_by_test_id("tab-do").click()
    await panel.get_by_test_id("goal-input").fill("Do it")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", "waiting")


async def test_an_answer_is_written_as_a_goal_and_not_run(talk: Talk) -> None:
    panel = await talk.fresh()
    talk.backend.script()
    await panel.get_by_test_id("tab-do").click()
    goal = panel.get_by_test_id("goal-input")
    await goal.fill("What I wrote")
    await panel.get_by_test_id("tab-ask").click()
    answered = await talk.ask("How do goods come back?")
    await expect(answered.get_by_test_id("chat-use-answer")).to_be_hidden()
    await answered.get_by_test_id("chat-use-goal").click()
    await expect(goal).to_be_focused()
    await expect(goal).to_have_value(
        "Returns\nGoods come back within 30 days, unused and in their box. "
        "The customer's number is 4711. Outside, it is two weeks."
    )
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", "idle")
    assert not talk.backend.bodies
    await panel.keyboard.press("Control+z")
    await expect(goal).to_have_value("What I wrote")


async def test_a_question_is_looked_up_and_its_answer_is_the_persons_to_send(talk: Talk) -> None:
    await waits(talk, question("clarification", "free_text", NEEDS) | {"options": []})
    panel = talk.panel
    await panel.get_by_test_id("assist-look-up").press("Enter")
    await expect(talk.box).to_be_focused()
    await expect(talk.box).to_have_text("How long goods can be returned")
    await expect(panel.get_by_test_id("chat-handing")).to_contain_text("The agent asks: To go on")
    assert not talk.said
    await panel.keyboard.press("Enter")
    answered = panel.get_by_test_id("chat-answer")
    await answered.get_by_test_id("chat-use-goal").click()
    await expect(answered).to_contain_text("The agent waits for an answer first.")
    await answered.get_by_test_id("chat-use-answer").click()
    box = panel.get_by_test_id("assist-input")
    await expect(box).to_be_focused()
    await expect(box).to_have_value("Outside, it is two weeks.")
    assert len(talk.backend.bodies) == 1
    await panel.keyboard.type(" I checked.")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("status")).to_have_attribute("data-state", "completed")
    answer = talk.backend.bodies[-1]["hitlResponse"]
    assert answer["value"] == "Outside, it is two weeks. I checked."
    await panel.get_by_test_id("tab-ask").click()
    await expect(panel.get_by_test_id("chat-handing")).to_be_hidden()
    await expect(answered.get_by_test_id("chat-use-answer")).to_be_hidden()


async def test_a_yes_and_a_secret_are_not_looked_up(talk: Talk) -> None:
    secret = question("clarification", "free_text", "What is the password?") | {"options": []}
    for asked in (approval("Delete the record of Jas?"), secret):
        await waits(talk, asked)
        await expect(talk.panel.get_by_test_id("assist")).to_be_visible()
        await expect(talk.panel.get_by_test_id("assist-look-up")).to_have_count(0)
        await talk.panel.get_by_test_id("tab-ask").click()
        await expect(talk.panel.get_by_test_id("chat-handing")).to_be_hidden()
