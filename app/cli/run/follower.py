"""Follows one task from outside: its state from the panel, its actions from the server."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Error as BrowserError
from playwright.async_api import Page
from rich.console import Console

from app.cli.run.timeline import Step, Timeline, read_timeline
from app.cli.terminal import print_text

YES = "yes"
ENDED = frozenset({"completed", "failed", "interrupted"})
POLL_S = 0.15
ANSWER_S = 10.0  # the run polls for answers given elsewhere
FINAL_S = 5.0  # the last row may be written just after the panel shows the end


async def find_question(api: httpx.AsyncClient, task_id: str | None) -> dict[str, Any] | None:
    """The pending question of the task, or the newest one if the task's id is not known yet."""
    response = await api.get("/api/hitl", params={"status": "pending"})
    items: list[dict[str, Any]] = response.raise_for_status().json()["items"]
    return next((one for one in items if task_id is None or one["taskId"] == task_id), None)


async def reply_to_question(
    api: httpx.AsyncClient,
    question: dict[str, Any],
    console: Console,
    *,
    approves: bool,
    ask: Callable[[str], str] | None,
) -> bool:
    """Have a question answered; False if nobody is there to answer. With `approves`, approvals are given
    without asking. An empty line cancels.
    """
    _print_question(question, console)
    if approves and question["kind"] == "approval":
        console.print("  yes (--yes)", style="dim", highlight=False)
        await _send(api, question, YES)
        return True
    while ask is not None:
        value = (await asyncio.to_thread(ask, "  > ")).strip()
        if (problem := await _send(api, question, value or None)) is None:
            return True
        print_text(f"  {problem}", console)
    return False


def _print_question(question: dict[str, Any], console: Console) -> None:
    """Print the question with its numbered options."""
    lines = [question["message"]]
    approval = question.get("approval") or {}
    if approval.get("undo") and approval["undo"] not in question["message"]:
        lines.append(f"  {approval['undo']}")
    if question["expectedInput"] != "yes_no":
        lines += [f"  {one['id']}  {one['label']}" for one in question["options"]]
    hint = "yes or no" if question["expectedInput"] == "yes_no" else "an empty line cancels"
    print_text("\n".join(lines), console)
    console.print(f"  ({hint})", style="dim", highlight=False)


async def _send(api: httpx.AsyncClient, question: dict[str, Any], value: str | None) -> str | None:
    """Record the answer. Returns why it was rejected; None if it was accepted or came too late."""
    body = {"type": "cancel" if value is None else question["interruptType"], "value": value}
    response = await api.post(f"/api/hitl/{question['hitlId']}/answer", json=body)
    if response.status_code == httpx.codes.UNPROCESSABLE_ENTITY:
        return str(response.json()["detail"])
    if response.status_code not in (httpx.codes.CONFLICT, httpx.codes.BAD_REQUEST):
        response.raise_for_status()
    return None


# The connection stays open as long as the panel; progress is read from the timeline.
_ASK_RUNNER = """async (message) => {
  await chrome.runtime.sendMessage({ to: "worker", name: "runner.ensure" });
  const tabId = Number(new URLSearchParams(location.search).get("tabId"));
  globalThis.runnerPort = chrome.runtime.connect({ name: "tabwright.panel" });
  for (const one of [{ kind: "attach", tabId }, message]) globalThis.runnerPort.postMessage(one);
}"""


