"""Check that a compromised document reader cannot reach anything.

    python -m bench.faults readers

Each attempt runs twice: in a process started and confined as a reader is, and in an unconfined one of the
same user, which shows that the target is reachable at all. Attempts that fail unconfined are not counted.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.faults import reader_attempts
from knowledge.extract.workers.process import ROOT, start_module

SECRET = "the-server's-secret-37451"
LEAST = 30  # attempts that must count
LONGEST_S = 60.0
_HELD = SECRET.encode()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of one attempt: why it failed in the confined process and in the free one; None if it succeeded."""

    name: str
    confined: str | None
    free: str | None

    @property
    def counts(self) -> bool:
        """Whether the target is reachable at all."""
        return self.free is None

    @property
    def held(self) -> bool:
        """Whether the confined process was refused, rather than failing by chance."""
        return self.confined is not None and (
            self.confined.startswith("refused") or not self.counts
        )


def outcomes() -> list[Outcome]:
    """Make all attempts, confined first, since free ones change their targets."""
    with _targets() as at:
        confined = _made(start_module(reader_attempts.__name__, "confined"), at)
        free = _made(_unconfined(), at)
    return [Outcome(name, confined[name], free[name]) for name in reader_attempts.TRIES]


def _unconfined() -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-B", "-m", reader_attempts.__name__, "free"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "TABWRIGHT_API_KEY": SECRET},
    )


def _made(process: "subprocess.Popen[bytes]", at: dict[str, Any]) -> dict[str, str | None]:
    said, _ = process.communicate(json.dumps(at).encode() + b"\n", LONGEST_S)
    found: dict[str, str | None] = json.loads(said)
    return found


@contextmanager
def _targets() -> Iterator[dict[str, Any]]:
    """The targets: files as a server has them, a process, a port, memory."""
    with tempfile.TemporaryDirectory() as made, socket.create_server(("127.0.0.1", 0)) as listener:
        folder = Path(made)
        files = {
            name: folder / name
            for name in ("document", "data", "settings", "spare", "moved", "deleted")
        }
        for path in files.values():
            path.write_text(SECRET)
        victim = subprocess.Popen(["sleep", "600"])
        try:
            with files["document"].open("rb") as held:
                yield {name: str(path) for name, path in files.items()} | {
                    "scratch": made,
                    "home": str(Path.home()),
                    "project": str(ROOT / "pyproject.toml"),
                    "server": os.getpid(),
                    "victim": victim.pid,
                    "open": held.fileno(),
                    "port": listener.getsockname()[1],
                    "address": id(_HELD),
                    "secret": SECRET,
                }
        finally:
            victim.kill()
            victim.wait()


def main() -> None:
    """Print each attempt and how many succeeded; fails if one did."""
    found = outcomes()
    for one in found:
        note = "" if one.counts else f"   (not counted, without confinement {one.free})"
        print(f"{'held   ' if one.held else 'REACHED'}  {one.name:45}  {one.confined}{note}")
    counted = [one for one in found if one.counts]
    reached = [one for one in found if not one.held]
    print(f"\n{len(reached)} of {len(counted)} tries succeed (at least {LEAST} must count)")
    sys.exit(1 if reached or len(counted) < LEAST else 0)


if __name__ == "__main__":
    main()
