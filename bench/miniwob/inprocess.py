"""MiniWoB++ without the server and the panel: page scripts, rules and actions in one process.

For developing the rules: a task takes about a second. The published figures come from `bench.miniwob`.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Page, async_playwright

from app.api.routes.interact.request import InteractRequest
from app.cli.chromium import find_chromium
from app.domain.action import ActionRecord
from app.domain.page import Observation
from app.domain.plan import Decision, Plan
from app.domain.reasoner import Situation
from app.reasoners.rules import RuleReasoner
from bench.miniwob.tasks import goal_of, outcome_of, served_tasks, start_episode
from tests.browser import page_harness

TRIPS = 30
SETTLE_MS = 500  # the runner's minimum wait


@dataclass
class Episode:
    """A task from its goal to its reward."""

    page: Page
    reasoner: RuleReasoner
    goal: str
    verbose: bool = False
    records: list[ActionRecord] = field(default_factory=list)
    trips: int = 0
    next_id: int = 1

    async def run(self) -> str:
        """Work on the goal; returns why it ended."""
        seen = await self.observe()
        instruction = await self.reasoner.understand(self.goal, seen)
        plan = await self.reasoner.plan(
            Situation(goal=self.goal, page=seen, instruction=instruction)
        )
        while self.trips < TRIPS:
            if plan.step is None:
                return "all steps done"
            situation = Situation(goal=self.goal, page=seen, plan=plan, records=tuple(self.records))
            last = self.records[-1] if self.records else None
            if last is not None and last.status == "failure":
                refinement = await self.reasoner.correct(situation, last.note)
            else:
                refinement = await self.reasoner.refine(situation)
            self.tell(plan, refinement)
            if refinement.outcome == "done":
                plan = plan.advanced()
                continue
            if refinement.outcome != "act":
                return f"{refinement.outcome}: {refinement.reason or refinement.thought}"
            worked = await self.act(plan, seen, refinement)
            self.trips += 1
            if worked and refinement.completes_step:
                plan = plan.advanced()
            seen = await self.observe()
        return "too many round trips"

    async def observe(self) -> Observation:
        """The page as the server receives it."""
        await page_harness.install(self.page)
        raw = await page_harness.observe(self.page, next_id=self.next_id)
        self.next_id = raw["nextId"]
        body = {
            **raw,
            "interactiveTree": raw["tree"],
            "query": self.goal,
            "pageTitle": raw["title"],
        }
        return InteractRequest.model_validate(body).observation()

    async def act(self, plan: Plan, seen: Observation, refinement: Decision) -> bool:
        """Execute the proposals; returns whether all of them worked."""
        for proposal in refinement.proposals:
            made = proposal.action
            if made.name == "wait":
                await asyncio.sleep(int(made.args["ms"]) / 1_000)
                result: dict[str, Any] = {"status": "success"}
            else:
                result = await page_harness.act(self.page, made.name, dict(made.args))
            node = seen.tree.get(made.target or "")
            self.records.append(
                ActionRecord(
                    action=made,
                    description=proposal.description,
                    step=plan.current,
                    signature=node.signature if node else None,
                    status=result["status"],
                    note=str(result.get("error", "")),
                    purpose=proposal.purpose,
                    passed=proposal.passed,
                )
            )
            if self.verbose:
                print("      ", made.text, result)
            if result["status"] != "success" and not proposal.can_fail:
                return False
        await asyncio.sleep(SETTLE_MS / 1_000)
        return True

    def tell(self, plan: Plan, refinement: Decision) -> None:
        """Print the step and its proposals."""
        if self.verbose:
            step = plan.step
            print(
                f"    [{step.description if step else ''}] {refinement.outcome}: {refinement.thought}"
            )


def print_tree(seen: Observation) -> None:
    """Print the page as the rules see it."""
    for node in seen.tree:
        states = ",".join(sorted(node.states))
        print(
            f"      {node.id} {node.role} {node.name!r} v={node.value!r} [{states}] "
            f"t={node.input_type} g={node.group!r} o={list(node.options)[:6]} occ={node.occluded}"
        )
    print("      summary:", repr(seen.summary[:400]))


async def measure(tasks: Sequence[str], seeds: Sequence[int], *, verbose: bool) -> dict[str, int]:
    """Solved seeds by task."""
    reasoner = RuleReasoner()
    solved: dict[str, int] = {}
    with served_tasks() as base:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_chromium(None).path, args=["--no-sandbox", "--disable-gpu"]
            )
            page = await browser.new_page(viewport={"width": 1280, "height": 800})
            for task in tasks:
                for seed in seeds:
                    began = time.monotonic()
                    await start_episode(page, f"{base}/miniwob/{task}.html", seed)
                    goal = await goal_of(page)
                    episode = Episode(page, reasoner, goal, verbose)
                    if verbose:
                        print("---", task, seed, goal)
                        print_tree(await episode.observe())
                    try:
                        why = await asyncio.wait_for(episode.run(), 60)
                    except Exception as error:  # noqa: BLE001 - one broken episode is a row of the table
                        why = f"{type(error).__name__}: {error}"
                    reward, reason = await outcome_of(page)
                    won = reward > 0
                    solved[task] = solved.get(task, 0) + won
                    seconds = time.monotonic() - began
                    row = f"{'ok  ' if won else 'FAIL'} {task:28} {seed} {episode.trips:3} trips"
                    told = "" if won else f"  {goal} | {why} | {reason}"
                    print(f"{row} {seconds:5.1f} s{told}", flush=True)
                    if not won and verbose:
                        print_tree(await episode.observe())
            await browser.close()
    return solved


def main() -> None:
    """Parse the arguments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="+")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.seeds)
    solved = asyncio.run(measure(args.tasks, seeds, verbose=args.verbose))
    print(
        f"{sum(n * 2 > args.seeds for n in solved.values())} of {len(solved)} tasks on most seeds"
    )


if __name__ == "__main__":
    main()
