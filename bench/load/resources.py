"""CPU and memory of a server's processes, by role."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import psutil

EVERY_S = 1.0
MB = 1e6

WORKER = "app.server.worker"


def role_of(process: psutil.Process) -> str:
    """`store`, `worker`, or `parent` (the supervisor)."""
    words = process.cmdline()
    if "secantusd" in words[0] or "mongod" in words[0]:
        return "store"
    return "worker" if WORKER in words else "parent"


@dataclass
class ProcessUsage:
    """Processes by role: their CPU time since the start, and their memory as (seconds, MB of the role)."""

    processes: dict[str, list[psutil.Process]]
    memory: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._began = time.monotonic()
        self._first: dict[psutil.Process, float] = {}
        self._last: dict[psutil.Process, float] = {}
        self.look()

    def look(self) -> None:
        """Sample CPU and memory; a process that has ended keeps its last values."""
        at = time.monotonic() - self._began
        for role, found in self.processes.items():
            with suppress(psutil.NoSuchProcess):
                whole = sum(one.memory_info().rss for one in found) / MB
                self.memory.setdefault(role, []).append((at, whole))
                for one in found:
                    times = one.cpu_times()
                    self._last[one] = times.user + times.system
                    self._first.setdefault(one, self._last[one])

    def cpu_s(self, role: str) -> float:
        """CPU seconds of a role's processes."""
        return sum(self._last[one] - self._first[one] for one in self.processes[role])

    def memory_at(self, role: str, seconds: float) -> float:
        """MB at that time, or at the end if it came earlier."""
        rows = self.memory[role]
        return next((mb for at, mb in rows if at >= seconds), rows[-1][1])


def workers_of(server: int) -> list[psutil.Process]:
    """The worker processes of the supervisor with that pid."""
    children = psutil.Process(server).children(recursive=True)
    return [one for one in children if WORKER in one.cmdline()]


@contextmanager
def watch_processes(pids: dict[str, int]) -> Iterator[ProcessUsage]:
    """Sample the servers with these pids and all their children, by role, until exit."""
    processes: dict[str, list[psutil.Process]] = {}
    for name, pid in pids.items():
        parent = psutil.Process(pid)
        for one in (parent, *parent.children(recursive=True)):
            role = role_of(one) if name == "server" else name
            processes.setdefault(role, []).append(one)
    watched, ended = ProcessUsage(processes), threading.Event()

    def sample() -> None:
        while not ended.wait(EVERY_S):
            watched.look()

    sampling = threading.Thread(target=sample, daemon=True)
    sampling.start()
    try:
        yield watched
    finally:
        ended.set()
        sampling.join()
        watched.look()
