"""The conversation in the panel on the real server, without a model, over documents that were put into it."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from pydantic import SecretStr

from app.cli.browser import Browser
from app.settings import Settings
from tests.browser.shared_chromium import chromium
from tests.integration.chat.conversations import LIBRARY, shelved
from tests.integration.desk import KEY, RATES, threaded

OPEN = "Summarize the leave rules"  # there are two
pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def server(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with three documents, of which two go by nearly the same name."""
    settings = Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=f"test_{secrets.token_hex(6)}",
        data_dir=tmp_path_factory.mktemp("chat"),
        api_key=SecretStr(KEY),
    ).model_copy(update=dict.fromkeys(RATES, "100000/minute"))
    with threaded(settings) as url:
        asyncio.run(filled(url))
        yield url


async def filled(url: str) -> None:
    """Documents on the server there."""
    async with httpx.AsyncClient(
        base_url=url, headers={"Authorization": f"Bearer {KEY}"}, timeout=30
    ) as client:
        await shelved(client, LIBRARY)


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def chrome(server: str) -> AsyncIterator[Browser]:
    """With no right to the server's site, as a person's own: what CORS refuses is refused here too."""
    async with chromium(server, KEY, hosts=()) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def opened(chrome: Browser) -> Page:
    """A panel in its conversation."""
    page = await chrome.context.new_page()
    await page.set_viewport_size({"width": 360, "height": 640})
    await page.goto(chrome.url("panel/index.html"))
    await page.get_by_test_id("tab-ask").click()
    await expect(page.get_by_test_id("chat-example").first).to_be_visible()
    return page


@pytest_asyncio.fixture(loop_scope="session")
async def panel(opened: Page) -> Page:
    """The panel with a conversation in which nothing was said."""
    await opened.get_by_test_id("chat-new").click()
    await expect(opened.get_by_test_id("chat-answer")).to_have_count(0)
    await expect(opened.get_by_test_id("chat-example").first).to_be_visible()
    return opened


async def say(panel: Page, text: str) -> None:
    await panel.get_by_test_id("chat-input").focus()
    await panel.keyboard.insert_text(text)
    await panel.keyboard.press("Enter")


async def test_an_answer_comes_with_its_passages_and_outlives_a_reload(panel: Page) -> None:
    await say(panel, "What may a hotel cost at most?")
    answer = panel.get_by_test_id("chat-answer")
    await expect(answer).to_contain_text("120 euros")
    await expect(answer).to_contain_text("Quoted from the documents; no model was used")
    await expect(answer.get_by_test_id("chat-confidence")).to_have_text(re.compile("supported$"))
    await expect(answer.get_by_test_id("chat-cost")).to_have_text("no model")
    await answer.get_by_test_id("chat-citation").first.press("Enter")
    await expect(panel.get_by_test_id("source")).to_contain_text("at most 120 euros a night")
    await panel.keyboard.press("Escape")
    await expect(answer.get_by_test_id("chat-citation").first).to_be_focused()
    said = await answer.inner_text()
    await panel.reload()
    await expect(answer).to_contain_text("120 euros")
    assert await answer.inner_text() == said


async def test_a_question_waits_over_a_reload_and_is_answered_by_a_button(panel: Page) -> None:
    await say(panel, OPEN)
    card = panel.get_by_test_id("chat-card")
    await expect(card).to_be_visible()
    asked = await card.get_by_role("heading").inner_text()
    await panel.reload()
    await expect(card.get_by_role("heading")).to_have_text(asked)
    option = card.get_by_test_id("chat-option").first
    chosen = await option.inner_text()
    await option.click()
    await expect(panel.get_by_test_id("chat-answer")).to_be_visible()
    await expect(card).to_be_hidden()
    lines = [asked, f"You answered: {chosen.split(maxsplit=0)[0]}"]
    await expect(panel.get_by_test_id("chat-then")).to_have_text(lines)
    await panel.reload()
    await expect(panel.get_by_test_id("chat-then")).to_have_text(lines)


async def test_a_question_is_left_by_cancelling_it(panel: Page) -> None:
    await say(panel, OPEN)
    await panel.get_by_test_id("chat-cancel").click()
    then = panel.get_by_test_id("chat-then")
    await expect(then.last).to_have_text("You left the question unanswered")
    assert await panel.get_by_test_id("chat-answer").count() == 0
    await panel.reload()
    await expect(then.last).to_have_text("You left the question unanswered")


async def test_conversations_are_listed_opened_renamed_and_deleted(panel: Page) -> None:
    title = "From which day of sickness is a doctor's note needed?"
    await say(panel, title)
    await expect(panel.get_by_test_id("chat-answer")).to_contain_text("third day")
    await panel.get_by_test_id("chat-new").click()
    await expect(panel.get_by_test_id("chat-example").first).to_be_visible()
    await panel.get_by_test_id("chat-list-button").click()
    row = panel.locator(".conversations > li").filter(has_text=title)
    await row.get_by_test_id("chat-rename").click()
    await panel.keyboard.type("Sick notes")
    await panel.keyboard.press("Enter")
    await panel.get_by_test_id("chat-conversation").filter(has_text="Sick notes").click()
    await expect(panel.get_by_test_id("chat-answer")).to_contain_text("third day")
    await panel.get_by_test_id("chat-list-button").click()
    first = panel.locator(".conversations > li").filter(has_text="Sick notes")
    await first.get_by_test_id("chat-delete").click()
    await panel.get_by_test_id("chat-delete-yes").click()
    await expect(first).to_have_count(0)
    await panel.get_by_role("button", name="Back").click()
    await expect(panel.get_by_test_id("chat-example").first).to_be_visible()
