"""One of many processes: submits its share, decides its own and its neighbour's, and reports the outcomes.

    python -m bench.reviews.worker FOLDER WORKER WORKERS COUNT (all|decide)

Prints `ready`, waits for a line, then prints `NUMBER OUTCOME` for each decision as it is stored. Ends with
`refused N`, the number of records that another process had decided first.
"""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path

from app.errors import AlreadyReviewed, NotFound
from app.store.reviews.files import FileReviews
from bench.reviews.records import TENANT, outcome_by, record, record_id, review

AT_ONCE = 4
PAUSE_S = 0.005  # to wait for a neighbour that has not submitted yet


class Worker:
    """A share of the records."""

    def __init__(self, folder: Path, worker: int, workers: int, count: int) -> None:
        self._reviews = FileReviews(folder)
        self._worker = worker
        own, next_one = worker, (worker + 1) % workers
        self.own = [n for n in range(count) if n % workers == own]
        self.both = [n for n in range(count) if n % workers in (own, next_one)]
        self._refused = 0

    async def submit(self, number: int) -> None:
        await self._reviews.submit(record(number, self._worker))

    async def decide(self, number: int) -> None:
        while True:
            try:
                said = review(number, self._worker)
                await self._reviews.decide(TENANT, record_id(number), said)
            except AlreadyReviewed:
                self._refused += 1
            except NotFound:
                await asyncio.sleep(PAUSE_S)
                continue
            else:
                print(number, outcome_by(number, self._worker), flush=True)
            return

    async def run(self, *, submits: bool) -> None:
        """Submit and decide concurrently."""
        await asyncio.gather(
            self._each(self.submit, self.own if submits else []), self._each(self.decide, self.both)
        )
        print("refused", self._refused, flush=True)

    async def _each(
        self, act: Callable[[int], Coroutine[None, None, None]], numbers: list[int]
    ) -> None:
        left = iter(numbers)

        async def one() -> None:
            for number in left:
                await act(number)

        await asyncio.gather(*(one() for _ in range(AT_ONCE)))


if __name__ == "__main__":
    folder, worker, workers, count, what = sys.argv[1:]
    made = Worker(Path(folder), int(worker), int(workers), int(count))
    print("ready", flush=True)
    sys.stdin.readline()
    asyncio.run(made.run(submits=what == "all"))
