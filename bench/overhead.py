"""Measure what using a model adds to a round trip besides its own time: prompts, schemas, checks, the SDK.

    python -m bench.overhead [--times 10] [--nodes 0,200]

Each page gets two tasks: a goal that rules understand, with no model configured, and one in other words,
with a Gemini fake that answers at once. A round trip is what the client waits for, less the time the fake
took from each call's arrival to its answer. Both are medians over pages of the same kind; `nodes` is the
number of additional controls on the page.
"""

import argparse
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bench.cost.__main__ import RULES, Client, server
from bench.cost.desk import Control, Desk
from bench.cost.tasks import TASKS, Task
from tests.fakes.gemini import FakeGemini
from tests.fakes.tavily import FakeTavily

MOST_TRIPS = 6
WARM_UP = 3
LIMIT_MS = 15.0  # limit of what a model may add
PLAIN = {
    "five-field form": (
        "Enter 'Jas Okafor' as Full name, '1990-05-03' as Date of birth, '020 7946 0100' as Phone,"
        " 'Leeds' as City and 'Nordia' as Insurer, then click Save contact"
    ),
    "search and open": "Enter 'Dunn' in Search contacts, then click Open for Cara Dunn",
    "action in a row": "Click 'Mark as shipped' for Contoso",
    "wrong id, re-asked": "Click 'Mark as shipped' for Wingtip",
}
"""The same goals in words that rules understand."""


@dataclass
class LongDesk(Desk):
    """The desk with `more` additional controls."""

    more: int = 0

    def controls(self) -> list[Control]:
        """With a long list of records below the page."""
        rest = [
            Control("link", f"Record {n}", f"table: Log > row: Entry {n}") for n in range(self.more)
        ]
        return super().controls() + rest


@dataclass
class Trips:
    """Milliseconds of each round trip without the fake's part; `asking` are those with a model call."""

    own: list[float] = field(default_factory=list)
    asking: list[float] = field(default_factory=list)

    def add(self, other: "Trips") -> None:
        """Merge another measurement."""
        self.own += other.own
        self.asking += other.asking


class Clock:
    """The fake's working time since the last query."""

    def __init__(self, gemini: FakeGemini | None) -> None:
        self._gemini, self._seen = gemini, 0

    def spent(self) -> tuple[int, float]:
        """(calls, ms)."""
        calls = self._gemini.calls[self._seen :] if self._gemini else []
        self._seen += len(calls)
        return len(calls), sum(call.took_ms for call in calls)


def run_task(goal: str, desk: Desk, client: Client, clock: Clock) -> Iterator[tuple[int, float]]:
    """(calls, own ms) of each round trip until the task ends. Raises if it does not end well."""
    body: dict[str, Any] = desk.observation() | {"query": goal}
    for _ in range(MOST_TRIPS):
        began = time.perf_counter()
        answer = client.post(body)
        whole = (time.perf_counter() - began) * 1000
        calls, model = clock.spent()
        yield calls, whole - model
        if answer.get("type") != "action":
            if answer.get("status") != "completed":
                raise SystemExit(f"{goal}: {answer.get('result') or answer}")
            return
        body = desk.step(answer)


def time_task(task: Task, goal: str, client: Client, clock: Clock, more: int) -> Trips:
    """Time one task from its first request to its last."""
    found = Trips()
    for calls, ms in run_task(goal, LongDesk(place=task.place, more=more), client, clock):
        found.own.append(ms)
        found.asking += [ms] if calls else []
    return found


def measure(times: int, more: int) -> None:
    """A line per task, and one for all of them."""
    tasks = [task for task in TASKS if task.name in PLAIN]
    ours = {task.name: Trips() for task in tasks}
    theirs = {task.name: Trips() for task in tasks}
    gemini, tavily = FakeGemini(), FakeTavily()
    with gemini.served(), server(RULES) as rules, server(gemini.environment) as model:
        clock, none = Clock(gemini), Clock(None)
        for turn in range(-WARM_UP, times):
            for task in tasks:
                gemini.clear()
                clock = Clock(gemini)
                task.script(gemini, tavily)
                plain = time_task(task, PLAIN[task.name], rules, none, more)
                reasoned = time_task(task, task.goal, model, clock, more)
                if not reasoned.asking:
                    raise SystemExit(f"{task.name}: the model was not asked")
                if turn >= 0:
                    ours[task.name].add(plain)
                    theirs[task.name].add(reasoned)
    every, each = Trips(), Trips()
    for name in ours:
        every.add(ours[name])
        each.add(theirs[name])
        print(line(name, more, ours[name], theirs[name]), flush=True)
    print(line("all", more, every, each), flush=True)


def line(name: str, more: int, ours: Trips, theirs: Trips) -> str:
    """One row: medians, and what the model adds to them, over all trips and over those with a call."""
    rules, model = statistics.median(ours.own), statistics.median(theirs.own)
    asking = statistics.median(theirs.asking)
    tail = sorted(theirs.own)[int(len(theirs.own) * 0.95)]
    return (
        f"{name:<22}{more:>7}{len(theirs.own):>7}{rules:>9.1f}{model:>9.1f}{tail:>9.1f}"
        f"{model - rules:>9.1f}{asking - rules:>12.1f}"
    )


def main() -> None:
    """Run and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--nodes", default="0,200")
    given = parser.parse_args()
    print(
        f"{'ms a round trip':<22}{'nodes':>7}{'trips':>7}{'rules':>9}{'model':>9}{'p95':>9}"
        f"{'more':>9}{'with a call':>12}   (more: at most {LIMIT_MS:g})"
    )
    for more in map(int, given.nodes.split(",")):
        measure(given.times, more)


if __name__ == "__main__":
    main()
