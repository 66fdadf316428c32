"""Hostile HTML: the work is bounded, whatever was sent.

Bounded as tags read and as characters looked at, which no slow machine changes.
"""

import re
import sys

import pytest

from app.page import clean_markup, outline_markup, tags
from app.page.tags import MAX_TAGS, tokenize

pytestmark = pytest.mark.slow

SIZE = 60_000  # bytes; the bounds hold for the 2 MB of a request as well
PIECES = (
    "<", "<a ", '<a href="', "<a href='\"", "<!--", "<!a", "<?a", "</a ", "</div>", "&", "&amp",
    "<div>", "<div hidden>", "<button>", "<li hidden>", "<ul><li>", "<script>", "<script></scrip",
    "<textarea>", "<a =", '<a x"', "<select><option>", "<label>", "<table><tr>", "<p>\n", "<a b=\x00>",
)  # fmt: skip
WHOLE = (
    "<a " + "a=1 " * (SIZE // 4) + ">", "<a b" + " " * SIZE, "<title>" + "x" * SIZE,
    '<a href="' + "x" * SIZE + '">', '<a href="' + "&amp" * (SIZE // 4) + '">',
    "<" + "a" * SIZE, "<input value=" + "'" * SIZE, "<div " * (SIZE // 5) + ">",
)  # fmt: skip
HOSTILE = [piece * (SIZE // len(piece)) for piece in PIECES] + list(WHOLE)


class Looked:
    """A pattern that counts the characters its matches went over."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern
        self.characters = 0
        self.matches = 0

    def match(self, html: str, at: int) -> re.Match[str] | None:
        found = self._pattern.match(html, at)
        self.matches += 1
        self.characters += len(found[0]) if found else 0
        return found


@pytest.mark.parametrize("html", HOSTILE, ids=lambda html: repr(html[:16]))
def test_few_tags_are_read_and_no_character_twice(html, monkeypatch):
    attributes = Looked(tags._ATTRIBUTE)
    monkeypatch.setattr(tags, "_ATTRIBUTE", attributes)
    read = sum(not isinstance(token, str) for token in tokenize(html))
    assert read <= MAX_TAGS
    assert attributes.characters <= len(html)
    assert attributes.matches <= MAX_TAGS * tags.MAX_ATTRIBUTES


@pytest.mark.parametrize("html", HOSTILE, ids=lambda html: repr(html[:16]))
def test_what_is_made_of_it_is_short(html):
    assert len(outline_markup(html)) <= 12_000
    assert len(clean_markup(html, 3_000)) <= 3_000


def test_nothing_recurses():
    html = "<div><form><ul><li><button>" * 60_000
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(140)
    try:
        made = outline_markup(html)
    finally:
        sys.setrecursionlimit(before)
    assert "<button>" in made


def test_reading_stops_once_the_skeleton_is_full(monkeypatch):
    taken = 0

    def counted(html):
        nonlocal taken
        for token in tokenize(html):
            taken += 1
            yield token

    monkeypatch.setattr("app.page.markup.tokenize", counted)
    outline_markup("<button>Save it now</button>" * 100_000)
    assert taken < 3_000
