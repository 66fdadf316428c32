"""Check that every paid call is on record, and measure what recording adds to a call.

    python -m bench.accounting [--calls 2000] [--pairs 300]

Mixed calls (Gemini, OpenAI, Tavily; answered, retried, refused, cut off, unusable) go through the
real SDKs over HTTP to fakes, whose own counters are compared with the recorded rows. Half-way, the store's
server is killed and restarted on the same folder and port; for the middle third of the run LangFuse answers
503, then not at all. The time added is that of the hook, and the difference between the same questions
with and without it.
"""

import argparse
import asyncio
import os
import random
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock
from pydantic import SecretStr

from app.domain.metrics.usage import UsageRecord
from app.observability.langfuse import LangfuseObserver, open_langfuse
from app.observability.port import Observers
from app.observability.prometheus import PrometheusMetrics
from app.settings import Settings
from app.store.mongo.rows import from_row
from app.store.open import Opened, open_all
from app.store.server.record import Running
from app.usage.meter import meter_calls
from app.usage.service import UsageService, open_usage
from bench.accounting.hook import TimedHook, make_usage
from bench.accounting.mix import Desk, Fakes, desk_of, question
from bench.accounting.totals import Sums, billed, recorded
from tests.fakes.hooks import unheard
from tests.fakes.langfuse import PUBLIC_KEY, SECRET_KEY, FakeLangfuse, langfuse

AT_ONCE = 8
LIMIT_MS = 1.0  # the most that recording may add to a call
STORED_S = 60.0
TRACED_S = 60.0
AWAY_S = 7.0  # longer than the driver's own server selection timeout
HANG_S = 600.0  # only ends a hang


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The options: `calls` to make with the store down for `away_s`, then `pairs` of questions to compare."""

    calls: int
    pairs: int = 0
    away_s: float = 0.0
    traced_s: float = 0.0
    seed: int = 7


@dataclass
class Result:
    """The measurements of a run. Times in milliseconds."""

    billed: Sums
    recorded: Sums
    lost: int = 0  # calls that did not reach LangFuse
    told: list[float] = field(default_factory=list)  # the hook's time for each call
    worked: list[float] = field(default_factory=list)  # its CPU time
    plain: list[float] = field(default_factory=list)  # questions without the hook
    accounted: list[float] = field(default_factory=list)  # the same with the hook
    dropped: int = 0
    posts: int = 0  # requests to LangFuse
    traced: int = 0  # generations that LangFuse has
    tenants: int = 0

    @property
    def right(self) -> bool:
        """Whether every call is on record."""
        return self.billed.lines() == self.recorded.lines() and not self.dropped

    @property
    def added(self) -> float:
        """The 95th percentile of the hook's own time."""
        return percentile(self.worked, 0.95)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values lie below."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


async def run(folder: Path, given: Given) -> Result:
    """Run the benchmark with the store in `folder`."""
    with Fakes(seed=given.seed).served() as fakes, langfuse() as traces:
        settings = Settings(
            _env_file=None,
            mongodb_uri=None,
            data_dir=folder,
            langfuse_public_key=PUBLIC_KEY,
            langfuse_secret_key=SecretStr(SECRET_KEY),
            langfuse_base_url=traces.url,
            sentry_dsn=None,
        )
        store = folder / "store.json"
        async with accounting(settings) as (opened, usage, watched, told):
            async with desk_of(fakes, told) as desk:
                await _mixed(desk, told, fakes, traces, store, given)
            await until(lambda: not usage.waiting, STORED_S)
            rows = await _rows(opened)
            result = Result(billed(fakes, datetime.now(UTC).date()), recorded(rows))
            result.told, result.worked = told.times[:], told.worked[:]
            result.tenants = len({row.tenant for row in rows})
            fakes.well = True
            result.plain, result.accounted = await _compared(fakes, told, given.pairs)
            result.dropped = usage.dropped
            await until(lambda: _traced(traces) >= len(told.times), given.traced_s, every_s=0.5)
            result.lost = watched.dropped
        result.posts, result.traced = traces.posts, _traced(traces)
    return result


@asynccontextmanager
async def accounting(
    settings: Settings,
) -> AsyncIterator[tuple[Opened, UsageService, LangfuseObserver, "TimedHook"]]:
    """The store, the observers and the service as in production, and a timed hook."""
    async with open_all(settings) as opened, open_langfuse(settings) as traces:
        if traces is None:
            raise SystemExit("LangFuse is off")
        watching = Observers((PrometheusMetrics(), traces))
        async with open_usage(opened.together, watching) as usage:
            yield opened, usage, traces, TimedHook(usage, watching)


