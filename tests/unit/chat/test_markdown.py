"""Untrusted text in our Markdown renders as it is, and has no effect."""

import re

import pytest
from markdown_it import MarkdownIt

from app.chat.output.markdown import cell, escape_markdown

HOSTILE = [
    "a *b* [x](http://e.com) ![i](data:x) <img src=x onerror=1> &lt; `c` a|b snake_case __init__",
    "# head", "- item", "1. one", "12) two", "> quote", "+ x", "--- x", "=== x", "```x", "~~~", ": a",
    "[3] see [12]", "mail a@b.com www.evil.com https://evil.com javascript:alert(1)", "<b>x</b>", "\\<b\\>",
    "![x", "[a][b]", "[a]: http://x", "**bold", "_it_", "|---|---|", "two\n\n# lines", "a\\", "$x$", "&amp;",
]  # fmt: skip
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@pytest.mark.parametrize("text", HOSTILE)
def test_it_makes_nothing_but_words(text: str) -> None:
    shown = READER.render(escape_markdown(text))
    assert set(re.findall(r"</?(\w+)", shown)) == {"p"}
    assert not re.search(r"(?<!\\)\[\d+\]", escape_markdown(text)), "it looks like a marker"


@pytest.mark.parametrize("text", HOSTILE)
def test_twice_is_as_once(text: str) -> None:
    assert escape_markdown(escape_markdown(text)) == escape_markdown(text)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_cell_stays_one_cell(text: str) -> None:
    shown = READER.render(f"| a | b |\n|---|---|\n| {cell(text)} | end |")
    assert shown.count("<td>") == 2
    assert "<td>end</td>" in shown


def test_plain_words_stay_as_they_are() -> None:
    text = "Employees get 25 days, i.e. 5 weeks (snake_case, 3-4 p.m., 50 %)."
    assert escape_markdown(text) == text
