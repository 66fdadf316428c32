"""Run one task with its fault in a tab of the site, to its end."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Error, Page

from app.cli.browser import EXTENSION_DIR, Browser, open_browser
from app.cli.chromium import find_chromium
from app.cli.run.children import backend
from app.cli.run.follower import ENDED
from app.domain.access import Approvals, Policy, Principal
from app.settings import Settings
from app.store.open import open_store
from app.store.repositories import Store
from bench.faults.apps import APPS, Goal
from bench.faults.cases import BY_NAME, Case
from bench.faults.outcome import Result, broken_result, judge_run
from bench.faults.proxy import Between, served_here
from bench.faults.site import Site

RULES = {"TABWRIGHT_LLM": "rules", "TABWRIGHT_RATE_LIMIT": "1000000/minute"}
LIMIT_S = 120.0  # of one run: ends a hang, with margin for a busy machine
ROUND_S = 15.0  # limit for opening its tab and closing the tabs it left
POLL_S = 0.05
UNASKED = Approvals(never_for=("*",))  # nobody is there to approve actions


@dataclass
class Desk:
    """What all runs share: a site, a backend, a browser, and by default a tenant."""

    site: Site
    address: str
    between: Between
    browser: Browser
    api: httpx.AsyncClient
    store: Store
    tenants: int = 0

    async def forget(self) -> None:
        """Use a new tenant, without learned data, from now on."""
        self.tenants += 1
        who = Principal(tenant=f"bench-{self.tenants}", user="bench", scopes=("browser",))
        await self.store.policies.put(Policy(tenant=who.tenant, approvals=UNASKED))
        _, self.between.key = await self.store.keys.create(who)
        self.api.headers["Authorization"] = f"Bearer {self.between.key}"

    async def play(self, case: Case) -> Result:
        """One run in its own tab; all tabs it leaves are closed, and a hang is ended."""
        try:
            async with asyncio.timeout(LIMIT_S + ROUND_S):
                return await self._played(case)
        except TimeoutError:
            return broken_result(case, f"It did not end within {LIMIT_S:.0f} s")

    async def _played(self, case: Case) -> Result:
        goal = self.site.begin(case)
        page = await self.browser.context.new_page()
        try:
            await page.goto(f"{self.address}{APPS[case.app].start}", wait_until="domcontentloaded")
            if _is_active(case):
                await page.mouse.click(3, 3)
            if case.fault != "skeleton":
                await page.locator("h1").first.wait_for()
            panel = await self.browser.open_panel(page)
            return await self._followed(case, goal, page, panel)
        finally:
            self.between.meddle = _no_meddling
            for tab in self.browser.context.pages[1:]:
                with suppress(Error):
                    await tab.close()

    async def _followed(self, case: Case, goal: Goal, page: Page, panel: Page) -> Result:
        self.between.answers.clear()
        self.between.meddle = _Meddling(case, page)
        known = await self._skills()
        began = time.monotonic()
        await panel.get_by_test_id("goal-input").fill(goal.words)
        await page.evaluate("faults.begin()")
        await panel.get_by_test_id("run-button").click()
        await self._begun()
        state = await _ended(panel)
        seconds = time.monotonic() - began
        said = await _said(panel)
        task = await self._task()
        answers = [json.loads(one) for one in self.between.answers]
        fired = await _fired(case, self.site, page)
        used = sum(
            count - known[name] for name, count in (await self._skills()).items() if name in known
        )
        return judge_run(
            case=case, goal=goal, state=state, said=said, seconds=seconds, task=task,
            answers=answers, handed=tuple(self.site.handed), fired=fired,
            strayed=await _noted(page, "strayed"), skills=used,
        )  # fmt: skip

    async def _begun(self) -> None:
        """Wait for the first answer: until then the panel may offer to continue an earlier run on this
        page.
        """
        for _ in range(int(LIMIT_S / POLL_S)):
            if self.between.answers:
                return
            await asyncio.sleep(POLL_S)

    async def _skills(self) -> dict[str, int]:
        """The use count of each learned item, by id."""
        reply = await self.api.get("/api/skills", params={"limit": 100})
        found = reply.json()["skills"] if reply.is_success else []
        return {one["id"]: one["successCount"] + one["failureCount"] for one in found}

    async def _task(self) -> dict[str, Any]:
        """The run's task as stored by the server; empty if it did nothing."""
        named = [json.loads(one).get("taskId") for one in self.between.answers]
        reply = await self.api.get(f"/api/task/{named[-1]}") if named and named[-1] else None
        return dict(reply.json()) if reply is not None and reply.is_success else {}


class _Meddling:
    """Triggers the fault before the `at`th action of the run is passed on."""

    def __init__(self, case: Case, page: Page) -> None:
        self._case, self._page, self._acts = case, page, 0

    async def __call__(self) -> None:
        self._acts += 1
        if self._acts == self._case.at:
            with suppress(Error):  # the page is between two documents: there is nothing to change
                await self._page.evaluate("faults.between()")


async def _no_meddling() -> None:
    pass


def _is_active(case: Case) -> bool:
    return case.fault in BY_NAME and BY_NAME[case.fault].active


async def _ended(panel: Page) -> str:
    """The panel's final state; `waiting` if a person is asked."""
    status = panel.get_by_test_id("status")
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        state = await status.get_attribute("data-state") or "idle"
        if state in ENDED or state == "waiting":
            return state
        await asyncio.sleep(POLL_S)
    return "timeout"


async def _said(panel: Page) -> str:
    """The final message, which the panel writes shortly after its state."""
    for _ in range(int(ROUND_S / POLL_S)):
        if said := await _text(panel, "result") or await _text(panel, "assist"):
            return said
        await asyncio.sleep(POLL_S)
    return ""


async def _text(panel: Page, test_id: str) -> str:
    part = panel.get_by_test_id(test_id)
    text = await part.first.inner_text() if await part.count() else ""
    return re.sub(r"\s+", " ", text).strip()


async def _fired(case: Case, site: Site, page: Page) -> bool:
    """Whether the fault occurred."""
    if site.refusals or case.fault in ("none", "slow save", "slow page", "skeleton"):
        return True
    return await _noted(page, "fired")


async def _noted(page: Page, name: str) -> bool:
    """Whether the page's own script logged that event."""
    with suppress(Error):
        return bool(await page.evaluate(f"sessionStorage.getItem('{name}')"))
    return False


@asynccontextmanager
async def opened_desk(folder: Path) -> AsyncIterator[Desk]:
    """A running desk with rules alone; `folder` holds the backend's data and log."""
    site = Site()
    data = folder / "data"
    with backend(data, environment=RULES) as up:
        between = Between(up.url)
        headers = {"Authorization": f"Bearer {up.api_key}"}
        async with (
            open_store(Settings(data_dir=data)) as store,
            served_here(site.app()) as address,
            served_here(between.app()) as passing,
            open_browser(
                chromium=find_chromium(None).path, extension=EXTENSION_DIR, headless=True
            ) as browser,
            httpx.AsyncClient(base_url=up.url, headers=headers, trust_env=False) as api,
        ):
            await browser.configure(passing, up.api_key)
            try:
                await store.policies.put(Policy(tenant="default", approvals=UNASKED))
                yield Desk(site, address, between, browser, api, store)
            finally:
                await between.close()
