"""Measure a listing of the review queue with many pending records."""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import SecretStr
from pymongo import MongoClient

from app.observability.sampler import total_depths
from app.review.stats import compute_review_stats
from app.settings import Settings
from app.store.open import open_reviews, review_folder
from app.store.reviews.files import FileReviews
from app.store.reviews.port import Reviews
from bench.reviews.records import TENANT, record

LIMIT_MS = 20.0
TIMES = 200
AT_ONCE = 50
ADD = """
import asyncio, sys
from pathlib import Path
from app.store.reviews.files import FileReviews
from bench.reviews.records import record
reviews = FileReviews(Path(sys.argv[1]))
for line in sys.stdin:
    asyncio.run(reviews.submit(record(int(line))))
    print("done", flush=True)
"""


async def listing(folder: Path, count: int, uri: str | None) -> None:
    """Print the time of each call of the queue that the product would open: files, or rows of the MongoDB
    at `uri` in a database that is dropped afterwards.
    """
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"{f'ms a call, {count:,} that wait, {load}':<60}{'p50':>8}{'p95':>8}")
    settings = Settings(
        _env_file=None,
        data_dir=folder,
        mongodb_uri=SecretStr(uri) if uri else None,
        mongodb_database=f"bench_reviews_{uuid4().hex[:8]}",
    )
    try:
        async with open_reviews(settings) as reviews:
            await _fill(reviews, count)
        async with open_reviews(settings) as fresh:
            name = "files" if isinstance(fresh, FileReviews) else "MongoDB"
            _row(f"{name}: first listing of a process", [await _ms(_first_page(fresh))])
            await _rows(name, fresh, count)
            if isinstance(fresh, FileReviews):
                numbers = range(2 * count, 2 * count + 50)
                times = await _after_others(fresh, review_folder(settings), numbers)
                _row(f"{name}: 10, after another process added one", times, limited=True)
    finally:
        if uri:
            with MongoClient[dict[str, Any]](uri) as client:
                client.drop_database(settings.mongodb_database)


def _first_page(reviews: Reviews) -> Callable[[], Awaitable[object]]:
    return lambda: reviews.listed(TENANT, "pending", limit=10)


async def _rows(name: str, reviews: Reviews, count: int) -> None:
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "10": _first_page(reviews),
        "10 of one user": lambda: reviews.listed(TENANT, "pending", limit=10, user="user-7"),
        "100": lambda: reviews.listed(TENANT, "pending", limit=100),
        "none (approved)": lambda: reviews.listed(TENANT, "approved", limit=10),
    }
    for label, call in calls.items():
        await call()
        times = [await _ms(call) for _ in range(TIMES)]
        _row(f"{name}: {label}", times, limited=True)
    times = await _after_own(reviews, count)
    _row(f"{name}: 10, after one of its own", times, limited=True)
    numbers: dict[str, Callable[[], Awaitable[object]]] = {
        "depths": lambda: reviews.depths(TENANT),
        "damaged": lambda: reviews.damaged(TENANT),
        "depths and damaged of all": lambda: total_depths(reviews),
        "stats over all of them": lambda: compute_review_stats(reviews, TENANT, 0, 2**42, 2**42),
    }
    for label, call in numbers.items():
        await call()
        _row(f"{name}: {label}", [await _ms(call) for _ in range(20)])


async def _fill(reviews: Reviews, count: int) -> None:
    for start in range(0, count, AT_ONCE):
        some = range(start, min(count, start + AT_ONCE))
        await asyncio.gather(*(reviews.submit(record(number)) for number in some))


@contextmanager
def start_submitter(folder: Path) -> Iterator[Callable[[int], None]]:
    """Another process; it submits each record number it is called with before the call returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", ADD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    given, said = process.stdin, process.stdout

    def add(number: int) -> None:
        given.write(f"{number}\n")
        given.flush()
        assert said.readline() == "done\n"

    try:
        with given, said:
            yield add
    finally:
        process.kill()
        process.wait()


async def _after_own(reviews: Reviews, first: int) -> list[float]:
    """The times of a listing right after this process submitted a record."""
    times = []
    for number in range(first, first + 50):
        await reviews.submit(record(number))
        times.append(await _ms(_first_page(reviews)))
    return times


async def _after_others(reviews: FileReviews, folder: Path, numbers: range) -> list[float]:
    """The times of a listing right after another process submitted a record, which must be in it."""
    times = []
    with start_submitter(folder) as add:
        for number in numbers:
            await asyncio.to_thread(add, number)
            times.append(await _ms(_first_page(reviews)))
            page = await reviews.listed(TENANT, "pending", limit=1)
            assert page[0].submitted_at_ms == record(number).submitted_at_ms
    return times


async def _ms(call: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    await call()
    return (time.perf_counter() - begun) * 1000


def _row(label: str, times: list[float], *, limited: bool = False) -> None:
    """Print the row, and whether its median is over the limit."""
    median = statistics.median(times)
    p95 = sorted(times)[max(0, round(len(times) * 0.95) - 1)]
    over = "  over" if limited and median > LIMIT_MS else ""
    print(f"{label:<60}{median:>8.1f}{p95:>8.1f}{over}", flush=True)
