"""Our Markdown as a Word document keeps its text."""

from io import BytesIO
from typing import Any

from docx import Document

from app.chat.output.export import word_document


def opened(markdown: str) -> Any:
    return Document(BytesIO(word_document(markdown)))


def read(markdown: str) -> list[str]:
    return [one.text for one in opened(markdown).paragraphs]


def test_words_keep_their_marks_and_escapes_are_gone():
    made = opened("# Of \\*trains\\*\n\nSecond **class** ~~first~~ *only* [1].")
    head, text = made.paragraphs
    assert (head.text, head.style.name) == ("Of *trains*", "Heading 1")
    assert text.text == "Second class first only [1]."
    marked = {run.text: run.font for run in text.runs}
    assert (marked["class"].bold, marked["first"].strike, marked["only"].italic) == (True,) * 3
    assert not marked["Second "].bold


def test_every_list_counts_for_itself_and_lies_within_its_item():
    assert read("1. One\n2. Two\n   - Within\n\nThen\n\n1. Anew") == [
        "1.\tOne", "2.\tTwo", "•\tWithin", "Then", "1.\tAnew",
    ]  # fmt: skip
    indents = [one.paragraph_format.left_indent for one in opened("- a\n  - b").paragraphs]
    assert indents[0] < indents[1]


def test_a_table_is_one():
    (table,) = opened("| Rule | Verdict |\n|---|---|\n| Masks \\| gloves | **met** |").tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Rule", "Verdict"], ["Masks | gloves", "met"],
    ]  # fmt: skip
    assert table.cell(0, 0).paragraphs[0].runs[0].font.bold
    assert not table.cell(1, 0).paragraphs[0].runs[0].font.bold


def test_what_is_hostile_or_cannot_be_written_stays_words():
    odd = "A\x00\x0b\ufffe <script>x</script> ![p](http://evil.example/p.png) \U0001f642"
    assert read(odd) == ["A <script>x</script> p \U0001f642"]


def test_a_quote_keeps_its_lines():
    (quote,) = opened("> one  \n> two").paragraphs
    assert (quote.text, quote.style.name) == ("one\ntwo", "Intense Quote")
