"""No text from outside holds up a process: every pattern and text function on strings made to be slow."""

import contextlib
import time

import pytest

from bench.pumped.subjects import Subject, all_functions, all_patterns
from bench.pumped.texts import pump

pytestmark = pytest.mark.slow

LONGEST_S = 2.0  # of processor time; a backtracking matcher takes minutes, a loop within a loop many seconds
FEW = 1  # of the first and of the last units of each; `python -m bench.pumped` plays all, at three sizes
PATTERN_SIZE, FUNCTION_SIZE = 10_000, 5_000


def too_slow(subject: Subject, size: int) -> list[str]:
    slow = []
    for unit in (*subject.units[:FEW], *subject.units[-FEW:]):
        start = time.process_time()
        with contextlib.suppress(Exception):  # a refusal is an answer
            subject.run(pump(unit, size))
        if time.process_time() - start > LONGEST_S:
            slow.append(f"{subject.where} on {unit!r}")
    return slow


@pytest.mark.parametrize("nth", range(2))
def test_no_text_holds_up_a_pattern(nth: int) -> None:
    found = [*all_patterns()]
    assert len(found) > 300
    assert [slow for one in found[nth::2] for slow in too_slow(one, PATTERN_SIZE)] == []


@pytest.mark.parametrize("nth", range(2))
def test_no_text_holds_up_a_function(nth: int) -> None:
    found = [*all_functions()]
    assert len(found) > 300
    assert [slow for one in found[nth::2] for slow in too_slow(one, FUNCTION_SIZE)] == []
