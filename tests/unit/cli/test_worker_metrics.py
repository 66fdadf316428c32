"""The folder of metrics that workers share."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.serve import VARIABLE, share_metrics


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "someone else's")


def test_workers_share_an_empty_folder_that_is_deleted_at_the_end(tmp_path):
    with share_metrics(tmp_path, 2):
        folder = Path(os.environ[VARIABLE])
        assert folder.parent == tmp_path
        assert list(folder.iterdir()) == []
        (folder / "counter_1.db").touch()
    assert VARIABLE not in os.environ
    assert list(tmp_path.iterdir()) == []


def test_single_process_counts_in_memory(tmp_path):
    with share_metrics(tmp_path, 1):
        assert VARIABLE not in os.environ
        assert list(tmp_path.iterdir()) == []


def test_deletes_folders_of_dead_servers_only(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    left, living = (tmp_path / f"metrics-{pid}-x" for pid in (child.pid, os.getpid()))
    for folder in (left, living, tmp_path / "metrics-of-mine"):
        folder.mkdir()
    with share_metrics(tmp_path, 1):
        assert not left.exists()
        assert living.exists()
        assert (tmp_path / "metrics-of-mine").exists()
