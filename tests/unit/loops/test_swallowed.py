"""What a dialog swallowed is done again once it is put aside, and that is no loop; the third is."""

import pytest

from app.engines.loops import reflect
from tests.unit.loops.acts import press

OPEN = press("Add contact", step=1)
BY_STEP = press("Got it", page="b", step=0)
BY_STRATEGY = press("Got it", page="b", step=1, purpose="correct", strategy="dismiss overlay")
BY_LOOKING = press("Close", page="b", step=1, purpose="explore")


@pytest.mark.parametrize("aside", [BY_STEP, BY_STRATEGY, BY_LOOKING])
def test_the_swallowed_one_does_not_count(aside):
    assert reflect((OPEN, aside, OPEN), now=lambda: "a") is None
    assert "3 times" in reflect((OPEN, aside, OPEN, aside, OPEN), now=lambda: "a")


@pytest.mark.parametrize(
    "other", [press("Details", page="b", step=0), press("Close", page="b", step=1)]
)
def test_what_the_work_itself_presses_excuses_nothing(other):
    assert "2 times" in reflect((OPEN, other, OPEN), now=lambda: "a")
