"""Pages made to be too much: each ends in Markdown of its beginning, in bounded time, or says what it is."""

import pytest

from knowledge.chunk.chunker import chunk_document
from knowledge.chunk.units import ChunkSizes
from knowledge.html import page as limits
from knowledge.html.reader import CUT, read_html

DEEP = 1_500  # more levels than Python has calls


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * DEEP + "deep" + "</div>" * DEEP + "<p>after</p>",
        "<b><i>deep " * DEEP + "<p>after</p>",
        "<ul><li>deep " * DEEP + "</ul>after",
        "<table><tr><td>deep " * DEEP + "after",
        "<dl><dt id=a>deep<dd>" * DEEP + "after",
        "<blockquote>deep" * DEEP + "after",
        "<form><label>deep" * DEEP + "after",
        "<select>" + "<option>deep" * DEEP + "</select>after",
        "<p>deep\x00after</p>\x00",
        "<p>deep</p" + "<" * DEEP + "<p>after",
        "<table>" + "<tr><td colspan=1000 rowspan=65000>deep</td></tr>" * 500 + "</table>after",
        "<p style='" + "left:" * DEEP + "'>deep</p>after",
        "<p>deep after " + "[](" * DEEP + "`" * DEEP + "</p>",
        "<ol start=99999999999999999999><li value=-1>deep</ol>after",
        "<html><head><base href='http://['><title></title><body lang=''><a href='//'>deep</a>after",
        '<script type="application/ld+json">'
        + "[" * DEEP
        + "</script><time datetime='99999-99-99'>deep</time>after",
        "deep \udc80\ufdd0\U000f0000 after",
    ],
)
def test_what_is_deep_or_broken_is_still_read(markup):
    found = read_html(markup, url="https://docs.example.com/x", phase="initial")
    assert "deep" in found.markdown
    assert "after" in found.markdown
    pieces = chunk_document(found, document_id="d1")
    assert max(piece.tokens for piece in pieces) <= ChunkSizes().most + 80


def test_of_a_page_that_is_too_large_the_beginning_is_read_and_that_is_said(monkeypatch):
    monkeypatch.setattr(limits, "MOST_ELEMENTS", 100)
    found = read_html("<p>Some text.</p>" * 200)
    assert found.notes == (CUT,)
    assert 90 < found.markdown.count("Some text.") <= 100
    monkeypatch.setattr(limits, "MOST_CHARACTERS", 50)
    assert read_html("<p>Some text.</p>" * 200).notes == (CUT,)
