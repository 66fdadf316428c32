"""What an answer leads to: the passage it cites, marked in its document; a goal, or an answer to the agent,
of which nothing runs or goes without a press.
"""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect

from tests.browser.panel.test_accessibility import AXE, RUN
from tests.browser.panel_questions import approval, question
from tests.browser.runner_backend import done
from tests.browser.talk_stage import CITED, Talk, opened_talk, part, parts

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NEEDS = "To go on I need to know:\n- How long goods can be returned"


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def talk() -> AsyncIterator[Talk]:
    async with opened_talk() as opened:
        yield opened


async def opened(talk: Talk, number: int) -> Locator:
    """Asks, and opens that source of the answer."""
    await talk.fresh()
    answered = await talk.ask("What about returns?")
    await answered.get_by_test_id("chat-citation").nth(number - 1).press("Enter")
    return talk.panel.get_by_test_id("source")


async def test_the_passage_is_marked_in_its_document_and_escape_leads_back(talk: Talk) -> None:
    sheet = await opened(talk, 1)
    cited = sheet.get_by_test_id("source-cited")
    await expect(cited).to_be_in_viewport()
    marked = await cited.locator("mark").all_inner_texts()
    assert "".join(marked) == "Goods come back within 30 days, unused"
    await expect(sheet.get_by_role("heading", name="Returns policy")).to_be_focused()
    await expect(sheet).to_contain_text("page 41 · Returns")
    await expect(cited).to_contain_text("<b>Ask</b> [1] first.")  # markup and numbers of its own
    link = sheet.get_by_role("link", name="Open the source")
    assert await link.get_attribute("href") == "https://shop.example/returns.pdf#page=41"
    await expect(talk.box).not_to_be_focused()
    assert await talk.panel.locator(".chat-ask").evaluate("box => box.inert")
    await talk.panel.keyboard.press("Escape")
    await expect(sheet).to_be_hidden()
    first = talk.panel.get_by_test_id("chat-citation").first
    await expect(first).to_be_focused()
    assert not await talk.panel.locator(".chat-ask").evaluate("box => box.inert")


async def test_more_is_read_before_and_after_until_there_is_none(talk: Talk) -> None:
    sheet = await opened(talk, 1)
    shown = sheet.locator("article")
    await expect(shown).to_have_count(3)
    before, after = sheet.get_by_test_id("source-before"), sheet.get_by_test_id("source-after")
    await before.press("Enter")
    await expect(shown).to_have_count(7)
    await before.press("Enter")
    await expect(shown).to_have_count(8)
    await expect(before).to_be_hidden()
    await after.press("Enter")
    await expect(shown).to_have_count(12)
    await expect(after).to_be_hidden()
    assert await shown.evaluate_all("all => all.map(one => one.dataset.id)") == [
        f"c{n}" for n in range(12)
    ]


async def test_what_is_no_longer_so_is_said(talk: Talk) -> None:
    sheet = await opened(talk, 2)
    told = sheet.get_by_test_id("source-told")
    await expect(told).to_have_text("A later version replaces this passage.")
    cases = {
        "This document was deleted. This is what it said.": {},
        "This passage is no longer in the document. This is what it said.": {"d2": parts()[:5]},
        "The document was updated since. This is the passage now.": {"d2": [part(99, CITED)]},
    }
    for sentence, documents in cases.items():
        await talk.panel.keyboard.press("Escape")
        talk.documents = documents
        await talk.panel.get_by_test_id("chat-citation").first.click()
        await expect(told).to_have_text(sentence)
        await expect(sheet).to_contain_text("Goods come back within 30 days, unused")


async def test_a_page_of_the_web_shows_its_words_and_opens_beside(talk: Talk) -> None:
    sheet = await opened(talk, 3)
    await expect(sheet.get_by_test_id("source-quote")).to_have_text("within two weeks")
    link = sheet.get_by_role("link", name="Open the page")
    assert await link.get_attribute("href") == "https://law.example/eu"
    assert await link.get_attribute("target") == "_blank"
    await sheet.get_by_role("button", name="Back").click()
    await expect(sheet).to_be_hidden()


async def test_the_rules_pass_with_the_menu_and_with_a_source(talk: Talk) -> None:
    sheet = await opened(talk, 1)
    await expect(sheet.get_by_test_id("source-cited")).to_be_visible()
    panel = talk.panel
    await panel.evaluate(AXE.read_text("utf-8"))
    assert not await panel.evaluate(RUN, None)
    await panel.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert not await panel.evaluate(RUN, "color-contrast")
    await panel.keyboard.press("Escape")
    await talk.box.focus()
    await panel.keyboard.type("@")
    await expect(panel.get_by_test_id("mention-option").first).to_be_visible()
    assert not await panel.evaluate(RUN, "color-contrast")
    await panel.emulate_media(color_scheme="light")
    assert not await panel.evaluate(RUN, None)
    assert not await panel.evaluate("document.documentElement.scrollWidth > innerWidth")


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
    await expect(answered).to_contain_text("The agent is waiting for an answer first.")
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
