"""Run many tasks despite failures: broken browsers are set up again, results survive an interrupt."""

import asyncio
import signal
import tempfile
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
from playwright.async_api import Error

from app.cli.run.children import NotStarted
from app.errors import TabwrightError
from bench.faults.cases import BY_NAME, Case, make_case
from bench.faults.outcome import Result, broken_result
from bench.faults.run import Desk, opened_desk

TRIES = 3  # attempts to make a fault occur
STRIDE = 1000  # step between their seeds
MOST_BROKEN = 3  # broken desks in a row before giving up
BREAKS = (Error, NotStarted, TabwrightError, httpx.HTTPError, OSError)

Job = tuple[Case, ...]  # consecutive runs of one tenant
Told = Callable[[Result], None]


async def run_jobs(jobs: Sequence[Job], *, desks: int, learning: bool, told: Told) -> bool:
    """Run each of the `jobs` on one of several concurrent desks and report each result as it arrives;
    returns whether all ran, which is False after SIGINT or SIGTERM. With `learning` a desk keeps its
    tenant, otherwise each job gets a new one.
    """
    left = deque(jobs)
    async with asyncio.TaskGroup() as working:
        tasks = [
            working.create_task(_at_desks(left, learning=learning, told=told))
            for _ in range(min(desks, len(jobs)))
        ]
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, _call_off, left, tasks)
    return not left and not any(task.cancelled() for task in tasks)


def _call_off(left: deque[Job], tasks: Sequence[asyncio.Task[None]]) -> None:
    left.clear()
    for task in tasks:
        task.cancel()


async def _at_desks(left: deque[Job], *, learning: bool, told: Told) -> None:
    """Run the remaining jobs on one desk, replacing it when it breaks."""
    failures = 0
    while left and failures < MOST_BROKEN:
        job: Job = ()
        try:
            async with AsyncExitStack() as opened:
                folder = opened.enter_context(
                    tempfile.TemporaryDirectory(
                        prefix="tabwright-faults-", ignore_cleanup_errors=True
                    )
                )
                desk = await opened.enter_async_context(opened_desk(Path(folder)))
                while left:
                    job = left.popleft()
                    if not learning:
                        await desk.forget()
                    while job:
                        result = await _came(desk, job[0])
                        job = job[1:]
                        told(result)
                        failures = 0
        except BREAKS as error:
            failures += 1
            said = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
            for case in job:
                told(broken_result(case, said))


async def _came(desk: Desk, case: Case) -> Result:
    """The result of a run; rerun with another seed if the task ended before its fault occurred, unless
    what an earlier run had learned prevented the fault.
    """
    result = await desk.play(case)
    for again in range(1, TRIES if case.fault != "none" else 1):
        if result.fired or result.skills:
            break
        result = await desk.play(
            make_case(BY_NAME[case.fault], case.app, case.seed + again * STRIDE)
        )
    return result
