"""Other writings of a text, and what a coded text says."""

import pytest

from app.text.encodings import decode_variants, encode_variants

SECRET = "Hunter2x!9"


@pytest.mark.parametrize("coded", sorted(encode_variants(SECRET)))
def test_what_is_encoded_is_read(coded):
    assert SECRET in set(decode_variants(coded))


def test_a_code_in_groups_is_read():
    assert SECRET in set(decode_variants("48756e74 65723278 2139"))


@pytest.mark.parametrize("text", ["", "good morning", "%%%", "=" * 50, "A" * 5_000])
def test_any_text_can_be_read(text):
    assert text in set(decode_variants(text))
