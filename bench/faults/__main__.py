"""Inject faults into tasks, in real Chromium with the real extension and server, without a model.

    python -m bench.faults [--runs 100] [--only WORDS] [--seed N] [--again] [--learning] [--verbose]
    python -m bench.faults readers|stop|store

The options belong to the first form; `readers`, `stop` and `store` are modules of their own (see `PARTS`).

The site (`bench/faults/site.py`) stores the records and counts submissions. Faults are spread
evenly over their kinds; at most a tenth can only be resolved by a person, and are reported
separately. `--only` takes kinds, faults, apps or `fault/app` and runs every match; `--seed` is the first
of `--seeds` seeds. Each run uses a new tenant without learned data, except with `--learning`.
"""

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench.faults import readers, stop, store
from bench.faults.batch import run_jobs
from bench.faults.cases import FAULTS, Case, distribute_cases, make_case, plain_cases
from bench.faults.matrix import learned, line, table
from bench.faults.outcome import Result


@dataclass
class ResultLog:
    """The results so far; each is printed as it arrives."""

    verbose: bool
    results: list[Result] = field(default_factory=list)

    def __call__(self, result: Result) -> None:
        """Store and print a result."""
        self.results.append(result)
        print(line(result), flush=True)
        if self.verbose:
            print(f"       {result.goal} -> {result.state}: {result.said}")
            print("\n".join(f"       {step}" for step in result.steps))
            print(f"       corrections: {result.corrections}", flush=True)


def chosen(words: str, seeds: Sequence[int]) -> list[Case]:
    """Each fault on each app that matches the words."""
    if words == "none":
        return [case for seed in seeds for case in plain_cases(seed)]
    found = [
        make_case(fault, app, seed) for seed in seeds for fault in FAULTS for app in fault.apps
    ]
    wanted = [word.strip() for word in words.split(",")]
    return [one for one in found if any(_fits(one, word) for word in wanted)]


def _fits(case: Case, word: str) -> bool:
    return word in (case.kind, case.fault, case.app, case.name)


def main() -> None:
    """Parse the arguments, run, print the matrix."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--only", default="", help="comma-separated; `none` runs without faults")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="number of seeds, with --only")
    parser.add_argument(
        "--again", action="store_true", help="run each task twice: what was learned"
    )
    parser.add_argument(
        "--learning",
        action="store_true",
        help="one tenant for all: later runs use what earlier ones learned",
    )
    parser.add_argument("--desks", type=int, default=1, help="concurrent runs")
    parser.add_argument("--verbose", action="store_true", help="print the steps of each run")
    parser.add_argument("--json", type=Path, help="file for the results")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.seeds)
    cases = chosen(given.only, seeds) if given.only else distribute_cases(given.runs, given.seed)
    if not cases:
        parser.error(f"nothing is called {given.only!r}")
    jobs = [(case,) * (2 if given.again else 1) for case in cases]
    told = ResultLog(given.verbose)
    began = time.monotonic()
    whole = asyncio.run(run_jobs(jobs, desks=given.desks, learning=given.learning, told=told))
    missing = sum(map(len, jobs)) - len(told.results)
    print(f"\n{table(told.results)}" if told.results else "\nno run ended")
    if given.again:
        print(f"\n{learned(told.results)}")
    print(f"\n{(time.monotonic() - began) / 60:.1f} minutes")
    if not whole or missing:
        print(f"interrupted: {missing} runs are missing")
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in told.results], indent=1), "utf-8")


PARTS = {"readers": readers.main, "stop": stop.main, "store": store.main}

if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] in PARTS:
        PARTS[sys.argv[1]]()
    else:
        main()
