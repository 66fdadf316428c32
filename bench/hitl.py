"""Test questions to a person: what becomes of a run under interleaved events, and how fast it resumes.

    python -m bench.hitl [--runs 1000] [--seed 0] [--answers 100] [--nodes 100]

Plays interleavings of asking, answering (right, late, twice, from two clients), cancelling, expiry, restarts
and crashes between any two store calls over the real service and store, and checks the invariants. Then
queries `tabwright serve` over HTTP, without a model, and measures the time from an answer's arrival to
the next action.
"""

import argparse
import asyncio
import logging
import os
import platform
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import structlog

from app.cli.run.children import backend as serving
from app.settings import Settings
from bench.interleaving.backend import backend
from bench.interleaving.client import Violation
from bench.interleaving.office import Office
from bench.interleaving.run import Played, play, record_recipe
from bench.interleaving.steps import RIGHT, answer_body
from bench.roundtrip import Client, percentile

RATE = "1000000/minute"


async def interleavings(runs: int, seed: int, folder: Path) -> tuple[list[Played], list[str]]:
    """The interleavings played, and the violations."""
    played, wrong = [], []
    settings = Settings(
        _env_file=None, data_dir=folder, llm="rules", rate_limit=RATE, running_tasks=100_000
    )
    async with backend(settings) as made:
        recipe_id = await record_recipe(made)
        for number in range(seed, seed + runs):
            try:
                played.append(await play(made, recipe_id, number))
            except Violation as error:
                wrong.append(str(error))
                print(error, flush=True)
    return played, wrong


def table(played: list[Played], wrong: list[str], spent: float) -> str:
    """The final states of the threads, and the violations."""
    states = Counter(one.state for one in played)
    steps = Counter(name for one in played for name in one.trace)
    found = {
        "interleavings": len(played) + len(wrong),
        "steps": sum(steps.values()),
        "deaths": sum(one.deaths for one in played),
        "answers recorded": sum(one.answers for one in played),
        "effects": sum(one.effects.total() for one in played),
        "effects twice": sum("done twice" in one for one in wrong),
        "answers lost or twice": sum("answer" in one for one in wrong),
        "threads stuck": sum("stuck" in one or "never ends" in one for one in wrong),
        "wrong in any way": len(wrong),
    }
    lines = [f"{name:>28} {count:>7}" for name, count in states.most_common()]
    lines += [""] + [f"{name:>28} {count:>7}" for name, count in found.items()]
    return "\n".join([*lines, f"{'seconds':>28} {spent:>7.0f}"])


def latencies(nodes: int, answers: int, client: Client) -> dict[str, list[float]]:
    """Milliseconds from an answer to the next event, by kind of question."""
    spent: dict[str, list[float]] = {}
    recipe_id = _recipe(client)
    recipe: dict[str, Any] = {"recipe": {"recipeId": recipe_id, "values": {}}}
    goals = (recipe, {"query": "Delete Jas Patel"}, {"query": "Click Delete"})
    for number in range(answers + len(goals)):
        office = Office(nodes=nodes)
        event, _, _ = client.post(_body(office) | goals[number % len(goals)])
        while event["type"] == "interrupt":
            answer = answer_body(event, RIGHT[event["interruptType"]])
            told = {"taskId": event["taskId"], "hitlResponse": answer}
            kind = event["kind"]
            event, ms, _ = client.post(_body(office) | told)
            if number >= len(goals):  # the first of each are warm-up
                spent.setdefault(kind, []).append(ms)
        if event["type"] != "action":
            raise SystemExit(f"no action after the answer: {event}")
    return spent


def _recipe(client: Client) -> str:
    """A recipe that asks for a name, made from a completed task."""
    office = Office()
    event, _, _ = client.post(_body(office) | {"query": "Add a new patient with name 'Eve Stone'"})
    while event["type"] == "action":
        for action in event["actions"]:
            office.do(action)
        done = event["actions"][-1]
        told = {"lastActionId": done["actionId"], "lastActionStatus": "success"}
        seen = {"clientObservations": {"didDomMutate": True, "didNetworkOccur": True}}
        told |= {"taskId": event["taskId"], "lastExecutedActionIndex": done["index"]}
        event, _, _ = client.post(_body(office) | told | seen)
    return str(client.post({"taskId": event["taskId"]}, path="/api/recipes")[0]["id"])


def _body(office: Office) -> dict[str, Any]:
    return office.seen() | {"requestId": os.urandom(16).hex()}


def measure_latencies(nodes: int, answers: int) -> str:
    """The table of latencies."""
    with tempfile.TemporaryDirectory() as name:
        environment = {"TABWRIGHT_RATE_LIMIT": RATE, "TABWRIGHT_RUNNING_TASKS": "100000"}
        with serving(Path(name), environment=environment) as server:
            spent = latencies(nodes, answers, Client(server.url, server.api_key))
    every = [ms for one in spent.values() for ms in one]
    rows = [f"{'answer to the next event, ms':>28} {'n':>7} {'p50':>7} {'p95':>7}"]
    for kind, found in [*spent.items(), ("all", every)]:
        middle, tail = statistics.median(found), percentile(found, 0.95)
        rows.append(f"{kind:>28} {len(found):>7} {middle:>7.1f} {tail:>7.1f}")
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=100)
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.getLogger("httpx").setLevel(logging.WARNING)
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    wrong: list[str] = []
    if given.runs:
        with tempfile.TemporaryDirectory() as name:
            started = time.perf_counter()
            played, wrong = asyncio.run(interleavings(given.runs, given.seed, Path(name)))
            print(table(played, wrong, time.perf_counter() - started), flush=True)
    if given.answers:
        print(measure_latencies(given.nodes, given.answers))
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
