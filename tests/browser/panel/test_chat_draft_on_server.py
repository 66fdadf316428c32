"""An answer that a model writes slowly, from the provider's stream to the panel, and a stop in the middle."""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from pydantic import SecretStr

from app.settings import Settings
from tests.browser.panel.test_chat_on_server import filled, say
from tests.browser.shared_chromium import chromium
from tests.fakes.gemini import FakeGemini
from tests.fakes.steps import Gate, pieces
from tests.integration.chat.test_model_calls import (
    ANSWER,
    ASKED,
    JUDGED,
    RIGHT,
    UNDERSTANDING,
    judged,
    meant,
)
from tests.integration.chat.test_streams import begun, written
from tests.integration.desk import KEY, RATES, threaded

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture(scope="module")
def model() -> Iterator[FakeGemini]:
    with FakeGemini().served() as fake:
        fake.when(UNDERSTANDING, meant(question=ASKED), always=True)
        fake.when(JUDGED, judged, always=True)
        yield fake


@pytest.fixture(scope="module")
def server(
    store_uri: str, tmp_path_factory: pytest.TempPathFactory, model: FakeGemini
) -> Iterator[str]:
    settings = Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=f"test_{secrets.token_hex(6)}",
        data_dir=tmp_path_factory.mktemp("draft"),
        api_key=SecretStr(KEY),
        llm="gemini",
        gemini_api_key=SecretStr("key"),
        gemini_base_url=model.url,
    ).model_copy(update=dict.fromkeys(RATES, "100000/minute"))
    with threaded(settings) as url:
        asyncio.run(filled(url))
        yield url


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def panel(server: str) -> AsyncIterator[Page]:
    async with chromium(server, KEY, hosts=()) as chrome:
        page = await chrome.context.new_page()
        await page.set_viewport_size({"width": 360, "height": 640})
        await page.goto(chrome.url("panel/index.html"))
        await page.get_by_test_id("tab-ask").click()
        await expect(page.get_by_test_id("chat-example").first).to_be_visible()
        yield page


async def test_an_answer_is_read_while_it_is_written_also_by_who_comes_later(
    panel: Page, model: FakeGemini
) -> None:
    half, gate = begun(text="A night in Lon"), Gate()
    model.when(ANSWER, pieces(half, gate, written(RIGHT).removeprefix(half)))
    await say(panel, ASKED)
    draft = panel.get_by_test_id("chat-draft")
    await expect(draft).to_contain_text("A night in Lon")
    await panel.reload()
    await expect(draft).to_contain_text("A night in Lon")
    gate.set()
    answer = panel.get_by_test_id("chat-answer")
    await expect(answer.locator(".prose")).to_have_text(f"{RIGHT['text']} 1")
    await expect(answer.get_by_test_id("chat-confidence")).to_have_text(re.compile("supported$"))
    await expect(draft).to_have_count(0)


async def test_what_was_written_until_the_person_stopped_it_stays_and_says_so(
    panel: Page, model: FakeGemini
) -> None:
    model.when(ANSWER, pieces(begun(text="A night in Lon"), Gate()))
    await say(panel, ASKED)
    await expect(panel.get_by_test_id("chat-draft")).to_contain_text("A night in Lon")
    await panel.get_by_test_id("chat-stop").click()
    stopped = panel.get_by_test_id("chat-stopped")
    await expect(stopped).to_contain_text("A night in Lon")
    await expect(stopped).to_contain_text("None of this was checked")
    await panel.reload()
    await expect(stopped).to_contain_text("A night in Lon")
    await expect(stopped).to_contain_text("None of this was checked")
