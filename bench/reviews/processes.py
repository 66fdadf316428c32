"""Run workers as processes and check the resulting files without the store's own code."""

import json
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

WORKER = (sys.executable, "-m", "bench.reviews.worker")
FOLDERS = ("pending", "reviewed/approved", "reviewed/rejected")
SOON_S = 0.01  # shorter than a decision, so they die anywhere within one


@dataclass(slots=True)
class Reports:
    """What the workers reported: stored decisions by number, and refusals."""

    kept: list[tuple[int, str]] = field(default_factory=list)
    refused: int = 0


@dataclass(slots=True)
class FolderState:
    """The state of the folders: by id the places and decisions of each record, and the unreadable files."""

    places: dict[str, list[str]] = field(default_factory=dict)
    decisions: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    staged: int = 0

    @property
    def twice(self) -> int:
        """How many records are in more than one place."""
        return sum(len(places) > 1 for places in self.places.values())


def read_folders(folder: Path) -> FolderState:
    """Read every file as plain JSON."""
    found = FolderState()
    for place in FOLDERS:
        for path in sorted((folder / place).glob("*.json")):
            found.places.setdefault(path.stem, []).append(place)
            try:
                given = json.loads(path.read_bytes())
                assert given["id"] == path.stem
                assert given["why_escalated"]
                assert given["submitter"]["name"]
                assert place == "pending" or given["review"]["decision"] == Path(place).name
            except (ValueError, KeyError, AssertionError) as error:
                found.unread.append(f"{place}/{path.name}: {error!r}")
                continue
            if given["status"] == "reviewed":
                found.decisions[path.stem] = given["review"]["decision"]
    found.staged = len(list((folder / ".staging").glob("*")))
    return found


@contextmanager
def start_workers(
    folder: Path, workers: int, count: int, what: str
) -> Iterator[list[subprocess.Popen[str]]]:
    """Started processes, waiting for their line; none survives the block."""
    processes = [
        subprocess.Popen(
            [*WORKER, str(folder), str(worker), str(workers), str(count), what],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for worker in range(workers)
    ]
    try:
        for process in processes:
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe:
                    pipe.close()


def run_workers(
    processes: list[subprocess.Popen[str]], *, kill_after: int | None = None
) -> Reports:
    """Start the work; returns the reports. `kill_after`: all processes are killed once that many decisions
    were reported, at a random point of the next one.
    """
    told, lock, enough = Reports(), threading.Lock(), threading.Event()

    def hear(process: subprocess.Popen[str]) -> None:
        assert process.stdout
        for line in process.stdout:
            if not line.endswith("\n"):
                continue  # it died while printing
            said, value = line.split()
            with lock:
                if said == "refused":
                    told.refused += int(value)
                else:
                    told.kept.append((int(said), value))
                if kill_after is not None and len(told.kept) >= kill_after:
                    enough.set()
        enough.set()

    ears = [threading.Thread(target=hear, args=(process,)) for process in processes]
    for process, ear in zip(processes, ears, strict=True):
        ear.start()
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    if kill_after is not None:
        enough.wait()
        threading.Event().wait(random.random() * SOON_S)
        for process in processes:
            process.send_signal(signal.SIGKILL)
    for ear in ears:
        ear.join()
    return told
