"""The panel on the real server over real documents, with a model whose claims are scripted."""

import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Locator, Page, expect
from pydantic import SecretStr

from app.cli.browser import Browser
from app.settings import Settings
from tests.browser.cited_files import HEARD
from tests.browser.shared_chromium import chromium
from tests.fakes.calls import Call
from tests.fakes.scripted import asks_for
from tests.integration.desk import KEY, Served, served_desk

UNDERSTANDING, ANSWER = asks_for("action", "unknown"), asks_for("claims", "answered")
JUDGED = asks_for("verdicts")


@contextmanager
def served_documents(store_uri: str, folder: Path) -> Iterator[Served]:
    """The real server with a database of its own."""
    settings = Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=f"test_{secrets.token_hex(6)}",
        data_dir=folder,
    )
    with served_desk(settings) as served:
        yield served


def judged(call: Call) -> dict[str, Any]:
    """A second reading that doubts nothing."""
    count = call.prompt.count(", and its quotes")
    return {"verdicts": [{"claim": at + 1, "supported": True} for at in range(count)]}


@dataclass
class Room:
    """A panel in its conversation, and a client of the same server."""

    served: Served
    browser: Browser
    client: httpx.AsyncClient
    panel: Page

    async def add(self, name: str, body: bytes) -> str:
        """The id of the document, once it can be searched."""
        files = {"file": (name, body)}
        job = (await self.client.post("/api/knowledge/ingest", files=files)).raise_for_status()
        at = f"/api/knowledge/jobs/{job.json()['jobId']}"
        await self.client.get(f"{at}/events")  # ends with the job
        done = (await self.client.get(at)).json()
        assert done["status"] == "completed", done
        return str(done["documents"][0])

    def claims(self, quotes: Sequence[str]) -> None:
        """What the model says next: a claim for each quote."""
        said = [
            {"text": f"It says so, as {chr(97 + at)} has it.", "quotes": [{"source": "", "words": one}]}
            for at, one in enumerate(quotes)
        ]  # fmt: skip
        self.script({"action": "inquire", "confidence": "high"}, claims=said)

    def script(self, meant: Mapping[str, Any], **replies: Any) -> None:
        gemini = self.served.gemini
        gemini.clear()
        gemini.when(UNDERSTANDING, meant, always=True)
        gemini.when(JUDGED, judged, always=True)
        if "claims" in replies:
            sure = {"answered": True, "confidence": "high", "language": "en"}
            gemini.when(ANSWER, sure | replies, always=True)

    async def fresh(self) -> None:
        """A conversation in which nothing was said."""
        await self.panel.evaluate("chrome.storage.local.remove(['chatThread', 'panelTab'])")
        await self.panel.reload()
        await self.panel.get_by_test_id("tab-ask").click()
        await expect(self.panel.get_by_test_id("chat-input")).to_be_focused()

    async def ask(self, text: str) -> Locator:
        """Says it, and gives the answer."""
        answers = self.panel.get_by_test_id("chat-answer")
        before = await answers.count()
        await self.panel.get_by_test_id("chat-input").focus()
        await self.panel.keyboard.insert_text(text)
        await self.panel.keyboard.press("Enter")
        await expect(answers).to_have_count(before + 1)
        return answers.last

    async def reviewed(self) -> str:
        """The id of the record of the latest answer, which an operator is asked to look at."""
        thread = await self.panel.evaluate(
            "async () => (await chrome.storage.local.get('chatThread')).chatThread"
        )
        lines = (await self.client.get(f"/api/chat/history/{thread}")).json()["messages"]
        subject = {"threadId": thread, "messageId": lines[-1]["id"]}
        reply = await self.client.post("/api/review", json=subject)
        return str(reply.raise_for_status().json()["record"]["id"])

    async def marked(self, place: Locator) -> str:
        """The marked words of what is opened, in one line."""
        await expect(place.locator("mark").first).to_be_in_viewport()
        return " ".join("".join(await place.locator("mark").all_text_contents()).split())


@asynccontextmanager
async def opened_room(served: Served) -> AsyncIterator[Room]:
    """One browser and its panel, for as long as a module runs."""
    headers = {"Authorization": f"Bearer {KEY}"}
    async with (
        chromium(served.url, KEY, hosts=()) as browser,
        httpx.AsyncClient(base_url=served.url, headers=headers, timeout=60, trust_env=False) as client,
    ):  # fmt: skip
        served.gemini.when(asks_for("passages"), HEARD, always=True)
        panel = await browser.context.new_page()
        await panel.set_viewport_size({"width": 360, "height": 640})
        await panel.goto(browser.url("panel/index.html"))
        yield Room(served, browser, client, panel)
