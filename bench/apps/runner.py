"""Run goals on a real backend, a real Chromium with the extension, and a real application."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Error as BrowserError
from rich.console import Console

from app.cli.browser import EXTENSION_DIR, Browser, open_browser
from app.cli.chromium import find_chromium
from app.cli.run.children import backend
from app.cli.run.follower import YES, Follower, find_question
from bench.apps.app import App
from bench.apps.goal import Goal, State, difference
from bench.model import model_environment

NEVER_ANSWERED = "I cannot say more than that. Do what I asked for if you can; if not, stop."
QUESTIONS = 8  # of one run; a person would give up by then
COMMANDS_S = 300.0  # a goal without a model takes 10 s on an idle machine; this only ends a hang
STARTS_S = 120.0
PAGE_MS = 120_000
SETTLE_S = 0.25


@dataclass(frozen=True, slots=True)
class Mode:
    """How the backend is started, and the time limit of a goal."""

    name: str
    environment: dict[str, str]
    limit_s: float


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the answer it got."""

    kind: str
    message: str
    answer: str


@dataclass(slots=True)
class Result:
    """The result of one goal. `right` is judged by the application's state, `state` is the agent's;
    `unasked` are irreversible actions that nobody approved; `spoilt`: something was changed, but not as
    requested.
    """

    app: str
    goal: str
    kind: str
    words: str
    right: bool = False
    state: str = "broken"
    said: str = ""
    false_done: bool = False
    asked: list[Asked] = field(default_factory=list)
    needless: int = 0
    unasked: list[str] = field(default_factory=list)
    spoilt: bool = False
    wrong: list[str] = field(default_factory=list)
    calls: int = 0
    prompt_tokens: int = 0
    round_trips: int = 0
    seconds: float = 0.0
    steps: list[str] = field(default_factory=list)


def commands_mode() -> Mode:
    """Explicit commands, no model."""
    return Mode("commands", {"TABWRIGHT_LLM": "rules"}, COMMANDS_S)


def reasoner_mode(model_url: str, limit_s: float) -> Mode:
    """A model behind any Gemini-compatible endpoint, however slow."""
    return Mode("reasoner", model_environment(model_url), limit_s)


