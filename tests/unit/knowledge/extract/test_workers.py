"""Documents are read in processes of their own: what one does there is its own failure."""

import asyncio
import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import psutil
import pytest

from app.errors import Unavailable, Unreadable
from knowledge.extract.port import Raw
from knowledge.extract.workers import Limits, Workers
from knowledge.extract.workers_child import Child
from tests.unit.knowledge.extract.pdf_files import one_page, slow_file


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    return Raw(path=slow_file(tmp_path_factory.mktemp("slow") / "slow.pdf"), name="slow.pdf")


@pytest.fixture
def good(tmp_path: Path):
    path = tmp_path / "good.txt"
    path.write_text("Visits are on Mondays.\n")
    return Raw(path=path, name="good.txt")


def readers() -> list[psutil.Process]:
    """The worker processes that this process has started."""
    found = []
    for child in psutil.Process().children():
        try:
            if "knowledge.extract.worker" in child.cmdline():
                found.append(child)
        except psutil.Error:
            continue
    return found


async def the_one_that_reads(path: Path) -> psutil.Process:
    while True:
        for reader in readers():
            if any(Path(one.path) == path for one in reader.open_files()):
                return reader
        await asyncio.sleep(0.01)


async def test_two_are_read_at_once_and_their_workers_stay(good: Raw):
    async with Workers() as workers:
        first = await asyncio.gather(workers.extract(good), workers.extract(good))
        assert [one.markdown for one in first] == ["Visits are on Mondays."] * 2
        before = {reader.pid for reader in readers()}
        await workers.extract(good)
        assert {reader.pid for reader in readers()} == before
        assert len(before) == 2
    assert readers() == []


async def test_a_worker_that_is_killed_fails_its_own_document_alone(good: Raw, slow: Raw):
    async with Workers(Limits(processes=1)) as workers:
        doomed = asyncio.create_task(workers.extract(slow))
        reader = await the_one_that_reads(slow.path)
        waiting = asyncio.create_task(workers.extract(good))
        os.kill(reader.pid, signal.SIGKILL)
        with pytest.raises(Unreadable):
            await doomed
        assert (await waiting).markdown == "Visits are on Mondays."


async def test_what_takes_too_long_is_ended(good: Raw, slow: Raw):
    async with Workers(Limits(processes=1, seconds=2.0, seconds_per_mb=0)) as workers:
        await workers.extract(good)
        with pytest.raises(Unreadable) as error:
            await workers.extract(slow)
        assert error.value.code == "DOCUMENT_TOO_SLOW"
        while readers():
            await asyncio.sleep(0.01)
        assert await workers.extract(good)


async def test_what_unpacks_to_more_than_the_memory_is_ended(
    good: Raw, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("knowledge.extract.workers.LOOK_S", 0.01)  # a tenth, as the memory is
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(b"0 " * 1_000_000) for _ in range(120)) + packer.flush()
    bomb = one_page(tmp_path / "bomb.pdf", b"")
    bomb.write_bytes(bomb.read_bytes().replace(zlib.compress(b"", 9), packed))
    async with Workers(Limits(processes=1, memory=110_000_000)) as workers:
        with pytest.raises(Unreadable) as error:
            await workers.extract(Raw(path=bomb, name="bomb.pdf"))
        assert error.value.code == "DOCUMENT_TOO_LARGE"
        assert await workers.extract(good)


async def test_more_text_than_is_kept_is_refused(good: Raw):
    async with Workers(Limits(output=10)) as workers:
        with pytest.raises(Unreadable) as error:
            await workers.extract(good)
        assert error.value.code == "DOCUMENT_TOO_LARGE"


async def test_giving_up_ends_the_worker(good: Raw, slow: Raw):
    async with Workers(Limits(processes=1)) as workers:
        task = asyncio.create_task(workers.extract(slow))
        reader = await the_one_that_reads(slow.path)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await workers.extract(good)
        assert not reader.is_running() or reader.status() == psutil.STATUS_ZOMBIE


async def test_workers_that_nobody_asks_are_ended(good: Raw):
    async with Workers(Limits(idle_seconds=0.05)) as workers:
        await workers.extract(good)
        while readers():
            await asyncio.sleep(0.01)
        assert await workers.extract(good)


async def test_closing_ends_what_is_under_way(slow: Raw):
    async with Workers(Limits(processes=1)) as workers:
        reading = asyncio.create_task(workers.extract(slow))
        waiting = asyncio.create_task(workers.extract(slow))
        await the_one_that_reads(slow.path)
    found = await asyncio.gather(reading, waiting, return_exceptions=True)
    assert isinstance(found[0], Unreadable)
    assert isinstance(found[1], Unavailable)
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
    good: Raw, monkeypatch: pytest.MonkeyPatch, said: bytes
):
    monkeypatch.setattr(Child, "ask", lambda *_: said)
    async with Workers() as workers:
        with pytest.raises(Unreadable) as error:
            await workers.extract(good)
    assert error.value.code == "DOCUMENT_DAMAGED"


ATTEMPTS = """
import os, pathlib, socket, subprocess, sys
from knowledge.extract.workers_confine import confine
own, other = map(pathlib.Path, sys.argv[1:])
confine(own)
(own / "fine").write_text("fine")
attempts = [
    lambda: (other / "file").write_text("no"),
    lambda: os.mkdir(other / "folder"),
    lambda: socket.create_connection(("127.0.0.1", 9)),
    lambda: subprocess.run([sys.executable, "-V"]),
    lambda: os.system("true"),
]
for attempt in attempts:
    try:
        attempt()
    except PermissionError:
        continue
    sys.exit("not refused")
"""


def test_a_worker_can_write_into_its_folder_and_reach_nothing_else(tmp_path: Path):
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    command = [sys.executable, "-c", ATTEMPTS, str(own), str(other)]
    done = subprocess.run(command, capture_output=True, timeout=30, check=False)
    assert done.stderr == b""
    assert done.returncode == 0
    assert list(other.iterdir()) == []
