"""Other writings of a text, and what a coded text says."""

import pytest

from app.text.encodings import encodings, readings

SECRET = "Hunter2x!9"


@pytest.mark.parametrize("coded", sorted(encodings(SECRET)))
def test_what_is_encoded_is_read(coded):
    assert SECRET in set(readings(coded))


def test_a_code_in_groups_is_read():
    assert SECRET in set(readings("48756e74 65723278 2139"))


@pytest.mark.parametrize("text", ["", "good morning", "%%%", "=" * 50, "A" * 5_000])
def test_any_text_can_be_read(text):
    assert text in set(readings(text))
