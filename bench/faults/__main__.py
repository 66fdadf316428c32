"""Faults put into tasks, in real Chromium with the real extension and server; no model is used.

    python -m bench.faults [--runs 100] [--only WORDS] [--seed N] [--again] [--verbose]

The site (`bench/faults/site.py`) keeps the records and counts what is handed in. The faults are dealt
evenly over their kinds; at most a tenth are such that only a person can put them right, and are told
apart. `--only` takes kinds, faults, apps or `fault/app`, and runs each that fits, `--seed` the first
of `--seeds` seeds.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bench.faults.cases import BY_NAME, FAULTS, Case, dealt, made, plain
from bench.faults.matrix import learned, line, table
from bench.faults.outcome import Result
from bench.faults.playing import Desk, opened_desk

TRIES = 3  # at bringing a fault about
STRIDE = 1000  # between their seeds


async def measure(cases: Sequence[Case], *, verbose: bool) -> list[Result]:
    """Every run, one after the other."""
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="tabwright-faults-") as scratch:
        async with opened_desk(Path(scratch)) as desk:
            for case in cases:
                results.append(await _came(desk, case))
                print(line(results[-1]), flush=True)
                if verbose:
                    print(f"       {results[-1].goal} -> {results[-1].state}: {results[-1].said}")
                    print("\n".join(f"       {step}" for step in results[-1].steps))
                    print(f"       corrections: {results[-1].corrections}", flush=True)
    return results


async def _came(desk: Desk, case: Case) -> Result:
    """The run; another like it where the task was over before its fault came."""
    result = await desk.play(case)
    for again in range(1, TRIES if case.fault != "none" else 1):
        if result.fired:
            break
        result = await desk.play(made(BY_NAME[case.fault], case.app, case.seed + again * STRIDE))
    return result


def chosen(words: str, seeds: Sequence[int]) -> list[Case]:
    """Each fault on each app that the words name."""
    if words == "none":
        return [case for seed in seeds for case in plain(seed)]
    found = [made(fault, app, seed) for seed in seeds for fault in FAULTS for app in fault.apps]
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
    parser.add_argument("--seeds", type=int, default=1, help="how many, with --only")
    parser.add_argument("--again", action="store_true", help="each a second time: what was learned")
    parser.add_argument("--verbose", action="store_true", help="what each run did")
    parser.add_argument("--json", type=Path, help="a file for the single results")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.seeds)
    cases = chosen(given.only, seeds) if given.only else dealt(given.runs, given.seed)
    if not cases:
        parser.error(f"nothing is called {given.only!r}")
    if given.again:
        cases = [case for case in cases for _ in range(2)]
    results = asyncio.run(measure(cases, verbose=given.verbose))
    print(f"\n{table(results)}")
    if given.again:
        print(f"\n{learned(results)}")
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in results], indent=1), "utf-8")


if __name__ == "__main__":
    main()
