"""Chunks can be read on their own: along headings, lists, tables and code."""

import re
from itertools import pairwise

import pytest

from knowledge.chunk.chunker import chunk_document
from knowledge.chunk.tokens import count_tokens
from knowledge.chunk.units import ChunkSizes
from knowledge.extract.port import Extracted, PageStart, Region, Rows

LINE = "A pharmacist checks order {n} before it is sent to ward {n} and signs it."


def cut(markdown: str, limits: ChunkSizes | None = None, **more):
    return chunk_document(
        Extracted(markdown=markdown, kind="md", **more), document_id="d1", limits=limits
    )


def prose(count: int) -> str:
    return " ".join(LINE.format(n=n) for n in range(count))


def test_each_chunk_knows_its_headings_and_says_what_stands_there():
    text = (
        f"# Manual\n\n{prose(12)}\n\n## Orders\n\n{prose(12)}\n\nBilling\n-------\n\n{prose(12)}\n"
    )
    pieces = cut(text)
    assert {one.heading_path for one in pieces} == {
        ("Manual",),
        ("Manual", "Orders"),
        ("Manual", "Billing"),
    }
    for one in pieces:
        assert text[one.start : one.end].strip() == one.text
        assert one.tokens == count_tokens(one.text) <= ChunkSizes().target


def test_prose_is_cut_between_sentences_and_the_next_chunk_repeats_the_last():
    pieces = cut(prose(60))
    assert len(pieces) > 3
    for before, after in pairwise(pieces):
        assert before.text.endswith(".")
        assert after.text.startswith("A pharmacist")
        assert before.start < after.start < before.end < after.end
        assert count_tokens(before.text[after.start - before.end :]) <= ChunkSizes().overlap
    alone = cut(prose(60), ChunkSizes(overlap=0))
    assert all(before.end <= after.start for before, after in pairwise(alone))


def test_small_sections_share_a_chunk_and_keep_their_headings():
    text = "# Codes\n\n" + "".join(f"## E{n}\n\nThe lamp blinks {n} times.\n\n" for n in range(9))
    pieces = cut(text)
    assert len(pieces) == 1
    assert pieces[0].heading_path == ("Codes",)
    assert "## E0\n\nThe lamp blinks 0 times." in pieces[0].text


def test_a_long_table_repeats_its_head_and_cuts_no_row():
    rows = [f"| Drug {n} | {n} mg | {LINE.format(n=n)} |" for n in range(200)]
    head = "| Name | Dose | Rule |\n| --- | --- | --- |"
    pieces = cut("\n".join(["# Doses", "", head, *rows]))
    assert len(pieces) > 10
    for one in pieces:
        assert one.text.startswith(head)
        assert one.kind == "table"
        assert one.tokens <= ChunkSizes().target + 20
        assert all(line.count("|") == 4 for line in one.text.splitlines())
    said = [line for one in pieces for line in one.text.splitlines() if line.startswith("| Drug")]
    assert said == rows


def test_a_table_too_wide_for_its_head_says_each_value_with_its_column():
    head = " | ".join(f"Measured value number {n}" for n in range(80))
    row = " | ".join(f"{n} mmol" for n in range(80))
    pieces = cut(
        f"| Patient | {head} |\n|---|{'---|' * 80}\n| Ann Cohen | {row} |\n| Jas Patel | {row} |"
    )
    assert all(one.text.startswith(("Patient: Ann Cohen", "Patient: Jas Patel")) for one in pieces)
    assert sum("Measured value number 57: 57 mmol" in one.text for one in pieces) == 2
    assert all(one.tokens <= ChunkSizes().most for one in pieces)


def test_code_stays_whole_or_is_fenced_anew_and_its_lines_are_no_headings():
    short = "```sh\n# not a heading\nls\n```"
    assert [one.heading_path for one in cut(f"# A\n\n{short}\n\nEnd.")] == [("A",)]
    lines = "\n".join(f"value_{n} = compute(value_{n - 1}, 'x')  # step {n}" for n in range(200))
    pieces = cut(f"# A\n\n```python\n{lines}\n```\n")
    assert len(pieces) > 3
    for one in pieces:
        assert one.kind == "code"
        assert one.text.startswith("```python\nvalue_")
        assert one.text.endswith("\n```")
    said = [line for one in pieces for line in one.text.splitlines() if line.startswith("value_")]
    assert said == lines.split("\n")


def test_a_long_nested_list_says_what_its_items_are_part_of():
    inner = "".join(f"  - {LINE.format(n=n)}\n" for n in range(40))
    pieces = cut(f"Before you begin:\n\n- Check the orders\n{inner}- Close the ward\n")
    assert len(pieces) > 2
    for one in pieces[1:]:
        assert one.text.startswith("Before you begin:\n- Check the orders\n  - A pharmacist")
    assert {one.kind for one in pieces} == {"list"}