@dataclass(frozen=True, slots=True)
class Bench:
    """What all goals share: the backend, the browser and the mode."""

    browser: Browser
    api: httpx.AsyncClient
    mode: Mode
    folder: Path

    async def play(self, app: App, goal: Goal) -> Result:
        """Run one goal in a new tab, panel and session, on the application's initial data."""
        result = Result(app.name, goal.id, goal.kind, goal.words)
        await asyncio.to_thread(app.reset)
        before = app.state()
        await self.browser.context.clear_cookies()
        page = await self.browser.context.new_page()
        try:
            await app.open(page, goal.start)
            panel = await self.browser.open_panel(page, window=True)
            await panel.evaluate("chrome.storage.local.remove('sessionId')")
            follower = Follower(
                panel=panel,
                page=page,
                api=self.api,
                out=self.folder / goal.id,
                on_step=lambda *_: None,
            )
            await self._run(follower, goal, result)
            await self._settle(app, goal, before)
            self._judge(app, goal, before, result)
        except (BrowserError, httpx.HTTPError, TimeoutError, LookupError) as error:
            result.wrong.append(f"broken: {error}")
        finally:
            for tab in self.browser.context.pages[1:]:
                await tab.close()
        return result

    async def _run(self, follower: Follower, goal: Goal, result: Result) -> None:
        began = time.monotonic()
        known = await self._tasks()
        spent = await self._spent()
        standing = await follower.snapshot()
        await follower.start(goal.words)
        async with asyncio.timeout(STARTS_S):
            await follower.until_started(standing)
        while True:
            left = self.mode.limit_s - (time.monotonic() - began)
            result.state = await follower.until_ended(limit_s=left, stop_at_question=True)
            if result.state != "waiting" or not await self._answer(follower, goal, result):
                break
        await follower.final()
        result.seconds = round(time.monotonic() - began, 1)
        result.said = await follower.text("result") or await follower.text("assist")
        calls, tokens = await self._spent()
        result.calls, result.prompt_tokens = calls - spent[0], tokens - spent[1]
        await self._tell(await self._tasks() - known, result)

    async def _answer(self, follower: Follower, goal: Goal, result: Result) -> bool:
        """Answer the question as the goal says; False if it cannot be answered."""
        question = await find_question(self.api, None)
        if question is None or len(result.asked) >= QUESTIONS:
            return False
        said = _answered(goal, question)
        result.asked.append(Asked(question["kind"], question["message"], said))
        tries = iter((said,))  # an empty line cancels a question that took no answer
        quiet = Console(file=StringIO())
        return await follower.answer_question(quiet, approves=False, ask=lambda _: next(tries, ""))

    async def _settle(self, app: App, goal: Goal, before: State) -> None:
        """Wait until the application has stored the changes; if nothing may change, wait the full time."""
        wanted = goal.expected(before)
        for _ in range(int(app.settles_s / SETTLE_S)):
            if goal.becomes is not None and app.state() == wanted:
                return
            await asyncio.sleep(SETTLE_S)

    def _judge(self, app: App, goal: Goal, before: State, result: Result) -> None:
        after = app.state()
        result.wrong = difference(goal.expected(before), after)
        result.spoilt = bool(result.wrong) and after != before
        if not goal.answered(before, result.said):
            result.wrong.append("the answer does not hold what the application says")
        done = result.state == "completed"
        result.false_done = done and (bool(result.wrong) or goal.ends == "not done")
        result.right = not result.wrong and done == (goal.ends == "done")
        result.needless = max(0, len(result.asked) - goal.questions)
        agreed = any(one.kind == "approval" and one.answer == YES for one in result.asked)
        result.unasked = [] if agreed else app.consequences(before, after)

    async def _spent(self) -> tuple[int, int]:
        """Model calls and prompt tokens of this backend so far."""
        total = (await self.api.get("/api/usage/summary")).raise_for_status().json()["total"]
        return int(total["calls"]), int(total["inputTokens"])

    async def _tasks(self) -> set[str]:
        found = (await self.api.get("/api/tasks", params={"limit": 200})).raise_for_status().json()
        return {one["taskId"] for one in found["tasks"]}

    async def _tell(self, tasks: Iterable[str], result: Result) -> None:
        """Record a line for each action."""
        for task_id in tasks:
            task = (await self.api.get(f"/api/task/{task_id}")).raise_for_status().json()
            result.round_trips += int(task["metrics"].get("roundTrips", 0))
            result.steps += map(_step, task["actions"])


def _answered(goal: Goal, question: dict[str, Any]) -> str:
    if question["kind"] == "approval":
        return YES if goal.agrees else "no"
    return goal.reply or NEVER_ANSWERED


def _step(action: dict[str, Any]) -> str:
    verdict = (action.get("verification") or {}).get("reason") or ""
    error = (action.get("error") or {}).get("code") or ""
    what = f"{action.get('stepIndex')} {action.get('action')} [{action.get('description')}]"
    return " ".join(f"{what} {action.get('status')} {error} {verdict}".split())


@asynccontextmanager
async def opened_bench(folder: Path, mode: Mode) -> AsyncIterator[Bench]:
    """A backend and a browser, stopped on exit. `folder` holds the backend's data and the screenshots."""
    environment = {"TABWRIGHT_RATE_LIMIT": "100000/minute", **mode.environment}
    with backend(folder / "data", environment=environment) as up:
        headers = {"Authorization": f"Bearer {up.api_key}"}
        async with (
            open_browser(
                chromium=find_chromium(None).path,
                extension=EXTENSION_DIR,
                headless=True,
                hosts=("<all_urls>",),  # required for a screenshot of a tab
            ) as browser,
            httpx.AsyncClient(base_url=up.url, headers=headers, timeout=60, trust_env=False) as api,
        ):
            browser.context.set_default_timeout(PAGE_MS)
            await browser.configure(up.url, up.api_key)
            yield Bench(browser, api, mode, folder)
