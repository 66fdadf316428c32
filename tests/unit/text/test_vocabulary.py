"""The words of natural languages: one file a language, read as one table or by language."""

import tomllib

import pytest

from app.text import vocabulary as languages
from app.text.vocabulary import entries, numbers, section, stems, vocabulary


def test_a_table_holds_the_words_of_all_languages_english_first():
    found = entries("controls.destroys")
    assert found[0] == "delete"
    assert {"losch", "supprim", "elimin", "exclu", "מחק"} <= set(found)
    assert len(found) == len(set(found))


def test_phrases_are_words_between_blanks():
    assert "both of them" in vocabulary("choices.both")
    assert "do not" in vocabulary("replies.turns.dont")
    assert "pas+maintenant" in stems("controls.dismiss").split()


def test_numbers_go_by_the_name_of_their_table():
    found = numbers("values.units")
    assert (found["zero"], found["zwolf"], found["cincuenta"]) == (0, 12, 50)
    assert numbers("values.relative_days")["gestern"] == -1


def test_months_and_weekdays_are_in_their_order():
    months, days = section("values.months"), section("values.weekdays")
    assert [words[0] for words in months.values()][:3] == ["january", "february", "march"]
    assert (len(months), len(days)) == (12, 7)
    assert "sonntag" in list(days.values())[6]


def test_a_table_that_no_language_has_is_an_error():
    with pytest.raises(KeyError):
        entries("controls.nothing")


def test_no_file_holds_an_empty_table():
    """It would tell nothing, and the loader would take another language's for all there is."""
    for language in languages._languages().values():
        assert language
        for path, value in _leaves(language):
            assert value, path


def _leaves(table, path=""):
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}.{key}")
        else:
            yield f"{path}.{key}", value


def test_every_file_is_toml():
    files = list(languages.files("app.text").joinpath("data").iterdir())
    assert {one.name for one in files} >= {"en.toml", "de.toml", "he.toml", "zh.toml"}
    for one in files:
        tomllib.loads(one.read_text(encoding="utf-8"))