@pytest.mark.parametrize(
    "text",
    [
        "药剂师在每个订单送到病房之前都要检查,并签上班次的号码。" * 60,
        "药剂师在每个订单送到病房之前都要检查" * 100,
        "הרוקח בודק כל הזמנה לפני שהיא נשלחת למחלקה וחותם עליה. " * 60,
        "x" * 20_000,
        "a.b.c/" * 4_000,
        "word " * 6_000,
        "- " + "word " * 6_000,
        "> " + "word " * 6_000,
        "```\n" + "word " * 6_000 + "\n```",
        "| a | b |\n|---|---|\n| key | " + "word " * 6_000 + " |",
        "<div>\n" + "<p>word</p>\n" * 2_000 + "</div>",
        "\n".join("  " * n + f"- level {n} {LINE}" for n in range(60)),
        "".join("> " * n + f"level {n} {LINE}\n\n" for n in range(60)),
    ],
)
def test_nothing_is_larger_than_a_chunk_and_nothing_is_lost(text):
    pieces = cut(text)
    assert max(one.tokens for one in pieces) <= ChunkSizes().most + 80
    for letters in set(re.findall(r"[^\W\d_]{2,12}", text)[:50]):
        assert any(letters in one.text for one in pieces)
    covered = 0
    for one in pieces:
        assert not text[covered : one.start].strip(" \n\r`->")
        covered = max(covered, one.end)
    assert not text[covered:].strip(" \n`")


@pytest.mark.parametrize("text", ["", "\n \n", "---\n", "#\n"])
def test_of_nothing_there_are_no_chunks(text):
    assert cut(text) == []


def test_a_heading_without_text_is_still_found():
    assert [one.text for one in cut("# Slide one\n\n# Slide two\n")] == [
        "# Slide one\n\n# Slide two"
    ]


def test_front_matter_is_read_and_begins_no_section():
    pieces = cut("---\ntitle: Orders\ntags: a\n---\n\n# One\n\nText.\n")
    assert any("title: Orders" in one.text for one in pieces)
    assert all("title: Orders" not in " ".join(one.heading_path) for one in pieces)


def test_lines_may_end_as_on_windows():
    text = f"# One\r\n\r\n{prose(5)}\r\n\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n"
    for one in cut(text):
        assert text[one.start : one.end] == one.text


def test_pages_and_parts_of_a_page_are_known():
    first, second = prose(6), prose(6)
    text = f"{first}\n\n{second}"
    pages = (PageStart(number=1, start=0), PageStart(number=2, start=len(first) + 2))
    regions = (
        Region(container="main", start=0, end=len(text)),
        Region(container="dialog[New]", start=len(first) + 2, end=len(text)),
    )
    pieces = cut(text, pages=pages, regions=regions)
    assert [(one.page, one.page_end) for one in pieces] == [(1, 1), (2, 2)]
    assert [one.containers for one in pieces] == [("main",), ("main", "dialog[New]")]
    assert [(one.page, one.page_end) for one in cut(text, ChunkSizes(target=400), pages=pages)] == [
        (1, 2)
    ]


def test_what_did_not_change_keeps_its_id():
    sections = [f"## Part {n}\n\n{prose(14 + n)}\n\n" for n in range(6)]
    before = cut("# Manual\n\n" + "".join(sections))
    after = cut(
        "# Manual\n\n" + sections[0] + "## New\n\nAnother text.\n\n" + "".join(sections[1:])
    )
    kept = {one.chunk_id for one in before} & {one.chunk_id for one in after}
    assert len(kept) >= len(before) - 2
    assert len({one.chunk_id for one in before}) == len(before)


def test_equal_texts_have_ids_of_their_own():
    pieces = cut(f"# A\n\n{prose(14)}\n\n# A\n\n{prose(14)}\n")
    assert len(pieces) == len({one.chunk_id for one in pieces})


def test_where_pages_and_rows_begin_is_known_by_the_characters_of_each_chunk():
    head = "| Item | Price |\n|---|---|\n"
    rows = [f"| Thing {n} of many that are sold here | {n} |" for n in range(200)]
    table = head + "\n".join(rows)
    pieces = cut(table, rows=(Rows(number=5, start=len(head), lines=200),))
    assert len(pieces) > 2
    said = [(one.text[at:].split("\n", 1)[0], number) for one in pieces for at, number in one.marks]
    assert said == [(row, number) for number, row in enumerate(rows, 5)]
    first, second = prose(3), prose(4)
    pages = (PageStart(number=7, start=0), PageStart(number=8, start=len(first) + 2))
    (piece,) = cut(f"{first}\n\n{second}", pages=pages)
    assert [(piece.text[at:], number) for at, number in piece.marks][-1] == (second, 8)