class Follower:
    """Follows the tasks of one panel: `page` is the tab they work in, `api` an authenticated client.

    `on_step` is called with each action once its result is known, and the tokens spent so far.
    Screenshots of the page go to `out` as `step-01.png` and so on.
    """

    def __init__(
        self,
        *,
        panel: Page,
        page: Page,
        api: httpx.AsyncClient,
        out: Path,
        on_step: Callable[[Step, int], None],
    ) -> None:
        self._panel, self._page, self._api, self._out = panel, page, api, out
        self._on_step = on_step
        self._reported: set[str] = set()
        self._shots = 0
        self._task: str | None = None

    async def state(self) -> str:
        """The panel's state, one of CONTRACT's `data-state` values."""
        return await self._panel.get_by_test_id("status").get_attribute("data-state") or "idle"

    async def start(self, goal: str) -> None:
        """Type a goal and press run."""
        await self._panel.get_by_test_id("goal-input").fill(goal)
        await self._panel.get_by_test_id("run-button").click()

    async def replay(self, goal: str, recipe_id: str, values: Mapping[str, str]) -> None:
        """Start a recipe in the tab, through the panel's connection to the runner."""
        recipe = {"recipeId": recipe_id, "values": values}
        await self._panel.evaluate(_ASK_RUNNER, {"kind": "run", "goal": goal, "recipe": recipe})

    async def snapshot(self) -> tuple[str, str | None]:
        """The panel's state and the task id stored for its tab; a new run changes them."""
        return await self.state(), await self._stored_task_id()

    async def until_started(self, previous: tuple[str, str | None]) -> None:
        """Wait until the panel differs from the `previous` snapshot and is not idle."""
        while True:
            current = await self.snapshot()
            if current != previous and current[0] != "idle":
                return
            await asyncio.sleep(POLL_S)

    async def until_ended(self, *, limit_s: float | None, stop_at_question: bool) -> str:
        """Report each step when it settles; returns the panel's final state, or `timeout`."""
        started = time.monotonic()
        while (state := await self.state()) not in ENDED:
            await self._report_steps(await self.timeline(), last=False)
            if state == "waiting" and stop_at_question:
                return state
            if limit_s is not None and time.monotonic() - started > limit_s:
                return "timeout"
            await asyncio.sleep(POLL_S)
        return state

    async def stop(self) -> None:
        """Press stop if the run is not over, and wait until the panel accepts another goal."""
        stop = self._panel.get_by_test_id("stop-button")
        if await self.state() not in ENDED and await stop.is_visible():
            await stop.click()
            await self._panel.get_by_test_id("goal-input").wait_for()

    async def answer_question(
        self, console: Console, *, approves: bool, ask: Callable[[str], str] | None
    ) -> bool:
        """Have the pending question answered, and wait until the run proceeds; False if that fails."""
        question = await self._find_question()
        if question is None or not await reply_to_question(
            self._api, question, console, approves=approves, ask=ask
        ):
            return False
        deadline = time.monotonic() + ANSWER_S
        state = await self.state()
        while state == "waiting" and time.monotonic() < deadline:
            await asyncio.sleep(POLL_S)
            state = await self.state()
        if state != "waiting":
            return True
        another = await self._find_question()
        return another is not None and another["hitlId"] != question["hitlId"]

    async def question(self) -> str:
        """The pending question, or what the panel shows if the server has none."""
        question = await self._find_question()
        return str(question["message"]) if question else await self.text("assist")

    async def _find_question(self) -> dict[str, Any] | None:
        return await find_question(self._api, await self._stored_task_id() or self._task)

    async def final(self) -> Timeline | None:
        """The timeline once the server has recorded the end; reports the remaining steps."""
        deadline = time.monotonic() + FINAL_S
        timeline = await self.timeline()
        while timeline and timeline.status not in ENDED and time.monotonic() < deadline:
            await asyncio.sleep(POLL_S)
            timeline = await self.timeline()
        await self._report_steps(timeline, last=True)
        return timeline

    async def text(self, test_id: str) -> str:
        """The text of an element of the panel; empty if it is missing."""
        element = self._panel.get_by_test_id(test_id)
        return (await element.first.inner_text()).strip() if await element.count() else ""

    async def timeline(self) -> Timeline | None:
        """The task on the server; None before its first action."""
        self._task = await self._stored_task_id() or self._task
        if self._task is None:
            return None
        response = await self._api.get(f"/api/task/{self._task}")
        if response.status_code == httpx.codes.NOT_FOUND:
            return None
        return read_timeline(response.raise_for_status().json())

    async def _stored_task_id(self) -> str | None:
        """The task id that the extension stores for this tab, which may be deleted when the task
        ends.
        """
        tab_id = await self._panel.evaluate("new URLSearchParams(location.search).get('tabId')")
        key = f"task_{tab_id}"
        stored = await self._panel.evaluate("key => chrome.storage.local.get(key)", key)
        task_id = (stored.get(key) or {}).get("taskId")
        return str(task_id) if task_id else None

    async def _report_steps(self, timeline: Timeline | None, *, last: bool) -> None:
        for step in timeline.steps if timeline else ():
            if step.action_id in self._reported or not (step.is_settled or last):
                continue
            self._reported.add(step.action_id)
            await self._save_screenshot()
            self._on_step(step, timeline.tokens if timeline else 0)

    async def _save_screenshot(self) -> None:
        self._shots += 1
        self._out.mkdir(parents=True, exist_ok=True)
        with suppress(BrowserError):  # the tab was closed or is navigating; a picture is optional
            await self._page.screenshot(path=self._out / f"step-{self._shots:02}.png")
