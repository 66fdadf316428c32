"""Labels of a length that no page script sends: a stranger may."""

import pytest

from app.grounding.labels import label
from bench.fuzz.long_texts import LENGTH, PATTERNS


@pytest.mark.timeout(20)  # walking back over one such text took minutes
@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_text_is_walked_back_over(pattern):
    for around in ("", "Save"):
        label(around + pattern * (LENGTH // len(pattern)) + around)


def test_blanks_between_words_are_one():
    assert label("Save \n\t  patient  (optional)").words == label("Save patient").words
