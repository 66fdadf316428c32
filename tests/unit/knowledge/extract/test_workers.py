"""Documents are read in processes of their own: what one does there is its own failure."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

import psutil
import pytest
from structlog.testing import capture_logs

from app.errors import Unavailable, Unreadable
from knowledge.extract.port import StoredFile
from knowledge.extract.sandbox.confinement import Layers
from knowledge.extract.workers.pool import ReaderLimits, WorkerPool
from knowledge.extract.workers.process import (
    ENVIRONMENT,
    INHERITED,
    WORKER,
    WorkerProcess,
    start_module,
)
from tests.unit.knowledge.extract.pdf_files import one_page, slow_file
from tests.unit.knowledge.extract.sample_files import shared_reader

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    return StoredFile(path=slow_file(tmp_path_factory.mktemp("slow") / "slow.pdf"), name="slow.pdf")


@pytest.fixture
def good(tmp_path: Path):
    path = tmp_path / "good.txt"
    path.write_text("Visits are on Mondays.\n")
    return StoredFile(path=path, name="good.txt")


def readers() -> list[psutil.Process]:
    """The worker processes that a test has started."""
    found = []
    for child in psutil.Process().children():
        try:
            if child.pid != shared_reader().pid and WORKER in child.cmdline():
                found.append(child)
        except psutil.Error:
            continue
    return found


async def the_one_that_reads(workers: WorkerPool) -> psutil.Process:
    """Once it was given a document."""
    while True:
        for child in workers._busy:
            if child.begun and child.pid:
                return psutil.Process(child.pid)
        await asyncio.sleep(0.01)


async def test_two_are_read_at_once_and_their_workers_stay(good: StoredFile):
    async with WorkerPool() as workers:
        first = await asyncio.gather(workers.extract(good, "a"), workers.extract(good, "a"))
        assert [one.markdown for one in first] == ["Visits are on Mondays."] * 2
        before = {reader.pid for reader in readers()}
        await workers.extract(good, "a")
        assert {reader.pid for reader in readers()} == before
        assert len(before) == 2
    assert readers() == []


async def test_a_worker_reads_one_tenants_documents_alone(good: StoredFile):
    async with WorkerPool() as workers:
        seen: dict[str, set[int | None]] = {}
        for tenant in "abcdabcd":
            await workers.extract(good, tenant)
            pids = {child.pid for child in workers._idle if child.tenant == tenant}
            seen.setdefault(tenant, set()).update(pids)
            assert len(workers._idle) <= 3
        of_each = list(seen.values())
        assert len(set.union(*of_each)) == sum(map(len, of_each))


async def test_a_worker_that_is_killed_fails_its_own_document_alone(
    good: StoredFile, slow: StoredFile
):
    async with WorkerPool(ReaderLimits(processes=1)) as workers:
        doomed = asyncio.create_task(workers.extract(slow, "a"))
        reader = await the_one_that_reads(workers)
        waiting = asyncio.create_task(workers.extract(good, "a"))
        os.kill(reader.pid, signal.SIGKILL)
        with pytest.raises(Unreadable):
            await doomed
        assert (await waiting).markdown == "Visits are on Mondays."


async def test_what_takes_too_long_is_ended(good: StoredFile, slow: StoredFile):
    async with WorkerPool(ReaderLimits(processes=1, seconds=2.0, seconds_per_mb=0)) as workers:
        await workers.extract(good, "a")
        with pytest.raises(Unreadable) as error:
            await workers.extract(slow, "a")
        assert error.value.code == "DOCUMENT_TOO_SLOW"
        while readers():
            await asyncio.sleep(0.01)
        assert await workers.extract(good, "a")


async def test_what_unpacks_to_more_than_the_memory_is_ended(
    good: StoredFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("knowledge.extract.workers.pool.POLL_S", 0.01)  # a tenth, as the memory is
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b"0 " * 1_000_000) for _ in range(120)) + packer.flush()
    bomb = one_page(tmp_path / "bomb.pdf", b"")
    bomb.write_bytes(bomb.read_bytes().replace(zlib.compress(b"", 9), packed))
    async with WorkerPool(ReaderLimits(processes=1, memory=110_000_000)) as workers:
        with pytest.raises(Unreadable) as error:
            await workers.extract(StoredFile(path=bomb, name="bomb.pdf"), "a")
        assert error.value.code == "DOCUMENT_TOO_LARGE"
        assert await workers.extract(good, "a")


async def test_more_text_than_is_kept_is_refused(good: StoredFile):
    async with WorkerPool(ReaderLimits(output=10)) as workers:
        with pytest.raises(Unreadable) as error:
            await workers.extract(good, "a")
        assert error.value.code == "DOCUMENT_TOO_LARGE"


async def test_giving_up_ends_the_worker(good: StoredFile, slow: StoredFile):
    async with WorkerPool(ReaderLimits(processes=1)) as workers:
        task = asyncio.create_task(workers.extract(slow, "a"))
        reader = await the_one_that_reads(workers)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await workers.extract(good, "a")
        assert not reader.is_running() or reader.status() == psutil.STATUS_ZOMBIE


async def test_workers_that_nobody_asks_are_ended(good: StoredFile):
    async with WorkerPool(ReaderLimits(idle_seconds=0.05)) as workers:
        await workers.extract(good, "a")
        while readers():
            await asyncio.sleep(0.01)
        assert await workers.extract(good, "a")


async def test_closing_ends_what_is_under_way(slow: StoredFile):
    async with WorkerPool(ReaderLimits(processes=1)) as workers:
        reading = asyncio.create_task(workers.extract(slow, "a"))
        waiting = asyncio.create_task(workers.extract(slow, "a"))
        await the_one_that_reads(workers)
    found = await asyncio.gather(reading, waiting, return_exceptions=True)
    assert [type(one) for one in found] == [Unavailable, Unavailable]
    assert readers() == []


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"{}",
        b'{"extracted": {"markdown": 1}}',
        b'{"extracted": {"markdown": "a", "kind": "pdf", "pages": [{"number": 1, "start": 9}]}}',
        b'{"unreadable": {"code": "NO_SUCH", "detail": "x"}}',
    ],
)
async def test_what_makes_no_sense_is_damage(
    good: StoredFile, monkeypatch: pytest.MonkeyPatch, said: bytes
):
    monkeypatch.setattr(WorkerProcess, "ask", lambda *_: said)
    async with WorkerPool() as workers:
        with pytest.raises(Unreadable) as error:
            await workers.extract(good, "a")
    assert error.value.code == "DOCUMENT_DAMAGED"


@pytest.mark.parametrize(
    ("size", "seconds"), [(0, 10), (1_000_000, 10), (3_000_000, 20), (100_000_000, 60)]
)
def test_the_time_for_a_file_grows_with_it(size: int, seconds: float):
    assert ReaderLimits().seconds_for(size) == seconds


async def test_one_tenants_slow_files_do_not_keep_another_ones_waiting(good: StoredFile, slow):
    async with WorkerPool() as workers:
        queued = [asyncio.create_task(workers.extract(slow, "a")) for _ in range(50)]
        while len([child for child in workers._busy if child.begun]) < 2:
            await asyncio.sleep(0.01)
        assert (await workers.extract(good, "b")).markdown == "Visits are on Mondays."
        assert not any(task.done() for task in queued)
        assert len(workers._busy) == 2
    assert {type(one) for one in await _all(queued)} == {Unavailable}


async def test_whoever_waits_gets_the_next_worker_that_is_free(good: StoredFile, slow):
    async with WorkerPool(ReaderLimits(processes=1)) as workers:
        queued = [asyncio.create_task(workers.extract(slow, tenant)) for tenant in ("a", "c") * 25]
        while len([child for child in workers._busy if child.begun]) < 2:
            await asyncio.sleep(0.01)
        waiting = asyncio.create_task(workers.extract(good, "b"))
        await asyncio.sleep(0)  # it is in the queue now
        queued[0].cancel()
        assert (await waiting).markdown == "Visits are on Mondays."
        assert [task.done() for task in queued] == [True, *[False] * 49]
    assert {type(one) for one in await _all(queued)} == {asyncio.CancelledError, Unavailable}


async def _all(tasks: list[asyncio.Task]) -> list[BaseException]:
    return await asyncio.gather(*tasks, return_exceptions=True)


def test_a_worker_starts_with_an_empty_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\nexec /usr/bin/env\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setenv("TABWRIGHT_API_KEY", "secret")
    with start_module("any") as process:
        said, _ = process.communicate()
    names = {line.partition("=")[0] for line in said.decode().splitlines()}
    of_the_shell = {"PWD", "OLDPWD", "SHLVL", "_"}
    assert names - of_the_shell - set(INHERITED) == set(ENVIRONMENT)


async def test_a_worker_that_cannot_be_confined_is_given_no_document(
    good: StoredFile, monkeypatch: pytest.MonkeyPatch
):
    start = WorkerProcess.start

    def bare(child: WorkerProcess) -> Layers:
        start(child)
        child.layers = Layers(seccomp=True)
        return child.layers

    monkeypatch.setattr(WorkerProcess, "start", bare)
    monkeypatch.setattr(sys, "platform", "linux")
    with capture_logs() as logged:
        async with WorkerPool() as workers:
            with pytest.raises(Unreadable, match="TABWRIGHT_UNCONFINED_READERS") as error:
                await workers.extract(good, "a")
            assert error.value.code == "DOCUMENT_NOT_AVAILABLE"
    assert ("readers_not_confined", ("Landlock",)) in [
        (one["event"], one.get("missing")) for one in logged
    ]
    async with WorkerPool(ReaderLimits(unconfined=True)) as workers:
        assert await workers.extract(good, "a")


async def test_no_files_are_left_in_the_temporary_folder(
    good: StoredFile, slow: StoredFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    async with WorkerPool() as workers:
        await workers.extract(good, "a")
        assert list(folder.iterdir()) == []


SERVER = """
import sys, time
from knowledge.extract.workers.process import WorkerProcess
child = WorkerProcess(2 << 30)
child.start()
print(child.pid, flush=True)
time.sleep(600)
"""


def test_a_reader_ends_with_a_server_that_was_killed():
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE) as server:
        reader = psutil.Process(int(server.stdout.readline()))
        os.kill(reader.pid, signal.SIGSTOP)  # it hears of nothing, as one that computes for ever
        server.kill()
        while reader.is_running() and reader.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.01)
