"""What a document that has taken over its reader reaches: nothing of what is tried."""

import subprocess
import sys

import pytest

from bench.faults.reader_attempts import TRIES
from bench.faults.readers import LEAST, Outcome, outcomes
from knowledge.extract.workers.process import WorkerProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's means are Linux's")


@pytest.fixture(scope="module")
def tried() -> dict[str, Outcome]:
    return {one.name: one for one in outcomes()}


@pytest.mark.parametrize("name", TRIES)
def test_a_confined_reader_is_refused(tried: dict[str, Outcome], name: str) -> None:
    assert tried[name].held, tried[name]


def test_the_same_tries_succeed_outside(tried: dict[str, Outcome]) -> None:
    assert len([one for one in tried.values() if one.counts]) >= LEAST


def test_a_reader_says_which_layers_hold() -> None:
    child = WorkerProcess(2 << 30)
    try:
        layers = child.start()
        assert layers is not None
        assert layers.missing == ()
        assert str(layers).startswith("Landlock ")
    finally:
        child.kill()
        child.reap()


THREADS = """
import threading
from knowledge.extract.sandbox.confinement import confine
threading.Thread(target=threading.Event().wait, daemon=True).start()
print(*confine(4 << 30).missing)
"""


def test_a_process_with_a_thread_that_goes_free_is_not_called_confined() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, check=True)
    assert done.stdout.split() == [b"Landlock"]
