"""The tables in cases/: what a sentence must be read as, and which words of another are not understood."""

import string
import time
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.directive import Target
from app.reasoners.commands import parse
from app.reasoners.commands.grammar import word_tables
from app.reasoners.commands.parser import LONGEST
from tests.unit.reasoners.commands.outline import outline

CASES = Path(__file__).parent / "cases"
PIECES = ("click", "enter", '"a b"', "the", "name", "into", "and", ",", ".", "'", "to", "of", "Jas",
          "then", "select", "all", "except", "2nd", "by", "without saving", "don't", "with", ":", "\n",
          "“", "set", "5", "log in", "as", "create", "1.", "if", "it", "press", "Ctrl+A", "row", "in",
          "called", "from", "{", "=", ">", "wait", "scroll", "what is", "?", "two", "please")  # fmt: skip


def table(name: str) -> list[tuple[str, str]]:
    lines = (CASES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return [(text.replace("\\n", "\n"), want.strip()) for text, want in pairs]


@pytest.mark.parametrize(("text", "want"), table("read"))
def test_a_command_is_read(text: str, want: str) -> None:
    read = parse(text)
    assert read.unread is None
    assert read.confidence == 1.0
    assert outline(read).replace("\n", "\\n").strip() == want


@pytest.mark.parametrize(("text", "words_"), table("refused"))
def test_what_is_no_command_is_not_read_and_the_words_are_told(text: str, words_: str) -> None:
    read = parse(text)
    assert not read.directives
    assert not read.forbidden
    assert read.confidence == 0.0
    assert (read.unread or "").replace("\n", "\\n") == words_
    assert (read.unread or "") in text


def _known() -> set[str]:
    """Every word of the grammar, in lower case."""
    known: set[str] = {
        "of",
        "times",
        "and",
        "row",
        "line",
        "record",
        "entry",
        "new",
        "key",
        "cursor",
        "seconds",
        "form",
    }
    stack: list[object] = [word_tables()]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            known |= {part for key in one for part in str(key).lower().split()}
            stack += one.values()
        elif isinstance(one, list):
            known |= {part for phrase in one for part in phrase.lower().split()}
    return known


def _dropped(text: str) -> list[str]:
    """The words of a command that are in no directive and are no words of the grammar."""
    read = parse(text)
    if read.unread is not None:
        return []
    kept = [one.model_dump(exclude={"source"}) for one in (*read.directives, *read.forbidden)]
    held = str(kept).lower().replace("\\\\", "\\")
    said = text.replace("’", "'").split()  # noqa: RUF001
    kinds = {one for one, name in pairwise(said) if one.islower() and not name[:1].islower()}
    bare = [
        word.lower().strip(string.punctuation + "“”«»„…").removesuffix("'s")
        for word in said
        if word not in kinds  # "the patient Jas" is known by the name
    ]
    return [
        word
        for word in bare
        if word and word not in _known() and word not in held and not word[0].isdigit()
    ]


@pytest.mark.parametrize("text", [text for text, _ in table("read") if "ctrl" not in text.lower()])
def test_no_word_of_a_command_is_dropped(text: str) -> None:
    assert _dropped(text) == []


@given(st.lists(st.sampled_from((*PIECES, "Blue", "mug", "zip", "'Red'")), max_size=14))
@settings(max_examples=400, deadline=None)
def test_no_word_of_any_words_is_dropped(pieces: list[str]) -> None:
    dropped = _dropped(
        " ".join(piece for piece in pieces if piece not in {"Ctrl+A", "'", "“", "{", "="})
    )
    assert dropped == []


def test_the_tables_are_wide() -> None:
    assert len(table("read")) >= 200
    assert len(table("refused")) >= 100


def test_quotes_mark_values_and_labels() -> None:
    created = parse("Add a new patient with name 'Jas'").directives[0]
    assert created.fields[0].quoted
    assert created.source == "Add a new patient with name 'Jas'"
    assert parse('Click "Save"').directives[0].target == Target(phrase="Save", quoted=True)
    assert parse("Click Save").directives[0].target == Target(phrase="Save")


@pytest.mark.parametrize("text", ["", "   ", "\n", "...", "?!"])
def test_nothing_is_no_command(text: str) -> None:
    assert parse(text).unread is not None


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    read = parse(text)
    assert (read.unread is None) == bool(read.directives or read.forbidden)


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_words_are_read_or_refused(pieces: list[str]) -> None:
    read = parse(" ".join(pieces))
    assert (read.unread is None) == bool(read.directives or read.forbidden)


@given(
    st.text(
        st.characters(codec="utf-8", exclude_characters='"“”', exclude_categories=("C",)),
        min_size=1,
        max_size=40,
    )
)
@settings(max_examples=200, deadline=None)
def test_a_quoted_value_keeps_every_character(value: str) -> None:
    [directive] = parse(f'Enter "{value}" into the name field').directives
    assert directive.value == value


def test_lone_surrogates_are_replaced() -> None:
    assert parse("click \ud800").text == "click ?"


def test_what_is_longer_than_a_command_is_none() -> None:
    assert parse("click " + "a" * (LONGEST - 6)).directives
    assert parse("click " + "a" * LONGEST).unread is not None


@pytest.mark.parametrize(
    "piece",
    [
        "click a and ",
        "and ",
        "name a, ",
        "'",
        '"a", ',
        "except a ",
        "of b ",
        "-",
        "1.",
        "a.",
        "called y ",
    ],
)
def test_a_long_text_takes_no_longer_than_the_longest_command(piece: str) -> None:
    text = ("create patient " + piece * 4_000)[:4_000]
    parse(text)
    start = time.process_time()
    parse(text[:LONGEST])
    parse(text)
    assert time.process_time() - start < 2  # 20 ms on an idle core
