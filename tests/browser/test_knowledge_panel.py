"""The panel's documents, by keyboard: asked, listed, deleted with a second yes, and what did not get in."""

import pytest
from playwright.async_api import expect

from tests.browser.panel_stage import Stage
from tests.browser.panel_states import BY_NAME

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def test_what_is_found_says_where_it_stands_and_whose_it_is(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-found"])
    first, *_, last = await panel.get_by_test_id("knowledge-result").all()
    await expect(first).to_contain_text("page 41, Returns")
    await expect(first).to_contain_text("Yours")
    await expect(last).to_contain_text("Public")
    link = last.get_by_role("link", name="Open the source")
    assert await link.get_attribute("href") == "https://law.example/eu/returns"
    more = first.get_by_role("button", name="More")
    await more.press("Enter")
    await expect(first.get_by_role("button", name="Less")).to_be_focused()
    hidden = "box => box.scrollHeight - box.clientHeight"
    assert await first.locator(".passage").evaluate(hidden) <= 1


async def test_nothing_relevant_is_an_answer_and_escape_leaves(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-nothing"])
    await expect(panel.get_by_test_id("knowledge-results")).to_have_text(
        "Nothing relevant was found."
    )
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("knowledge-view")).to_be_hidden()
    await expect(panel.get_by_test_id("goal-input")).to_be_focused()


async def test_deleting_asks_in_its_place_and_keeping_is_the_first_answer(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-delete"])
    await expect(panel.get_by_role("button", name="Keep it")).to_be_focused()
    await expect(panel.get_by_text("All that was made of it goes too")).to_be_visible()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("knowledge-delete").first).to_be_focused()
    await panel.keyboard.press("Enter")
    await panel.keyboard.press("Tab")
    await panel.keyboard.press("Enter")
    await expect(panel.get_by_test_id("knowledge-document")).to_have_count(4)
    second = panel.get_by_test_id("knowledge-document").first.locator("summary")
    await expect(second).to_be_focused()


async def test_what_failed_says_why_and_stays_until_it_is_put_away(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-jobs"])
    assert await panel.locator("#scroll").evaluate("box => box.scrollTop") == 0
    jobs = panel.get_by_test_id("knowledge-job")
    await expect(jobs).to_have_count(4)
    await expect(jobs.filter(has_text="docs.example")).to_contain_text("12 of 40 documents")
    failed = jobs.filter(has_text="contract.pdf")
    await expect(failed).to_contain_text("The document asks for a password. Save it without its")
    await failed.get_by_role("button", name="Dismiss").click()
    await expect(jobs).to_have_count(3)
    await expect(panel.get_by_test_id("knowledge-open")).to_be_visible()


async def test_limits_are_asked_for_where_links_are_followed(stage: Stage) -> None:
    panel = await stage.show(BY_NAME["knowledge-link"])
    await expect(panel.get_by_test_id("knowledge-link")).to_be_focused()
    await expect(panel.get_by_text("More", exact=True)).to_be_hidden()
    await panel.get_by_label("What to read").select_option("Follow links")
    await panel.get_by_text("More", exact=True).click()
    await expect(panel.get_by_label("Links away")).to_be_visible()
    await panel.get_by_label("What to read").select_option("All pages of its site map")
    await expect(panel.get_by_label("Links away")).to_be_hidden()
    await panel.keyboard.press("Escape")
    await expect(panel.get_by_test_id("knowledge-add-link")).to_be_focused()
