"""The folder in which workers count together: empty at the start, gone at the end, nobody else's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.serve import VARIABLE, share_metrics


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "someone else's")


def test_several_workers_are_given_an_empty_folder_and_it_is_gone_afterwards(tmp_path):
    with share_metrics(tmp_path, 2):
        folder = Path(os.environ[VARIABLE])
        assert folder.parent == tmp_path
        assert list(folder.iterdir()) == []
        (folder / "counter_1.db").touch()
    assert VARIABLE not in os.environ
    assert list(tmp_path.iterdir()) == []


def test_one_process_counts_in_memory_whatever_the_environment_says(tmp_path):
    with share_metrics(tmp_path, 1):
        assert VARIABLE not in os.environ
        assert list(tmp_path.iterdir()) == []


def test_what_a_killed_server_left_is_taken_away_and_a_living_ones_is_not(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    left, living = (tmp_path / f"metrics-{pid}-x" for pid in (child.pid, os.getpid()))
    for folder in (left, living, tmp_path / "metrics-of-mine"):
        folder.mkdir()
    with share_metrics(tmp_path, 1):
        assert not left.exists()
        assert living.exists()
        assert (tmp_path / "metrics-of-mine").exists()
