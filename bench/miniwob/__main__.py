"""Run MiniWoB++ through the real extension and server: any tasks, any number of seeds.

    python -m bench.miniwob [TASK ...] [--seeds 5] [--first 0] [--reasoner URL] [--json FILE]

The pages come from the installed package and are served on loopback; each seed seeds the page's own
`Math.random`; the goal is the page's utterance, typed into the panel; a raw reward above 0 is a success.
`--reasoner` is a Gemini-compatible endpoint; without it no model is used.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
from playwright.async_api import Page

from app.cli.browser import EXTENSION_DIR, open_browser
from app.cli.chromium import find_chromium
from app.cli.run.children import backend
from app.cli.run.follower import ENDED, Follower
from bench.consent import let_act_unasked
from bench.miniwob.tasks import all_tasks, goal_of, outcome_of, served_tasks, start_episode
from bench.model import model_environment

DEFAULT_TASKS = (
    "click-button", "click-link", "click-dialog-2", "click-checkboxes", "click-tab", "enter-text",
    "enter-password", "login-user", "choose-list", "focus-text-2", "click-option", "search-engine",
)  # fmt: skip
LIMIT_S = 90.0  # limit of an episode; the slowest solved one takes about 20 s
MODEL_LIMIT_S = 900.0  # the limit with a model, which may be slow
POLL_S = 0.05


@dataclass(frozen=True, slots=True)
class Result:
    """A task with a seed. `reason` says why it was not solved."""

    task: str
    seed: int
    goal: str
    solved: bool
    round_trips: int
    calls: int
    tokens: int
    seconds: float
    state: str
    reason: str


async def play(
    page: Page, follower: Follower, url: str, task: str, seed: int, limit_s: float
) -> Result:
    """Start the episode, give its goal to the panel, wait for the end and read the reward."""
    await page.bring_to_front()  # a screenshot shows the tab in front
    await start_episode(page, url, seed)
    goal = await goal_of(page)
    began = time.monotonic()
    before = await follower.snapshot()
    await follower.start(goal)
    try:
        async with asyncio.timeout(limit_s):
            await follower.until_started(before)
            state = await _ended(follower)
    except TimeoutError:
        state = "timeout"
    seconds = time.monotonic() - began
    reward, said = await outcome_of(page)
    timeline = await follower.timeline()
    told = await follower.text("result") or await follower.text("assist")
    await follower.stop()
    return Result(
        task=task,
        seed=seed,
        goal=goal,
        solved=reward > 0,
        round_trips=timeline.round_trips if timeline else 0,
        calls=timeline.model_calls if timeline else 0,
        tokens=timeline.tokens if timeline else 0,
        seconds=round(seconds, 1),
        state=state,
        reason="" if reward > 0 else f"{state}: {told or said}",
    )


async def _ended(follower: Follower) -> str:
    while True:
        state = await follower.state()
        if state in ENDED or state == "waiting":
            return state
        await asyncio.sleep(POLL_S)


async def measure(tasks: Sequence[str], seeds: Sequence[int], reasoner: str = "") -> list[Result]:
    """Run every task with every seed in turn in one tab."""
    model = model_environment(reasoner) if reasoner else {"TABWRIGHT_LLM": "rules"}
    limit_s = MODEL_LIMIT_S if reasoner else LIMIT_S
    results: list[Result] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch, served_tasks() as base:
        folder = Path(scratch)
        environment = model | {"TABWRIGHT_RATE_LIMIT": "100000/minute"}
        with backend(folder / "data", environment=environment) as server:
            async with open_browser(
                chromium=find_chromium(None).path,
                extension=EXTENSION_DIR,
                headless=True,
                hosts=("<all_urls>",),  # required for a screenshot of a tab
            ) as browser:
                await browser.configure(server.url, server.api_key)
                page = await browser.context.new_page()
                await page.goto(f"{base}/miniwob/{tasks[0]}.html")
                panel = await browser.open_panel(page, window=True)
                headers = {"Authorization": f"Bearer {server.api_key}"}
                async with httpx.AsyncClient(base_url=server.url, headers=headers) as api:
                    await let_act_unasked(api)
                    follower = Follower(
                        panel=panel,
                        page=page,
                        api=api,
                        out=folder,
                        on_step=lambda _step, _tokens: None,
                    )
                    for task in tasks:
                        for seed in seeds:
                            url = f"{base}/miniwob/{task}.html"
                            one = await play(page, follower, url, task, seed, limit_s)
                            results.append(one)
                            print(_row(results[-1]), flush=True)
    return results


def _row(result: Result) -> str:
    mark = "ok  " if result.solved else "FAIL"
    told = "" if result.solved else f"  {result.goal} | {result.reason}"
    spent = f"{result.round_trips:3} trips {result.calls:3} calls {result.seconds:5.1f} s"
    return f"{mark} {result.task:28} {result.seed:3} {spent}{told}"


def table(results: Sequence[Result]) -> str:
    """Solved seeds, round trips, calls and seconds by task, and how many tasks are solved on most seeds."""
    lines = [f"{'task':28} {'solved':>8} {'trips':>6} {'calls':>6} {'seconds':>8}"]
    most = 0
    tasks = list(dict.fromkeys(result.task for result in results))
    for task in tasks:
        rows = [result for result in results if result.task == task]
        solved = sum(row.solved for row in rows)
        most += solved * 2 > len(rows)
        trips = sum(row.round_trips for row in rows) / len(rows)
        calls = sum(row.calls for row in rows) / len(rows)
        seconds = sum(row.seconds for row in rows) / len(rows)
        lines.append(
            f"{task:28} {f'{solved}/{len(rows)}':>8} {trips:6.1f} {calls:6.1f} {seconds:8.1f}"
        )
    lines.append(f"{most} of {len(tasks)} tasks solved on most seeds")
    if asked := sum(one.calls for one in results):
        tokens = sum(one.tokens for one in results)
        spent = f"{asked / len(results):.1f} calls and {tokens / len(results):,.0f} tokens"
        lines.append(f"{spent} an episode")
    return "\n".join(lines)


def main() -> None:
    """Parse the arguments, run, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "tasks", nargs="*", default=list(DEFAULT_TASKS), help="task names, or `all`"
    )
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--reasoner", default="", help="a Gemini-compatible endpoint")
    parser.add_argument("--json", type=Path, help="file for the results")
    args = parser.parse_args()
    tasks = all_tasks() if args.tasks == ["all"] else args.tasks
    results = asyncio.run(measure(tasks, range(args.first, args.first + args.seeds), args.reasoner))
    print(table(results))
    if args.json:
        args.json.write_text(json.dumps([asdict(result) for result in results], indent=1), "utf-8")


if __name__ == "__main__":
    main()
