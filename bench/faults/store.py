"""Break the store of real servers and leave each to recover: disk full, server panicked or killed, index
builds of a minute, killed starts, and all clients of a store killed.

    python -m bench.faults store

Shows how soon the service is back, that nothing acknowledged is lost, and that there is no restart loop.
As root on Linux, the full disk is a small file system; otherwise writes fail by a file size limit.
"""

import os
import random
import resource
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil

from app.cli.run.children import ROOT, NotStarted, backend, serving
from app.settings import Settings
from app.store.server.embedded_server import hold_server
from app.store.server.record import NAME, Running
from tests.fakes.clinic import ClinicPage
from tests.fakes.held_wire import held_wire

INDEX_S = 60.0
KILLS = 10
START_S = 4.0  # about the duration of a start; each kill comes within it
BACK_S = 120.0  # recovery later than this counts as none
DISK = "400m"


@dataclass
class Outcome:
    """The outcome of one case."""

    case: str
    back_s: float | None = None
    acknowledged: int = 0
    lost: int = 0
    refused: int = 0
    other: list[str] = field(default_factory=list)
    restarts: int = 0
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether the service recovered without loss or restart loop, answering only 503 with `Retry-After`
        meanwhile.
        """
        return self.back_s is not None and not self.lost and not self.other and self.restarts < 8


class Person(threading.Thread):
    """Starts one task after the other and records the acknowledged ones."""

    def __init__(self, url: str, key: str, outcome: Outcome) -> None:
        super().__init__(daemon=True)
        headers = {"Authorization": f"Bearer {key}"}
        self.client = httpx.Client(base_url=url, headers=headers, timeout=30, trust_env=False)
        self.outcome = outcome
        self.tasks: list[str] = []
        self.done = threading.Event()

    def run(self) -> None:
        """Run until `end` is called."""
        body = ClinicPage().observation() | {"query": "Add a new patient with name 'Jas'"}
        while not self.done.wait(0.05):
            try:
                answer = self.client.post(
                    "/api/agent/interact", json=body | {"requestId": secrets.token_hex(8)}
                )
            except httpx.HTTPError as error:
                self.outcome.other.append(repr(error))
                continue
            if answer.status_code == 200:
                self.tasks.append(answer.json()["taskId"])
            elif answer.status_code == 503 and answer.headers.get("Retry-After"):
                self.outcome.refused += 1
            elif answer.status_code != 429:
                self.outcome.other.append(f"{answer.status_code} {answer.text[:120]}")

    def end(self) -> None:
        """Stop, and look up each acknowledged task."""
        self.done.set()
        self.join()
        self.outcome.acknowledged = len(self.tasks)
        found = [self.client.get(f"/api/task/{task}").status_code for task in self.tasks]
        self.outcome.lost = sum(status != 200 for status in found)


def main() -> None:
    """Run all cases and print the table; the exit code says whether they passed."""
    played = []
    for play in (_full_disk, _panicked, _killed_store, _slow_indexes, _killed_starts, _left_alone):
        played.append(play())
        print(_line(played[-1]), flush=True)
        for other in played[-1].other[:3]:
            print(f"    {other}")
    sys.exit(not all(one.passed for one in played))


def _line(one: Outcome) -> str:
    back = "never" if one.back_s is None else f"{one.back_s:5.1f} s"
    return (
        f"{'ok  ' if one.passed else 'FAIL'} {one.case:<34} back after {back};"
        f" acknowledged {one.acknowledged}, lost {one.lost}; 503 {one.refused},"
        f" other errors {len(one.other)}; restarts {one.restarts} {one.note}"
    )


def _full_disk() -> Outcome:
    outcome = Outcome("disk full, then room again")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        home = Path(name)
        with _small_disk(home) as small:
            if not small:
                return _broken(outcome, home, _fail_writes, note="by a limit on file sizes")
            filler = home / "filler"

            def fill(_: Path) -> None:
                with suppress(OSError), filler.open("wb") as file:
                    while True:
                        file.write(bytes(1 << 20))
                time.sleep(5)  # while the disk is full
                filler.unlink()

            return _broken(outcome, home, fill, note=f"a disk of {DISK} filled for 5 s")


def _panicked() -> Outcome:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        return _broken(Outcome("panic under load"), Path(name), _fail_writes)


def _killed_store() -> Outcome:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        return _broken(Outcome("kill -9 of the store"), Path(name), _kill_store)


def _broken(
    outcome: Outcome, home: Path, break_it: Callable[[Path], None], note: str = ""
) -> Outcome:
    """Break the store of a server with two workers under load, and measure the recovery."""
    data = home / "data"
    limits = {"TABWRIGHT_RATE_LIMIT": "100000/minute", "TABWRIGHT_RUNNING_TASKS": "100000"}
    with backend(
        data, workers=2, environment=limits | {"TABWRIGHT_RATE_LIMIT_READS": "100000/minute"}
    ) as served:
        person = Person(served.url, served.api_key, outcome)
        person.start()
        _until(lambda: len(person.tasks) > 20)
        break_it(data)
        began = time.monotonic()
        _until(lambda: person.client.get("/readyz").status_code != 200, most_s=10)
        if _until(lambda: person.client.get("/readyz").status_code == 200):
            outcome.back_s = time.monotonic() - began
        before = len(person.tasks)
        if not _until(lambda: len(person.tasks) > before + 20):
            outcome.other.append("no new task after it was ready")
        person.end()
    log = (data / "server.log").read_text("utf-8")
    outcome.restarts, outcome.note = log.count("store_restarted"), note
    return outcome


def _slow_indexes() -> Outcome:
    outcome = Outcome(f"indexes that take {INDEX_S:.0f} s")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name,
        hold_server(Settings(_env_file=None, data_dir=Path(name) / "store")) as uri,
        held_wire(uri) as wire,
    ):
        environment = {
            "TABWRIGHT_DATA_DIR": f"{name}/data",
            "TABWRIGHT_MONGODB_URI": wire.uri,
            "TABWRIGHT_API_KEY": "tw_" + "k" * 40,
        }
        began = time.monotonic()
        command = ("-m", "app.cli", "serve", "--port", "0", "--workers", "2")
        log = Path(name) / "log"
        with serving(command, log=log, ready="/healthz", environment=environment) as child:
            threading.Timer(INDEX_S - (time.monotonic() - began), wire.release).start()
            said = {_ready(child.url)}
            while time.monotonic() - began < INDEX_S - 1:
                said.add(_ready(child.url))
                outcome.refused += 1
                time.sleep(0.5)
            if _until(lambda: _ready(child.url) == (200, "")):
                outcome.back_s = time.monotonic() - began
            outcome.other += [str(one) for one in said - {(503, "STARTING")}]
            outcome.restarts = log.read_text("utf-8").count("worker ended")
            outcome.note = f"(of workers); made by {wire.commands} commands of two workers"
    return outcome


def _ready(url: str) -> tuple[int, str]:
    answer = httpx.get(f"{url}/readyz", timeout=10, trust_env=False)
    return answer.status_code, answer.json().get("code", "")


def _killed_starts() -> Outcome:
    outcome = Outcome(f"{KILLS} starts killed at random moments")
    chance = random.Random(19)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        data, moments = Path(name) / "data", []
        for _ in range(KILLS):
            moments.append(chance.uniform(0.05, START_S))
            _killed_start(data, moments[-1])
        began = time.monotonic()
        try:
            with backend(data) as served:
                outcome.back_s = time.monotonic() - began
                person = Person(served.url, served.api_key, outcome)
                person.start()
                _until(lambda: len(person.tasks) > 5)
                person.end()
        except NotStarted as error:
            outcome.other.append(str(error))
    outcome.note = "after " + " ".join(f"{moment:.1f}" for moment in moments) + " s"
    return outcome


def _killed_start(data: Path, after_s: float) -> None:
    environment = {**os.environ, "TABWRIGHT_DATA_DIR": str(data)}
    command = [sys.executable, "-m", "app.cli", "serve", "--port", "0"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        time.sleep(after_s)
        child.kill()


def _left_alone() -> Outcome:
    """Kill all processes of a server and measure until its store has ended, for which 30 s are allowed."""
    outcome = Outcome("all users of a store killed")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        data = Path(name) / "data"
        with backend(data, workers=2) as served:
            running = Running.read(data / NAME)
            assert running is not None
            for process in (
                *psutil.Process(served.pid).children(recursive=True),
                psutil.Process(served.pid),
            ):
                if (
                    process.pid != running.pid
                    and "app.store.server.keeper" not in process.cmdline()
                ):
                    process.kill()
            began = time.monotonic()
            if _until(lambda: running.process() is None, most_s=30):
                outcome.back_s = time.monotonic() - began
    outcome.note = "(until the store has ended)"
    return outcome


def _fail_writes(data: Path) -> None:
    running = Running.read(data / NAME)
    assert running is not None
    resource.prlimit(running.pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))


def _kill_store(data: Path) -> None:
    running = Running.read(data / NAME)
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)


@contextmanager
def _small_disk(place: Path) -> Iterator[bool]:
    """Mount a small file system there; returns whether that worked."""
    mount = shutil.which("mount") if os.geteuid() == 0 else None
    command = [mount or "false", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(place)]
    mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(place)], check=False)


def _until(condition: Callable[[], bool], most_s: float = BACK_S) -> bool:
    deadline = time.monotonic() + most_s
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError):
            if condition():
                return True
        time.sleep(0.05)
    return False
