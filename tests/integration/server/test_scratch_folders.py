"""Temporary folders of killed processes are deleted by the next process that creates one."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.store import scratch
from app.store.scratch import scratch_folder
from tests.integration.store.store_users import ROOT

OWNER = """
import sys
from app.store.scratch import scratch_folder
with scratch_folder("documents") as folder:
    (folder / "tenants.txt").write_text("confidential")
    print(folder, flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def owner(place: Path) -> Iterator[Callable[[], tuple["subprocess.Popen[str]", Path]]]:
    """Starts other processes that have a folder."""
    started = []

    def start() -> tuple["subprocess.Popen[str]", Path]:
        process = subprocess.Popen(
            [sys.executable, "-c", OWNER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(place)},
        )
        started.append(process)
        assert process.stdout is not None
        return process, Path(process.stdout.readline().strip())

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_deletes_folders_of_dead_processes_only(
    place: Path, owner: Callable[[], tuple["subprocess.Popen[str]", Path]]
) -> None:
    killed, left = owner()
    _, living = owner()
    killed.kill()
    killed.wait()
    assert (left / "tenants.txt").exists()
    with scratch_folder("documents") as mine:
        assert not left.exists()
        assert (living / "tenants.txt").exists()
        assert mine.stat().st_mode & 0o077 == 0
    assert not mine.exists()


def test_deletes_old_folders_of_older_versions(place: Path) -> None:
    old, new, others = (place / name for name in ("tabwright-old", "tabwright-new", "others"))
    for folder in (old, new, others):
        folder.mkdir()
    long_ago = time.time() - scratch.UNOWNED_S - 1
    for folder in (old, others):
        os.utime(folder, (long_ago, long_ago))
    with scratch_folder("documents"):
        assert not old.exists()
        assert new.exists()
        assert others.exists()


def test_does_not_follow_links(place: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / scratch.OWNER).touch()
    (place / "tabwright-link").symlink_to(outside)
    with scratch_folder("documents"):
        assert outside.exists()
