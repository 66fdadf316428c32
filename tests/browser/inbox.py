"""A person at a tab of the register with the real server: what the agent asks, and what it then did."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from playwright.async_api import Locator, expect
from pymongo import MongoClient

from tests.browser.register import Register
from tests.browser.world import KEY, World

DELETE = "Delete Ann Lee"  # the patient of a full register; a person is asked before it
WAIT_MS = 30_000  # only ends a hang
LIVE = {"running", "waiting"}
STOPS = "[data-testid=assist-cancel], [data-testid=stop-button]"
POINTED = """[window, ...Array.from(frames)].map(one => one.document).some(
  shown => shown.querySelector(":popover-open") !== null)"""


@dataclass
class Inbox:
    """What a test says and sees of one world."""

    world: World
    register: Register

    async def asked(self, goal: str, path: str = "/") -> str:
        """Runs it on a full register; the question that it comes to."""
        self.register.fill()
        await self.world.page.goto(f"{self.register.url}{path}")
        await self.world.panel.get_by_test_id("goal-input").fill(goal)
        await self.world.panel.get_by_test_id("run-button").click()
        return await self.waiting()

    async def waiting(self) -> str:
        """The question that is asked now, shown in the page as well."""
        await self.state("waiting")
        await self.world.page.wait_for_function(POINTED)
        return await self.world.panel.locator("#question").inner_text()

    async def state(self, state: str) -> None:
        status = self.world.panel.get_by_test_id("status")
        await expect(status).to_have_attribute("data-state", state, timeout=WAIT_MS)

    async def ended(self, state: str) -> str:
        """The result; of the question nothing is left in the page."""
        await self.state(state)
        await self.world.page.wait_for_function(f"!({POINTED})")
        return await self.world.result()

    async def freed(self) -> None:
        """Whatever still runs or waits is stopped, so that the next run begins."""
        self.register.free.set()
        if await self.world.state() not in LIVE:
            return
        stops = self.world.panel.locator(STOPS).locator("visible=true")
        await stops.first.click()
        status = self.world.panel.get_by_test_id("status")
        await expect(status).not_to_have_attribute("data-state", re.compile("running|waiting"))

    def option(self, text: str) -> Locator:
        return self.world.panel.get_by_test_id("assist-option").filter(has_text=text)

    def row(self, name: str) -> Locator:
        return self.world.page.locator("tr").filter(has_text=name)

    async def task(self) -> dict[str, Any]:
        """The newest task, whole."""
        newest = (await self.questions())[0]
        return await self.get(f"/api/task/{newest['taskId']}")

    async def questions(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = (await self.get("/api/hitl?status=all"))["items"]
        return items

    async def get(self, path: str) -> dict[str, Any]:
        return await self._call("GET", path)

    async def answer(self, hitl_id: str, kind: str, value: str) -> None:
        await self._call("POST", f"/api/hitl/{hitl_id}/answer", {"type": kind, "value": value})

    async def _call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {KEY}"}
        async with httpx.AsyncClient(trust_env=False, headers=headers) as client:
            reply = await client.request(method, f"{self.world.backend.url}{path}", json=body)
        assert reply.status_code < 300, reply.text
        found: dict[str, Any] = reply.json()
        return found


def lapse(store_uri: str, database: str) -> None:
    """The time of every question is over, as the store has it."""
    over = {"$set": {"expiresAt": datetime.now(UTC) - timedelta(seconds=1)}}
    with MongoClient[dict[str, Any]](store_uri) as client:
        client[database]["hitl"].update_many({}, over)
