"""The review queue under load, and while its writers are killed.

    python -m bench.reviews [processes|killed|listing] [--records 10000] [--rounds 30] [--mongodb URI]

`processes`: 8 processes concurrently submit and decide the same records, two at each. `killed`: processes
that decide 500 records are killed with SIGKILL repeatedly until all are decided, in many rounds. `listing`:
the time of a listing with 10,000 pending records, in the queue that the product opens: files beside the
embedded server and a local `mongod`, rows only on the MongoDB of `--mongodb`. Exits 1 if a record was lost,
is duplicated or unreadable, or if a second decision was stored. A listing over 20 ms is marked "over" but
is no failure, since the machine may be busy.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

from app.errors import AlreadyReviewed
from app.store.reviews.files import FileReviews
from bench.reviews.listing import listing
from bench.reviews.processes import FolderState, Reports, read_folders, run_workers, start_workers
from bench.reviews.records import TENANT, outcome_by, record, record_id, review

WORKERS = 8
KILLED_RECORDS, KILLED_WORKERS = 500, 2


def main() -> None:
    """Run it; exits 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("what", nargs="?", choices=("processes", "killed", "listing"))
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--mongodb", metavar="URI")
    wanted = parser.parse_args()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        if wanted.what in (None, "processes"):
            wrong += processes(Path(folder) / "processes", wanted.records, WORKERS)
        if wanted.what in (None, "killed"):
            wrong += killed(Path(folder) / "killed", KILLED_RECORDS, wanted.rounds)
        if wanted.what in (None, "listing"):
            asyncio.run(listing(Path(folder) / "listing", wanted.records, wanted.mongodb))
    for one in wrong:
        print("WRONG", one)
    sys.exit(1 if wrong else 0)


def processes(folder: Path, count: int, workers: int) -> list[str]:
    """Submit and decide all of them concurrently; returns the violations."""
    with start_workers(folder, workers, count, "all") as them:
        begun = time.perf_counter()
        told = run_workers(them)
        took = time.perf_counter() - begun
    left = read_folders(folder)
    print(
        f"{count:,} records submitted and decided by {workers} processes, two at each: {took:.1f} s, "
        f"{count / took:,.0f} records/s; decisions kept {len(told.kept):,}, refused {told.refused:,}; "
        f"files {len(left.places):,}, twice {left.twice}, unreadable {len(left.unread)}"
    )
    return find_violations(left, told, count, workers)


def find_violations(left: FolderState, told: Reports, count: int, workers: int) -> list[str]:
    """The violations after all were submitted and decided."""
    by_id = {record_id(number): number for number in range(count)}
    kept = {record_id(number): outcome for number, outcome in told.kept}
    found = {
        "lost": [one for one in by_id if one not in left.places],
        "of nobody": [one for one in left.places if one not in by_id],
        "in two places": [one for one, places in left.places.items() if len(places) != 1],
        "unreadable": left.unread,
        "still waiting": [one for one in by_id if one not in left.decisions],
        "not as it was told": [one for one in by_id if kept.get(one) != left.decisions.get(one)],
    }
    wrong = [f"{name}: {len(them)}, {them[:3]}" for name, them in found.items() if them]
    if len(told.kept) != count:
        wrong.append(f"{len(told.kept)} decisions were kept of {count} records")
    if workers > 1 and told.refused != count:
        wrong.append(f"{told.refused} second decisions were refused of {count}")
    return wrong


def killed(folder: Path, count: int, rounds: int) -> list[str]:
    """Kill the deciding processes until all records are decided; returns the violations."""
    wrong: list[str] = []
    kills = halfway = sets = 0
    while kills < rounds and not wrong:
        sets += 1
        made = folder / str(sets)
        asyncio.run(_submitted(made, count))
        known: dict[str, str] = {}
        while len(known) < count and kills < rounds and not wrong:
            with start_workers(made, KILLED_WORKERS, count, "decide") as them:
                some = random.randint(1, max(2, (count - len(known)) // 3))
                told = run_workers(them, kill_after=some)
            kills += 1
            left = read_folders(made)
            halfway += sum(left.places[one] == ["pending"] for one in left.decisions)
            wrong = asyncio.run(_after_kill(made, count, left, told, known))
    print(
        f"{kills} kills (-9) among decisions of {sets} times {count} records: {halfway} were met halfway; "
        f"{'each is readable and in one place, and no second decision was kept' if not wrong else ''}"
    )
    return wrong


async def _submitted(folder: Path, count: int) -> None:
    reviews = FileReviews(folder)
    for start in range(0, count, 50):
        await asyncio.gather(
            *(reviews.submit(record(n)) for n in range(start, min(count, start + 50)))
        )


async def _after_kill(
    folder: Path, count: int, left: FolderState, told: Reports, known: dict[str, str]
) -> list[str]:
    """The violations. Adds to `known` the decisions so far, which must not change."""
    wrong = list(left.unread)
    reviews = FileReviews(folder)
    kept = known | {record_id(number): outcome for number, outcome in told.kept}
    for number in range(count):
        one = record_id(number)
        if len(left.places.get(one, ())) != 1:
            wrong.append(f"{one} is in {left.places.get(one)}")
        if one in kept and left.decisions.get(one) != kept[one]:
            wrong.append(f"{one} was {kept[one]} and is {left.decisions.get(one)}")
        found = await reviews.find(TENANT, one)
        if found is None or (found.location != left.decisions.get(one, "pending")):
            wrong.append(f"{one} is found as {found and found.location}")
        if one in left.decisions:
            wrong += await _decided_again(reviews, number)
    known.update(left.decisions)
    after = read_folders(folder)
    wrong += [f"{one} was not moved" for one in left.decisions if after.places[one] == ["pending"]]
    return wrong


async def _decided_again(reviews: FileReviews, number: int) -> list[str]:
    worker = next(w for w in (0, 1) if outcome_by(number, w) != "approved")
    try:
        await reviews.decide(TENANT, record_id(number), review(number, worker))
    except AlreadyReviewed:
        return []
    return [f"a second decision of {record_id(number)} was kept"]


if __name__ == "__main__":
    main()
