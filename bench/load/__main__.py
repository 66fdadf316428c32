"""Load test with fifty concurrent tasks on the embedded store: errors, server time, CPU and memory.

    python -m bench.load [--users 50] [--minutes 5] [--workers 2] [--think 1] [--model-ms 200]

Starts `tabwright serve --workers N` on its own store, a fake Gemini that takes 200 ms, and locust's
users in their own process. Each user starts tasks of several steps on pages of about 100 nodes, one by
rules alone for every two with a model, and thinks for a second before each request. Everything shares the
machine.

`waited` is how long a user waited for an answer, less 200 ms for each model call that the answer counts:
it includes transport, all queueing, the vendor's SDK, and the fake's overhead.
`server` is the same by the server's own clock (`Server-Timing`), from the claim to the last row.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.cli.run.children import ROOT, backend, serving
from bench.load.model import READY
from bench.load.resources import ProcessUsage, watch_processes
from bench.roundtrip import PARTS, percentile, timings

WAITED_MS = 150.0  # limit of the 95th percentile
WARM_UP_S = (
    10.0  # users arrive over five seconds; each process compiles and connects on its first requests
)
LIMITS = {"TABWRIGHT_RATE_LIMIT": "1000000/minute"}


@dataclass
class Measured:
    """The users' rows after the warm-up, and the resources of the processes."""

    rows: list[dict[str, Any]]
    watched: ProcessUsage
    seconds: float
    wrong: list[str] = field(default_factory=list)

    @property
    def answered(self) -> list[dict[str, Any]]:
        """Requests answered without an error."""
        return [row for row in self.rows if "parts" in row]


def run(given: argparse.Namespace) -> Measured:
    """Start everything, let the users work, and stop it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds = str(given.model_ms / 1000)
        model = ("-m", "bench.load.model", "--seconds", seconds)
        with serving(model, log=folder / "model.log", ready=READY) as gemini:
            environment = LIMITS | {
                "TABWRIGHT_LLM": "gemini",
                "GEMINI_API_KEY": "key",
                "TABWRIGHT_GEMINI_BASE_URL": gemini.url,
            }
            with backend(folder, environment=environment, workers=given.workers) as server:
                pids = {"server": server.pid, "model": gemini.pid}
                return _worked(given, server.url, server.api_key, pids, folder)


def _worked(
    given: argparse.Namespace, url: str, key: str, pids: dict[str, int], folder: Path
) -> Measured:
    told = folder / "users.jsonl"
    command = [sys.executable, "-m", "bench.load.users", "--url", url, "--key", key]
    for name in ("users", "minutes", "think"):
        command += [f"--{name}", str(getattr(given, name))]
    began = time.time()
    with told.open("wb") as output, (folder / "users.log").open("wb") as log:
        users = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=log)
        with watch_processes({**pids, "locust": users.pid}) as watched:
            code = users.wait()
            seconds = time.time() - began
    if code:
        raise SystemExit((folder / "users.log").read_text("utf-8", "replace")[-2_000:])
    rows = [json.loads(line) for line in told.read_text("utf-8").splitlines()]
    wrong = [f"{row['task']}: {row['wrong']}" for row in rows if "wrong" in row]
    wrong += (folder / "model.log").read_text("utf-8").splitlines()[1:]
    return Measured([row for row in rows if row["at"] > began + WARM_UP_S], watched, seconds, wrong)


def report(measured: Measured, given: argparse.Namespace) -> None:
    """Print the tables."""
    rows, seconds = measured.answered, measured.seconds - WARM_UP_S
    calls = sum(row["calls"] for row in rows)
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()},"
        f" load {os.getloadavg()[0]:.1f}; {given.users} users, {given.workers} workers,"
        f" {given.minutes:g} minutes"
    )
    print(
        f"{len(rows)} requests, {len(rows) / seconds:.1f} a second, {calls} calls of the model,"
        f" {len(measured.wrong)} errors"
    )
    for why, times in _counted(measured.wrong)[:5]:
        print(f"    {times} x {why}")
    print(f"\n{'ms without the model':<24}{'requests':>9}{'p50':>8}{'p95':>8}{'p99':>8}{'most':>8}")
    kinds = {
        "waited": rows,
        "  by rules": [row for row in rows if not row["calls"]],
        "  with a model": [row for row in rows if row["calls"]],
    }
    for name, some in kinds.items():
        print(_line(name, [row["ms"] - given.model_ms * row["calls"] for row in some]))
    parts = [timings(row["parts"]) for row in rows]
    own = [
        sum(took.values()) - given.model_ms * row["calls"]
        for took, row in zip(parts, rows, strict=True)
    ]
    print(_line("server", own))
    for part in PARTS:
        took = [
            one.get(part, 0.0) - (given.model_ms * row["calls"] if part == "graph" else 0.0)
            for one, row in zip(parts, rows, strict=True)
        ]
        print(_line(f"  {part}", took))
    _processes(measured, len(measured.rows))
    p95 = percentile([row["ms"] - given.model_ms * row["calls"] for row in rows], 0.95)
    met = "met" if p95 <= WAITED_MS and not measured.wrong else "MISSED"
    print(f"\ntarget: no error, p95 at most {WAITED_MS:g} ms: {met}")


def _line(name: str, ms: list[float]) -> str:
    if not ms:
        return f"{name:<24}{0:>9}"
    cells = [statistics.median(ms), percentile(ms, 0.95), percentile(ms, 0.99), max(ms)]
    return f"{name:<24}{len(ms):>9}" + "".join(f"{cell:>8.0f}" for cell in cells)


def _processes(measured: Measured, requests: int) -> None:
    watched = measured.watched
    print(f"\n{'processes':<24}{'cores':>9}{'ms/req':>8}{'MB 15 s':>9}{'MB 1 min':>9}{'MB end':>8}")
    for role in watched.processes:
        used = watched.cpu_s(role)
        memory = [watched.memory_at(role, at) for at in (WARM_UP_S, 60.0, float("inf"))]
        many = len(watched.processes[role])
        each = used * 1000 / max(1, requests) * (1 - WARM_UP_S / measured.seconds)
        print(
            f"{f'{many} {role}':<24}{used / measured.seconds:>9.2f}{each:>8.1f}"
            f"{memory[0]:>9.0f}{memory[1]:>9.0f}{memory[2]:>8.0f}"
        )


def _counted(wrong: list[str]) -> list[tuple[str, int]]:
    found = {why: wrong.count(why) for why in wrong}
    return sorted(found.items(), key=lambda one: -one[1])


def main() -> None:
    """Run and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--model-ms", type=float, default=200.0)
    given = parser.parse_args()
    report(run(given), given)


if __name__ == "__main__":
    main()
