"""Workers that block, hang, die or do not start, in real processes."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from app.cli.run.children import ROOT, serving

COMMAND = ("-m", "tests.integration.server.supervised")
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Service:
    """What the supervisor logs, and what its worker answers."""

    url: str
    pid: int
    log: Path

    def lines(self, event: str) -> list[dict[str, Any]]:
        told = [line for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in map(json.loads, told) if line["event"] == event]

    def waited(self, event: str, count: int = 1) -> list[dict[str, Any]]:
        until(lambda: len(self.lines(event)) >= count)
        return self.lines(event)

    def worker(self) -> int:
        """The process that answers, once one does."""
        found: list[int] = []

        def asked() -> bool:
            try:
                found.append(int(httpx.get(f"{self.url}/pid", trust_env=False, timeout=5).text))
            except httpx.HTTPError:
                return False
            return True

        until(asked)
        return found[-1]


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@contextmanager
def service(folder: Path, stop_s: float = 20.0) -> Iterator[Service]:
    log = folder / "log"
    environment = {"FAILS": str(folder / "fails"), "STOP_S": str(stop_s)}
    with serving(COMMAND, log=log, ready="/pid", environment=environment) as child:
        yield Service(child.url, child.pid, log)


def asked(url: str) -> None:
    with pytest.raises(httpx.HTTPError):
        httpx.get(url, trust_env=False, timeout=PATIENCE_S)


def test_blocked_loop_is_logged_once_with_its_stack(
    tmp_path: Path,
) -> None:
    with service(tmp_path) as it:
        before = it.worker()
        httpx.get(f"{it.url}/spin?s=1.2", trust_env=False, timeout=PATIENCE_S)
        line, *more = it.waited("event loop blocked")
        assert more == []
        assert line["stack"][0].startswith("integration/server/supervised_worker.py:")
        assert line["stack"][0].endswith(" spin")
        assert line["pid"] == before == it.worker()


def test_worker_that_holds_the_interpreter_is_replaced(
    tmp_path: Path,
) -> None:
    with service(tmp_path) as it:
        before = it.worker()
        asked(f"{it.url}/match")
        assert it.worker() != before
        (line,) = it.lines("event loop blocked")
        assert any(place.endswith(" match") for place in line["stack"])
        assert line["work"] == [{"work": "a hostile message", "traceId": "0123abcd"}]
        (ended,) = it.lines("worker ended")
        assert (ended["pid"], ended["restartInS"]) == (before, 0.0)
        assert ended["cause"].startswith("killed: its event loop was blocked for ")
        assert ended["work"] == line["work"]


def test_killed_worker_is_replaced_with_backoff(
    tmp_path: Path,
) -> None:
    with service(tmp_path) as it:
        (tmp_path / "fails").touch()
        os.kill(it.worker(), signal.SIGKILL)
        ends = it.waited("worker ended", 3)
        (tmp_path / "fails").unlink()
        it.worker()
        assert [end["cause"] for end in ends[:2]] == ["signal SIGKILL", "the start failed"]
        assert [end["restartInS"] for end in ends[:3]] == [0.0, 1.0, 2.0]


def test_stack_request_does_not_end_a_starting_worker(tmp_path: Path) -> None:
    """A worker that starts or ends slowly has what the supervisor has: it ignores the signal."""
    with service(tmp_path) as it:
        worker = it.worker()
        os.kill(it.pid, signal.SIGUSR1)
        os.kill(worker, signal.SIGUSR1)
        assert it.worker() == worker
        assert psutil.pid_exists(it.pid)


def test_failed_first_start_ends_the_command(tmp_path: Path) -> None:
    (tmp_path / "fails").touch()
    ended = subprocess.run(
        [sys.executable, *COMMAND],
        cwd=ROOT,
        env={**os.environ, "FAILS": str(tmp_path / "fails"), "STOP_S": "5"},
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 3
    assert ended.stderr.count(b'"worker started"') == 1


def test_worker_exits_with_its_supervisor(tmp_path: Path) -> None:
    with service(tmp_path) as it:
        worker = it.worker()
        os.kill(it.pid, signal.SIGKILL)
        until(lambda: not psutil.pid_exists(worker))


@contextmanager
def asking(url: str) -> Iterator[list[str]]:
    """Ask meanwhile; what was answered is in the list by the end."""
    answered: list[str] = []

    def ask() -> None:
        try:
            answered.append(httpx.get(url, trust_env=False, timeout=PATIENCE_S).text)
        except httpx.HTTPError:
            answered.append("cut")

    thread = threading.Thread(target=ask)
    thread.start()
    yield answered
    thread.join()


def ended(pid: int) -> int:
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


def test_signal_drains_running_requests(tmp_path: Path) -> None:
    with service(tmp_path) as it, asking(f"{it.url}/sleep?s=1") as answered:
        it.waited("asleep")
        os.kill(it.pid, signal.SIGTERM)
        assert ended(it.pid) == 0
    assert answered == ["done"]


def test_second_signal_kills_at_once(tmp_path: Path) -> None:
    with service(tmp_path, stop_s=1000.0) as it, asking(f"{it.url}/sleep?s=1000") as answered:
        it.waited("asleep")
        os.kill(it.pid, signal.SIGTERM)
        it.waited("stopping")
        os.kill(it.pid, signal.SIGTERM)
        assert ended(it.pid) == 1
    assert answered == ["cut"]


def test_worker_that_does_not_stop_is_killed(tmp_path: Path) -> None:
    with service(tmp_path, stop_s=0.5) as it, asking(f"{it.url}/sleep?s=1000") as answered:
        it.waited("asleep")
        os.kill(it.pid, signal.SIGTERM)
        assert ended(it.pid) == 1
        assert len(it.lines("worker killed")) == 1
    assert answered == ["cut"]
