"""Fuzz the real server and print its answers, times and memory.

    python -m bench.fuzz [--bodies 100000] [--examples 100] [--seed 1] [--keep FOLDER]

Bodies of `interact` are mutated real ones, or have a long repetitive text in one field; requests to the
other operations are generated from the OpenAPI document, valid and invalid. No answer may be 500 or above,
no request may hang, and the memory of the server must not grow once it is warm.
"""

import argparse
import asyncio
import itertools
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx

from app.cli.run.children import backend
from bench.fuzz.bodies import mutate_bodies
from bench.fuzz.long_texts import make_long_bodies
from bench.fuzz.operations import fuzz, operations
from bench.fuzz.samples import real_bodies
from bench.fuzz.sender import Tally, send_all
from bench.load.resources import workers_of

ROUNDS = 10  # memory is measured after each
MIB = 1024 * 1024
TRIED = "/api/pairing/claim"  # failed pairing attempts are limited, whatever the request limits
RATES = ("", "_READS", "_WRITES", "_ADMIN", "_EXPORTS")
UNBOUND = {f"TABWRIGHT_RATE_LIMIT{kind}": "1000000/minute" for kind in RATES} | {
    "TABWRIGHT_RUNNING_TASKS": "1000000",
    "TABWRIGHT_LLM": "rules",
}


def main() -> None:
    """Run all; exits 1 if anything was wrong."""
    wanted = _wanted()
    with (
        tempfile.TemporaryDirectory() as folder,
        backend(Path(folder), environment=UNBOUND) as server,
    ):
        headers = {"Authorization": f"Bearer {server.api_key}"}
        wrong = _operations(server.url, headers, wanted) if wanted.examples else 0
        tallies = asyncio.run(_bodies(server.url, server.api_key, server.pid, wanted))
        alive = httpx.get(f"{server.url}/readyz").status_code == 200
        if wanted.keep:
            shutil.copy(server.log, wanted.keep)
    texts = tallies[-1]
    print(f"\nlong texts of one pattern: {texts.sent:,}, slowest {texts.slowest_s:.2f} s")
    statuses = sum((tally.statuses for tally in tallies), Counter[int]())
    print(
        "answers:", ", ".join(f"{status} {count:,}" for status, count in sorted(statuses.items()))
    )
    for tally in tallies:
        for said, body in tally.wrong:
            print(f"WRONG {said}\n  {body[:2_000]!r}")
            (wanted.keep / f"{hash(body):x}.json").write_bytes(body) if wanted.keep else None
    sys.exit(0 if alive and not wrong and not any(tally.wrong for tally in tallies) else 1)


def _operations(url: str, headers: dict[str, str], wanted: argparse.Namespace) -> int:
    wrong = 0
    print(f"{'operation':50} {'calls':>6} {'2xx':>5} {'4xx':>5}  wrong")
    for one in operations(url, headers):
        said = ""
        found: Counter[int] = Counter()
        try:
            found = fuzz(one, headers, wanted.examples, wanted.seed)
        except AssertionError as error:
            wrong, said = wrong + 1, str(error)
        done, refused = (sum(n for s, n in found.items() if s // 100 == k) for k in (2, 4))
        row = f"{one.label:50} {found.total():6} {done:5} {refused:5}  {said or '-'}"
        print(row, flush=True)
        if found[429] and one.path != TRIED:
            wrong += 1
            print(f"{'':50} {found[429]} of them only met a rate limit")
    return wrong


async def _bodies(url: str, key: str, pid: int, wanted: argparse.Namespace) -> list[Tally]:
    real = await real_bodies(url, key)
    made = mutate_bodies(real, wanted.bodies, wanted.seed)
    heads = (f"{'bodies':>8}", f"{'2xx':>7}", f"{'4xx':>7}", f"{'5xx':>5}", f"{'none':>5}")
    print("\n" + " ".join((*heads, f"{'slowest':>9}", f"{'per s':>7}", f"{'memory':>10}")))
    tallies: list[Tally] = []
    for _ in range(ROUNDS):
        started = time.monotonic()
        tally = await send_all(url, key, itertools.islice(made, wanted.bodies // ROUNDS))
        tallies.append(tally)
        print(
            _row(tally, time.monotonic() - started, workers_of(pid)[0].memory_info().rss),
            flush=True,
        )
    tallies.append(
        await send_all(url, key, (body for _, body in make_long_bodies(real[:4])), at_once=1)
    )
    return tallies


def _row(tally: Tally, took_s: float, memory: int) -> str:
    by = {kind: sum(n for s, n in tally.statuses.items() if s // 100 == kind) for kind in (2, 4, 5)}
    return (
        f"{tally.sent:8,} {by[2]:7,} {by[4]:7,} {by[5]:5} {tally.statuses[0]:5} "
        f"{tally.slowest_s:7.2f} s {tally.sent / took_s:7.0f} {memory / MIB:6.0f} MiB"
    )


def _wanted() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bodies", type=int, default=100_000)
    parser.add_argument("--examples", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder for the log and failed bodies")
    return parser.parse_args()


if __name__ == "__main__":
    main()
