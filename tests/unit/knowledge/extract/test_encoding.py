"""Text in any encoding, with whatever was said of it."""

import pytest

from tests.unit.knowledge.extract.sample_files import Desk

HEBREW = "שלום עולם, זה מסמך בעברית על תרופות ומינונים לילדים ולמבוגרים"
RUSSIAN = "Привет, это документ о лекарствах и дозах для детей и взрослых"  # noqa: RUF001
JAPANESE = "これは日本語の文書です。薬の用量について説明します。"
FRENCH = "Les horaires d'été sont affichés à l'entrée du bâtiment, près de la réception."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (HEBREW, "cp1255"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"), (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"), (FRENCH, "cp1252"), (FRENCH, "utf-8-sig"), (FRENCH, "utf-16"),
        (FRENCH, "utf-16-le"), (RUSSIAN, "utf-16-be"), (FRENCH, "utf-32"),
    ],
)  # fmt: skip
def test_the_letters_come_out_whatever_the_encoding(desk: Desk, text: str, encoding: str) -> None:
    assert desk.read("a.txt", text.encode(encoding)).markdown == text


def test_a_wrong_declaration_is_not_believed_and_a_right_one_is(desk: Desk) -> None:
    said = "text/plain; charset="
    assert desk.read("a", FRENCH.encode(), f"{said}iso-8859-1").markdown == FRENCH
    assert desk.read("a", RUSSIAN.encode("cp1251"), f"{said}utf-8").markdown == RUSSIAN
    assert (
        desk.read("a", "žluťoučký kůň".encode("cp1250"), f"{said}cp1250").markdown
        == "žluťoučký kůň"
    )
    assert desk.read("a", FRENCH.encode(), f"{said}rot13").markdown == FRENCH


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("page.html", "<html><body><p>{}</p></body></html>"),
        ("a.md", "# Antrag\n\n{}"),
        ("a.txt", "{}"),
    ],
)
def test_the_language_of_a_document_is_told_by_its_words(desk: Desk, name: str, given: str) -> None:
    """The model for that is loaded by the first document that needs it."""
    text = "Der Antrag wird innerhalb von zwei Tagen von der Leitung der Station genehmigt. " * 3
    assert desk.read(name, given.format(text)).language == "de"


def test_what_no_store_keeps_gives_way_without_moving_the_rest(desk: Desk) -> None:
    found = desk.read("a.json", '{"note": "one\\u0000two\\ud800three"}')
    assert found.markdown == "- note: one two\ufffdthree"


def test_a_text_that_was_cut_in_a_letter_is_still_read(desk: Desk) -> None:
    found = desk.read("a.txt", (FRENCH * 3 + "é").encode()[:-1])
    assert FRENCH in found.markdown
    assert found.notes == ("Some characters are damaged.",)


def test_front_matter_says_title_language_and_date(desk: Desk) -> None:
    text = "---\ntitle: 'Opening hours'\nlang: en\ndate: 2026-03-01\n---\n# Hours\n\n[map](https://x.example/m)\n"
    found = desk.read("a.md", text)
    assert (found.title, found.language) == ("Opening hours", "en")
    assert found.published_at is not None
    assert found.published_at.isoformat() == "2026-03-01T00:00:00+00:00"
    assert found.markdown.startswith("# Hours")
    assert (
        desk.read("b.md", "intro\n\n```\n# no\n```\n\n# The *real* one\n").title == "The real one"
    )
