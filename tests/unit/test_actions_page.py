"""The list of actions in the documentation is that of the grammar."""

from bench.actions import FILE, page


def test_the_page_is_as_the_code_has_it():
    assert FILE.read_text("utf-8") == page(), "run: python -m bench.actions"