async def _mixed(
    desk: Desk, told: TimedHook, fakes: Fakes, traces: FakeLangfuse, store: Path, given: Given
) -> None:
    """Make calls until `given.calls` have come in."""
    calls = given.calls
    troubles = asyncio.create_task(_trouble(fakes, traces, store, calls, given.away_s))

    async def worker(number: int) -> None:
        lot = random.Random(number)
        while len(fakes.calls) < calls:
            by, began = make_usage(lot), datetime.now(UTC)
            with meter_calls(by):
                await desk.ask(lot)
            told.passed(by, began)

    await asyncio.gather(*(worker(number) for number in range(AT_ONCE)))
    await troubles


async def until(true: Callable[[], bool], within_s: float, every_s: float = 0.005) -> None:
    """Wait until `true` returns true or the time is over."""
    ends = time.monotonic() + within_s
    while not true() and time.monotonic() < ends:  # noqa: ASYNC110 - a fake's thread changes it
        await asyncio.sleep(every_s)


def _traced(traces: FakeLangfuse) -> int:
    """The number of calls LangFuse has."""
    return sum("actionType" in one.metadata for one in traces.seen)


async def _trouble(
    fakes: Fakes, traces: FakeLangfuse, store: Path, calls: int, away_s: float
) -> None:
    """Inject the failures, each after a share of the calls."""

    async def at(share: float) -> None:
        await until(lambda: len(fakes.calls) >= calls * share, HANG_S)

    await at(1 / 3)
    traces.fails = 503
    await at(1 / 2)
    running = Running.read(store)
    if running is None:
        raise SystemExit("the store has no server to kill")
    traces.fails, traces.hangs = None, True
    # The holder of the lock may restart the server: the backend's own watcher, once it is released.
    with FileLock(store.with_name("store.lock")):
        os.kill(running.pid, signal.SIGKILL)
        await asyncio.sleep(away_s)
    await at(2 / 3)
    traces.hangs = False


async def _rows(opened: Opened) -> list[UsageRecord]:
    found = opened.database["token_usage_logs"].find()
    return [from_row(UsageRecord, row) async for row in found]


async def _compared(fakes: Fakes, told: TimedHook, pairs: int) -> tuple[list[float], list[float]]:
    """Times in ms of the same questions, alternating between without and with the hook."""
    plain: list[float] = []
    accounted: list[float] = []
    async with desk_of(fakes, unheard) as without, desk_of(fakes, told) as with_it:
        for turn in range(-5, pairs if pairs else -5):
            for desk, times in ((without, plain), (with_it, accounted)):
                lot = random.Random(turn)
                by, now = make_usage(lot), datetime.now(UTC)
                with meter_calls(by):
                    began = time.perf_counter()
                    await desk.models[turn % 2].ask(question(lot))
                    if turn >= 0:
                        times.append((time.perf_counter() - began) * 1000)
                if times is accounted:
                    told.passed(by, now)
    return plain, accounted


def table(result: Result) -> None:
    """Format the result."""
    theirs, ours = result.billed.lines(), result.recorded.lines()
    print(f"{'':<20}{'the fakes':>16}{'the rows':>16}")
    for name in theirs | ours:
        one, other = theirs.get(name, "0"), ours.get(name, "0")
        print(f"{name:<20}{one:>16}{other:>16}{'' if one == other else '   DIFFERS'}")
    print(f"rows dropped: {result.dropped}; tenants: {result.tenants}")
    print(
        f"LangFuse, down for a third: {result.traced:,} calls came there in {result.posts:,} requests,"
        f" {result.lost:,} were lost and counted"
    )
    print(f"{f'added a call, ms (at most {LIMIT_MS:g})':<36}{'median':>10}{'p95':>10}")
    for name, times in (("the hook's own work", result.worked), ("by the clock", result.told)):
        print(f"{name:<36}{percentile(times, 0.5):>10.3f}{percentile(times, 0.95):>10.3f}")
    if result.plain:
        pairs = [more - less for less, more in zip(result.plain, result.accounted, strict=True)]
        print(f"{'same questions, with less without':<36}{statistics.median(pairs):>10.3f}")


def main() -> None:
    """Run and print the table; fails if a call is not on record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    given = Given(
        calls=asked.calls, pairs=asked.pairs, away_s=AWAY_S, traced_s=TRACED_S, seed=asked.seed
    )
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(run(Path(folder).resolve(), given))
    table(result)
    if not result.right or result.added > LIMIT_MS:
        sys.exit("not right")


if __name__ == "__main__":
    main()
