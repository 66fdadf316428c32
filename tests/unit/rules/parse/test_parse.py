"""The table in cases/*.txt: an instruction, and on the line below what it must be read as."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.directive import Target
from app.reasoners.rules.parse import parse
from tests.unit.rules.parse.outline import outline

CASES = Path(__file__).parent / "cases"
# What a person writes, in any order: finds what random characters do not.
PIECES = ("click", "enter", '"a b"', "the", "name", "into", "and", ",", ".", "'", "to", "of", "Jas",
          "then", "select", "all", "except", "2nd", "by", "clicking", "don't", "with", ":", "\n",
          "“", "set", "5", "log in", "as", "create", "1.", "if", "it", "use", "press", "Ctrl+A",
          "called", "from", "{", "}", "=", ">", "wait", "scroll", "what", "?")  # fmt: skip


def table() -> list[tuple[str, str]]:
    rows = []
    for path in sorted(CASES.glob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        rows += [
            (text.replace("\\n", "\n"), want.strip())
            for text, want in zip(lines[::2], lines[1::2], strict=True)
        ]
    return rows


@pytest.mark.parametrize(("text", "want"), table())
def test_instruction(text: str, want: str) -> None:
    assert outline(parse(text)).replace("\n", "\\n").strip() == want


def test_the_table_is_wide() -> None:
    assert len(table()) >= 200


def test_quotes_mark_values_and_labels() -> None:
    created = parse("Add a new patient with name 'Jas'").directives[0]
    assert created.fields[0].quoted
    assert created.source == "Add a new patient with name 'Jas'"
    assert parse('Click "Save"').directives[0].target == Target(phrase="Save", quoted=True)
    assert not parse("Click Save").directives[0].target.quoted


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("fill in the name Jas without saving", ("submit",)),
        ("do not submit the form", ("submit",)),
        ("never delete anything", ("delete",)),
        ("Don't click Cancel", ()),
    ],
)
def test_what_is_forbidden_is_kept_apart(text: str, verbs: tuple[str, ...]) -> None:
    read = parse(text)
    assert read.forbidden_verbs == verbs
    assert read.forbidden
    assert all(directive.verb != "submit" for directive in read.directives)


@pytest.mark.parametrize(
    "text", ["Klicke auf den Knopf Speichern", "点击保存按钮", "Haz clic en Guardar"]
)
def test_other_languages_are_not_guessed(text: str) -> None:
    read = parse(text)
    assert [directive.verb for directive in read.directives] == ["do"]
    assert read.confidence < 0.5


@pytest.mark.parametrize("text", ["If it fails, click Retry", "Solve 3 + 4 and type the answer"])
def test_what_rules_cannot_carry_out_is_doubted(text: str) -> None:
    assert parse(text).confidence < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Find flights to Rome",
        "Buy the cheapest ticket",
        "Fill full name with Ann, treated with aspirin",
    ],
)
def test_what_is_read_in_part_is_doubted(text: str) -> None:
    assert 0.4 < parse(text).confidence < 0.9


@pytest.mark.parametrize("text", ["Click Save", "Set A to x, B to y", "Star the email from Ann"])
def test_what_is_read_whole_is_not(text: str) -> None:
    assert parse(text).confidence == 1.0


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert 0 <= parse(text).confidence <= 1


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_words_are_read_the_same_way_each_time(pieces: list[str]) -> None:
    text = " ".join(pieces)
    assert parse(text) == parse(text)


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
def test_long_text_is_read_in_linear_time(piece: str) -> None:
    text = ("create patient " + piece * 10_000)[:10_000]
    parse(text[:500])
    # 50 ms on an idle core; quadratic behaviour takes seconds each time, a stalled machine not.
    assert any(_spent(text) < 0.5 for _ in range(5))


def _spent(text: str) -> float:
    """Seconds of this process's own work that reading the text takes."""
    start = time.process_time()
    parse(text)
    return time.process_time() - start
