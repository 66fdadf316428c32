"""Pairing, a goal and its history, with the real server and the real panel."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.async_api import expect

from app.launch.browser import open_browser
from app.launch.chromium import find_chromium
from app.launch.server import Serving
from tests.browser.world import EXTENSION, KEY, Backend, clinic, started_backend

pytestmark = pytest.mark.browser

GOAL = "Add a new patient with name 'Jas'"


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[Backend]:
    yield from started_backend(tmp_path / "backend")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Serving]:
    with clinic(tmp_path / "clinic.log") as child:
        yield child


async def code_from(url: str) -> str:
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, trust_env=False) as client:
        return str((await client.post("/api/pairing")).json()["code"])


async def test_a_code_a_goal_and_what_was_done(backend: Backend, served: Serving) -> None:
    chromium = find_chromium(None).path
    async with open_browser(chromium=chromium, extension=EXTENSION, headless=True) as browser:
        page = await browser.context.new_page()
        await page.goto(served.url)
        panel = await browser.open_panel(page)
        code = await code_from(backend.url)
        await panel.get_by_test_id("pair-code").fill(f"{backend.url}/{code}")
        await panel.keyboard.press("Enter")
        await expect(panel.get_by_test_id("pair-code")).to_have_count(0)

        await panel.get_by_test_id("goal-input").fill(GOAL)
        await panel.keyboard.press("Enter")
        status = panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", "completed", timeout=90_000)

        await panel.get_by_test_id("history-button").click()
        row = panel.get_by_test_id("session")
        await expect(row).to_contain_text(GOAL)
        await expect(row).to_contain_text("Done1 taskjust now")
        await row.click()
        await panel.get_by_test_id("session-steps").locator("summary").first.click()
        talk = panel.get_by_test_id("talk")
        await expect(talk.get_by_test_id("timeline-step").first).to_be_visible()
        await expect(talk).to_contain_text("Typed 'Jas'")
